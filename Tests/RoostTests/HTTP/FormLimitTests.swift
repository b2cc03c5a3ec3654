import RoostTesting
import Testing

@testable import Roost

@Suite("The limits of forms and queries", .timeLimit(.minutes(5)))
struct FormLimitTests {
    /// Every path twice: `/now` with a function that never waits, `/later` with one that does.
    private static func client() throws -> TestClient {
        try TestClient { routes in
            for (name, body) in [("default", BodyPolicy.collected), ("large", .collectedUpTo(40_000))] {
                routes.post(Path("/now/\(name)"), body: body) { request in "\(try request.body.bytes.count)" }
                routes.post(Path("/later/\(name)"), body: body) { request in
                    await Task.yield()
                    return "\(try request.body.bytes.count)"
                }
            }
            routes.post(Path("/fields")) { request in "\(try request.form().fields.count)" }
            routes.post(Path("/more")) { request in "\(try request.form(maximumFields: 1500).fields.count)" }
            routes.post(Path("/decoded")) { request in "\(try request.decode([String: String].self).count)" }
            routes.get(Path("/")) { request in "\(request.query.fields.count)" }
        }
    }

    private static let form = "application/x-www-form-urlencoded"

    private static func post(_ path: String, _ type: String, _ count: Int) async throws -> HTTPResponse.Status {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: count)
        return try await client().request(.post, path, headers: [.contentType: type], body: body).status
    }

    @Test(arguments: ["now", "later"])
    func `a form takes 16 KiB, other bodies what the server allows`(name: String) async throws {
        #expect(try await Self.post("/\(name)/default", Self.form, 16_384) == .ok)
        #expect(try await Self.post("/\(name)/default", Self.form, 16_385) == .contentTooLarge)
        let type = Self.form.uppercased() + "; charset=utf-8"
        #expect(try await Self.post("/\(name)/default", type, 16_385) == .contentTooLarge)
        #expect(try await Self.post("/\(name)/default", "application/json", 1_048_576) == .ok)
        #expect(try await Self.post("/\(name)/default", "application/json", 1_048_577) == .contentTooLarge)
    }

    @Test(arguments: ["now", "later"])
    func `a route can say more, for forms as well`(name: String) async throws {
        #expect(try await Self.post("/\(name)/large", Self.form, 40_000) == .ok)
        #expect(try await Self.post("/\(name)/large", Self.form, 40_001) == .contentTooLarge)
    }

    @Test func `a form that comes in chunks ends at 16 KiB`() async throws {
        let head = """
            POST /now/default HTTP/1.1\r
            Host: a\r
            Content-Type: \(Self.form)\r
            Transfer-Encoding: chunked\r
            \r

            """
        let chunk = "1000\r\n\(String(repeating: "x", count: 4096))\r\n"
        let connection = try await Self.client().connection(sending: head + String(repeating: chunk, count: 5))
        #expect(try await connection.readResponse().status == .contentTooLarge)
    }

    @Test func `the limit is configured, and never above that of bodies`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumFormSize = 100
        configuration.maximumBodySize = 50
        let client = try TestClient(configuration: configuration) { routes in
            routes.post(Path("/")) { request in try request.body.text }
        }
        #expect(try await client.post("/", form: ["a": String(repeating: "x", count: 48)]).status == .ok)
        #expect(try await client.post("/", form: ["a": String(repeating: "x", count: 49)]).status == .contentTooLarge)
    }

    @Test(arguments: [(1000, true), (1001, false)])
    func `a form has a thousand fields at most, and a decoded one too`(count: Int, isRead: Bool) async throws {
        let client = try Self.client()
        let form = Form((0..<count).map { ("f\($0)", "") })
        for path in ["/fields", "/decoded"] {
            let response = try await client.post(path, form: form)
            #expect(response.status == (isRead ? .ok : .contentTooLarge))
            if isRead { #expect(response.text == "\(count)") }
        }
        #expect(try await client.post("/more", form: form).text == "\(count)")
    }

    @Test func `of a query the first thousand parameters are read`() async throws {
        let query = String(repeating: "a&", count: 1200)
        #expect(try await Self.client().get("/?" + query).text == "1000")
    }

    @Test func `names are found by their bytes`() throws {
        let form = Form([("\u{E9}", "1"), ("e\u{301}", "2")])
        #expect(form["e\u{301}"] == "2")
        #expect(form[values: "\u{E9}"] == ["1"])
        let decoded = try FormDecoder.decode(Accents.self, from: form)
        #expect(decoded.composed == 1 && decoded.combined == 2)
    }

    private struct Accents: Decodable {
        let composed: Int
        let combined: Int

        enum CodingKeys: String, CodingKey {
            case composed = "\u{E9}"
            case combined = "e\u{301}"
        }
    }
}
