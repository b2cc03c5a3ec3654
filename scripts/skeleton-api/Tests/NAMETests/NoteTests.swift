import Roost
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import NAME

/// The client also compares each response with the description.
@Suite(.timeLimit(.minutes(1)))
struct NoteTests {
    /// The application as it is served, on a database in memory.
    private func client() throws -> TestClient {
        TestClient(try makeApp(Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))))
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
}
