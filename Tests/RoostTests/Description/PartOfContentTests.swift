import Roost
import RoostTesting
import Testing

/// What a client may ask for besides the content of a described route needs no description.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `Parts of what is described` {
    @Test func `of a stored file a client has the state, and asks for a part`() async throws {
        let store = MemoryFileStore()
        try await store.save(UploadedFile(name: "", Array("0123456789".utf8)), as: "a")
        let application = try Application(api: APIDescription(title: "Files", version: "1")) { routes in
            routes.get(Path("/a")) { request in
                try await store.response(to: request, for: "a", contentType: "application/octet-stream")
                    ?? Response(.notFound)
            }
            .describe("A file.", contentType: MediaType("application", "octet-stream"))
        }
        let client = TestClient(application)
        let whole = try await client.get("/a")
        let tag = try #require(whole.headers[.eTag])
        #expect(try await client.get("/a", headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await client.head("/a", headers: [.ifNoneMatch: tag]).status == .notModified)
        let part = try await client.get("/a", headers: [.range: "bytes=2-4"])
        #expect(part.status == .partialContent && part.text == "234")
    }

    @Test func `a part that nobody asked for, or of another type, is a mistake`() async throws {
        let application = try Application(api: APIDescription(title: "Files", version: "1")) { routes in
            routes.get(Path("/a")) { _ in Response(.partialContent, "text/plain", Body("a")) }
                .describe("A file.", contentType: .csv)
            routes.post(Path("/b")) { _ in Response(.notModified) }.describe("Adds one.")
        }
        let client = TestClient(application)
        await #expect(throws: UnexpectedResponse.self) { try await client.get("/a") }
        await #expect(throws: UnexpectedResponse.self) { try await client.get("/a", headers: [.range: "bytes=0-0"]) }
        await #expect(throws: UnexpectedResponse.self) { try await client.head("/a", headers: [.range: "bytes=0-0"]) }
        await #expect(throws: UnexpectedResponse.self) { try await client.post("/b") }
    }
}
