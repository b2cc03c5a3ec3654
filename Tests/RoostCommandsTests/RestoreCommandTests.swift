import FoundationEssentials
import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostCommands

@Suite("The command restore", .quietLog, .timeLimit(.minutes(5)))
struct RestoreCommandTests {
    /// A program on a file, whose path is the task's.
    private struct Owls: DatabaseProgram {
        @TaskLocal static var path = ""
        static let migrations = [Migration("owls", sql: "CREATE TABLE owls (name TEXT)")]

        static func database() -> Database { Database(SQLiteDriver(SQLiteConfiguration(path: path))) }

        static func application() throws -> Application { try Application { _ in } }
    }

    @Test func `a backup of another program is refused, and one of a newer version restored`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let nests = Migration("nests", sql: "CREATE TABLE nests (tree TEXT)")
        for (name, migrations) in [("other", [nests]), ("newer", Owls.migrations + [nests])] {
            try await Owls.$path.withValue("\(folder)/\(name)") {
                try await Owls.withDatabase(.creating) { try await Migrator($0, migrations).run() }
            }
        }
        try await Owls.$path.withValue(folder + "/owls.sqlite") {
            let error = await #expect(throws: DatabaseError.self) {
                try await RestoreCommand<Owls>.parse([folder + "/other"]).run()
            }
            #expect(error?.exitCode == 78)
            #expect(!FileManager.default.fileExists(atPath: Owls.path))
            try await RestoreCommand<Owls>.parse([folder + "/newer"]).run()
            #expect(FileManager.default.fileExists(atPath: Owls.path))
        }
    }

    @Test func `migrations that are not known are told`() {
        let report = RestoreCommand<Owls>.report(on: "a", from: "b", old: nil, unknown: ["nests", "eggs"])
        let sentence =
            "It has migrations that this program does not know (nests, eggs): run a newer version of the program."
        #expect(report.split(separator: "\n").last.map(String.init) == sentence)
    }
}
