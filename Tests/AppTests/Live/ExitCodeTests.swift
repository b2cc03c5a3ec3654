import FoundationEssentials
import Glibc
import Processes
import RoostTesting
import Testing

/// The table of `docs/exit-codes.md`, against the site's binary. `LiveTests` has more of 0, 69 and 78.
@Suite("Exit codes", .quietLog, .timeLimit(.minutes(10)))
struct ExitCodeTests {
    /// A command of the site, with its variables, and its exit code and a part of what it prints.
    struct Ending: Sendable, CustomTestStringConvertible {
        let code: String
        let sentence: String
        var arguments: [String] = []
        var variables: [String: String] = [:]

        var testDescription: String { "\(code): \(arguments) \(variables)" }
    }

    private static let signals = [(SIGTERM, "143"), (SIGINT, "130")]

    private static let endings = [
        Ending(code: "0", sentence: "/users", arguments: ["routes"]),
        Ending(code: "1", sentence: "", arguments: ["health"], variables: ["PORT": "1"]),
        Ending(code: "64", sentence: "Error: Unexpected argument 'fly'", arguments: ["fly"]),
        Ending(
            code: "69", sentence: "The database is unavailable: ", arguments: ["migrate"],
            variables: ["DATABASE_URL": "postgres://ada:secret@127.0.0.1:1/site"]),
        Ending(code: "78", sentence: "The database is in memory;", arguments: ["backup", "x"]),
        Ending(code: "78", sentence: "This command is for SQLite", arguments: ["restore", "x"]),
        Ending(
            code: "78", sentence: "There is no database at /tmp/none.sqlite. App migrate makes it",
            arguments: ["accounts", "list"], variables: ["DATABASE_URL": "sqlite:/tmp/none.sqlite"]),
        Ending(code: "78", sentence: "MIGRATE is \"2\"", arguments: ["routes"], variables: ["MIGRATE": "2"]),
    ]

    @Test(arguments: endings)
    func `a command ends with its exit code, and a failing one with one sentence`(ending: Ending) async throws {
        let (output, code) = try await SiteProcess.fail(ending.variables, ending.arguments)
        #expect(code == ending.code, "\(output)")
        #expect(output.contains(ending.sentence), "\(output)")
        if code == "78" { #expect(!output.contains("\n"), "\(output)") }
    }

    @Test(arguments: signals)
    func `a second signal ends the process at once`(signal: Int32, code: String) async throws {
        let site = try await SiteProcess.start(["PORT": "\(FreePort.next())"])
        let connection = try await HTTPConnection.connect(port: site.port)
        try await connection.send("GET /users HTTP/1.1\r\n")
        #expect(try await WireClient(port: site.port).get("/users").status == .ok)
        site.signal(signal)
        // It is draining once it refuses connections.
        try await BlockingThread.run {
            let swarm = Swarm(port: site.port)
            try swarm.run { swarm in
                if swarm.clients.last?.hasEnded ?? true {
                    swarm.add(Array("GET /users HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
                }
                return swarm.ends[.refused] != nil
            }
        }
        site.signal(signal)
        let ending = try await site.ending()
        #expect(ending.code == code, "\(ending.output)")
    }

    @Test func `each row of the table is tested`() throws {
        let tested = Set(Self.endings.map(\.code) + Self.signals.map(\.1))
        let rows = try String(contentsOfFile: Site.root + "/docs/exit-codes.md", encoding: .utf8).split(separator: "\n")
            .compactMap { line -> String? in
                let cell = line.split(separator: "|").first.map { $0.filter { $0 != " " } } ?? ""
                return line.hasPrefix("|") && Int(cell) != nil ? cell : nil
            }
        #expect(Set(rows) == tested)
    }
}
