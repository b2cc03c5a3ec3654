import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import NAME

/// The client also compares each response with the description.
@Suite(.timeLimit(.minutes(2)))
struct NoteTests {
+LANGUAGES    private let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
+LANGUAGES
    /// The application as it is served, on a database in memory.
    private func client() throws -> TestClient {
        let driver = SQLiteDriver(SQLiteConfiguration(path: ":memory:"))
        let database = Database(driver, configuration: DatabaseConfiguration(columnNames: .snakeCase))
-LANGUAGES        return TestClient(try makeApp(database))
+LANGUAGES        return TestClient(try makeApp(database, folder: folder))
    }

    @Test(.quietLog) func `a note is added, and shown`() async throws {
        let client = try client()
        let added = try await client.post("/api/notes", json: ["text": "Mend the roof"])
        #expect(added.status == .created)
        let note = try added.json(Note.self)
        #expect(try await client.get("/api/notes/\(note.id)").json(Note.self) == note)
        #expect(try await client.get("/api/notes").json([Note].self).first == note)
    }

    @Test(.quietLog) func `an empty note is refused, and an unknown one is not found`() async throws {
        let client = try client()
        #expect(try await client.post("/api/notes", json: ["text": " "]).status == .unprocessableContent)
        #expect(try await client.get("/api/notes/7").status == .notFound)
    }

    @Test(.quietLog) func `the API describes itself`() async throws {
        let document = try await client().get("/api/openapi.json").json(JSONValue.self)
        #expect(document["paths"]?["/api/notes"]?["post"]?["summary"] == "Adds a note.")
    }

    @Test(.quietLog) func `a name of another site that leads here is refused`() async throws {
        let elsewhere = TestClient(try client().application, host: "elsewhere.example")
        #expect(try await elsewhere.get("/api/notes").status == .misdirectedRequest)
    }
+LANGUAGES
+LANGUAGES    @Test(.quietLog) func `an error is in the language of the client`() async throws {
+LANGUAGES        let client = try client()
+LANGUAGES        for table in try MessageTable.all(in: folder + "/Languages") {
+LANGUAGES            let language: Headers = [.acceptLanguage: table.language]
+LANGUAGES            let refused = try await client.post("/api/notes", json: ["text": " "], headers: language)
+LANGUAGES            #expect(refused.text.contains(table.text("Must not be empty.")))
+LANGUAGES        }
+LANGUAGES    }
}
