import Roost
import RoostTesting
import Testing

/// The page about requests: its programs are compiled in NestSite.swift, and used here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The requests page` {
    @Test(.quietLog) func `a nest is added`() async throws {
        let client = TestClient(try makeNestApp())
        let response = try await client.post("/nests", form: ["tree": "oak", "eggs": "3"])
        #expect(response.headers[.location] == "/nests/new")
        let made = try await client.post("/api/nests", json: ["tree": "elm"])
        #expect(made.status == .created)
        #expect(try made.json(Nest.self).tree == "elm")
    }

    @Test func `its programs are compiled`() {
        // Those that need a database are used beside its drivers.
        let sources = ["Docs/NestSite", "Docs/RequestsPageTests", "../AppTests/Models/RowsPageTests"]
        let programs = Readme.programs(of: "docs/requests.md", missingIn: sources)
        #expect(programs.count == 8)
        #expect(programs.missing == [])
    }

    @Test func `the API says what is wrong in its own format`() async throws {
        let client = TestClient(try makeNestApp())
        let wrong = try await client.post("/api/nests", json: NestInputSample(tree: "", eggs: 13))
        #expect(wrong.status == .unprocessableContent)
        let messages = try wrong.json([String: [String: [String]]].self)
        #expect(messages == ["errors": ["tree": ["A tree is needed."], "eggs": ["A nest has at most 12 eggs."]]])
        for path in ["/api/nowhere", "/api/nests/7"] {
            #expect(try await client.get(path).text == #"{"errors":{"":["Not Found"]}}"#)
        }
        #expect(try await client.put("/api/nests").status == .methodNotAllowed)
    }

    @Test func `the API filters, shows and removes`() async throws {
        let client = TestClient(try makeNestApp())
        for tree in ["oak", "elm", "oak"] { _ = try await client.post("/api/nests", json: ["tree": tree]) }
        #expect(try await client.get("/api/nests?tree=oak&limit=1").json([Nest].self).map(\.id) == [1])
        let made = try await client.post("/api/nests", json: ["tree": "ash"])
        #expect(made.headers[.location] == "/api/nests/4")
        #expect(try await client.get("/api/nests/4").json(Nest.self).tree == "ash")
        #expect(try await client.delete("/api/nests/4").status == .noContent)
        #expect(try await client.get("/api/nests/4").status == .notFound)
    }

    @Test func `the form comes back with what was typed`() async throws {
        let client = TestClient(try makeNestApp())
        let response = try await client.post("/nests", form: ["tree": "oak", "eggs": "99"])
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("value=\"oak\""))
        #expect(response.text.contains("<p>A nest has at most 12 eggs.</p>"))
    }

    @Test func `a search finds, and with a mistake it shows what was typed`() async throws {
        let client = TestClient(try makeNestApp())
        for tree in ["oak", "old oak"] { _ = try await client.post("/nests", form: ["tree": tree]) }
        #expect(NestPages.url(searching: "old oak") == "/nests/search?tree=old%20oak")
        let found = try await client.get(NestPages.url(searching: "old oak") + "&limit=5")
        #expect(found.text == #"<input name=tree value="old oak"><input name=limit value="5"><li>old oak</li>"#)
        let path = "/nests/search?tree=oak&limit=many"
        let wrong = try await client.get(path, headers: [.accept: "text/html"])
        #expect(wrong.status == .badRequest)
        let limit = #"<input name=limit value="many"><p>Must be a whole number.</p>"#
        #expect(wrong.text == #"<input name=tree value="oak">"# + limit)
        let refused = try await client.get(path, headers: [.accept: "application/json"])
        #expect(refused.status == .badRequest)
        #expect(refused.headers[.contentType] == "application/problem+json")
    }

    @Test func `a body is read as it came`() async throws {
        let client = TestClient(try makeNestApp())
        #expect(try await client.post("/log", body: Array("öl".utf8)).text == "3 bytes: öl")
        #expect(try await client.post("/log", body: [0xFF, 65]).text == "2 bytes: \u{FFFD}A")
        #expect(try await client.put("/log", body: [UInt8](repeating: 7, count: 2 << 20)).text == "2097152 bytes")
        let head = "PUT /log HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8388609\r\n\r\n"
        #expect(try await client.connection(sending: head).readResponse().status == .contentTooLarge)
    }
}

private struct NestInputSample: Encodable {
    let tree: String
    let eggs: Int
}
