import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@Suite("Statements in the window of development", .timeLimit(.minutes(5)))
struct WindowTests {
    private static func window(
        _ handle: @escaping @Sendable (Database) async throws -> Void
    ) async throws -> String {
        var page = ""
        try await Scratch.run { database, _ in
            let application = try Application { routes in
                routes.get(Path("/")) { _ in
                    try await handle(database)
                    return "done"
                }
            }
            let client = TestClient(try application.showingWindow)
            #expect(try await client.get("/").status == .ok)
            page = try await client.get("/_roost/requests/1").text
        }
        return page
    }

    @Test func `a statement that runs for each row of another is pointed out`() async throws {
        let page = try await Self.window { database in
            for id in 1...3 { _ = try await database.query("SELECT \(id) AS id", as: One.self) }
        }
        #expect(page.contains("A statement ran 3 times (N + 1)."))
        #expect(page.contains("1 row") && page.contains("<code>$1 = 3</code>"))
        #expect(page.contains("SCAN CONSTANT ROW"))
    }

    @Test func `the values of statements about secrets are hidden, and texts are escaped`() async throws {
        let page = try await Self.window { database in
            try await database.execute("CREATE TABLE accounts (name TEXT, password TEXT)")
            try await database.execute("INSERT INTO accounts (name, password) VALUES (\("n"), \("hush"))")
            try await database.execute("CREATE TABLE queued (payload TEXT)")
            try await database.execute("INSERT INTO queued (payload) VALUES (\("whisper"))")
            _ = try await database.query("SELECT 1 AS id WHERE \("<b>") = '<i>'", as: One.self)
        }
        #expect(!page.contains("hush") && page.contains("$2 = ••••••"))
        #expect(!page.contains("whisper"))
        #expect(!page.contains("<b>") && !page.contains("<i>") && page.contains("0 rows"))
        #expect(!page.contains("N + 1"))
    }

    @Test func `the ends of a transaction are shown, and a batch and a stream once`() async throws {
        let page = try await Self.window { database in
            _ = try await database.transaction { try await $0.execute("CREATE TABLE eggs (id INTEGER)") }
            try await database.batch([SQL](repeating: "INSERT INTO eggs VALUES (1)", count: 1000))
            for try await _ in database.stream("SELECT id FROM eggs", as: One.self) {}
        }
        for step in ["BEGIN", "COMMIT", "batch of 1000: INSERT INTO eggs", "SELECT id FROM eggs"] {
            #expect(page.contains(step), "\(step)")
        }
        #expect(!page.contains("A statement ran"))
    }

    private struct One: Decodable, Sendable { let id: Int }
}
