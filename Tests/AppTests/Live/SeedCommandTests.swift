import FoundationEssentials
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

@testable import App

/// `App seed`, with the site's own binary.
@Suite("Users to try the site with", .quietLog, .timeLimit(.minutes(10)))
struct SeedCommandTests {
    /// A database that commands and the site share, in a folder that goes away with the test.
    private final class Data: Sendable {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-seed-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Runs a command to its end.
        func run(_ environment: String, _ arguments: String...) async throws -> (output: String, code: String) {
            let (output, code) = try await SiteProcess.fail(variables(environment), arguments)
            // On a busy machine, a statement may be slow, which is logged.
            let lines = output.split(separator: "\n").filter { !$0.contains("\"level\":\"warning\"") }
            return (lines.joined(separator: "\n"), code)
        }

        func variables(_ environment: String) -> [String: String] {
            ["DATABASE_URL": "sqlite:\(folder)/roost.sqlite", "ROOST_ENV": environment]
        }
    }

    @Test func `users are added where the site is developed, and the site shows them`() async throws {
        let data = try Data()
        let missing = try await data.run("development", "seed")
        #expect(missing.code == "78" && missing.output.contains("There is no database at"), "\(missing.output)")
        #expect(try await data.run("development", "migrate").code == "0")
        let seeded = try await data.run("development", "seed", "--users", "3")
        #expect(seeded.code == "0" && seeded.output.contains("Added 3 users."), "\(seeded.output)")
        let site = try await SiteProcess.start(data.variables("development"), under: SiteProcess.quiet)
        let list = try await WireClient(port: site.port).request(
            .get, "/users", headers: [.accept: "application/json"])
        let names = try list.json([User.Summary].self).map(\.name)
        #expect(Set(["Ada Ash", "Björn Ash", "Chloé Ash"]).isSubset(of: names), "\(names)")
        #expect(try await site.terminate() == "0")
    }

    @Test func `in production only whoever says so adds users`() async throws {
        let data = try Data()
        #expect(try await data.run("production", "migrate").code == "0")
        let refused = try await data.run("production", "seed")
        #expect(refused.code == "78" && refused.output.hasPrefix("This is production:"), "\(refused.output)")
        let told = try await data.run("production", "seed", "--users", "1", "--production")
        #expect(told.code == "0" && told.output.contains("Added 1 user."), "\(told.output)")
    }

    @Test(arguments: ["0", "10001", "many"])
    func `a number that is none is a wrong command line`(number: String) async throws {
        #expect(try await Data().run("development", "seed", "--users", number).code == "64")
    }

    @Test func `names differ`() {
        #expect(Set((0..<10_000).map(SeedCommand.name)).count == 10_000)
    }
}
