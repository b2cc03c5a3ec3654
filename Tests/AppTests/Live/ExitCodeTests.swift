import FoundationEssentials
import RoostTesting
import Testing

/// The table of `docs/exit-codes.md`, against the site's binary. `LiveTests` has more of 0, 69 and 78, `FaultTests`
/// what a second signal does.
@Suite("Exit codes", .quietLog, .timeLimit(.minutes(10)))
struct ExitCodeTests {
    /// A command of the site that fails, with its variables, and the code and a part of the sentence it ends with.
    struct Failure: Sendable, CustomTestStringConvertible {
        let code: String
        let sentence: String
        var arguments: [String] = []
        var variables: [String: String] = [:]

        var testDescription: String { "\(code): \(arguments) \(variables)" }
    }

    private static let failures = [
        Failure(code: "1", sentence: "", arguments: ["health"], variables: ["PORT": "1"]),
        Failure(code: "64", sentence: "Error: Unexpected argument 'fly'", arguments: ["fly"]),
        Failure(
            code: "69", sentence: "The database is unavailable: ", arguments: ["migrate"],
            variables: ["DATABASE_URL": "postgres://ada:secret@127.0.0.1:1/site"]),
        Failure(code: "78", sentence: "The database is in memory;", arguments: ["backup", "x"]),
        Failure(code: "78", sentence: "This command is for SQLite", arguments: ["restore", "x"]),
        Failure(
            code: "78", sentence: "There is no database at /tmp/none.sqlite. App migrate makes it",
            arguments: ["accounts", "list"], variables: ["DATABASE_URL": "sqlite:/tmp/none.sqlite"]),
        Failure(code: "78", sentence: "MIGRATE is \"2\"", arguments: ["routes"], variables: ["MIGRATE": "2"]),
    ]

    @Test(arguments: failures)
    func `a failing program ends with its exit code and one sentence`(failure: Failure) async throws {
        let (output, code) = try await SiteProcess.fail(failure.variables, failure.arguments)
        #expect(code == failure.code, "\(output)")
        #expect(output.contains(failure.sentence), "\(output)")
        if code == "78" { #expect(!output.contains("\n"), "\(output)") }
    }

    @Test func `each row of the table is tested`() throws {
        let tested = Set(Self.failures.map(\.code)).union(["0", "130", "143"])
        let rows = try String(contentsOfFile: Site.root + "/docs/exit-codes.md", encoding: .utf8).split(separator: "\n")
            .compactMap { line -> String? in
                let cell = line.split(separator: "|").first.map { $0.filter { $0 != " " } } ?? ""
                return line.hasPrefix("|") && Int(cell) != nil ? cell : nil
            }
        #expect(Set(rows) == tested)
    }
}
