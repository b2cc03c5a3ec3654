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

    @Test(arguments: [(65_536, 200), (65_537, 413)])
    func `a text in a form with files takes 64 KiB, also if the form is in memory`(
        count: Int, status: Int
    ) async throws {
        let head = "--X\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        let body = Array("\(head)\(String(repeating: "x", count: count))\r\n--X--\r\n".utf8)
        let type: Headers = [.contentType: "multipart/form-data; boundary=X"]
        for path in ["/decoded", "/fields"] {
            let response = try await Self.client().post(path, headers: type, body: body)
            #expect(response.status.code == status)
        }
    }

    /// Vietnamese, Thai, Hebrew, Arabic, Devanagari, and what is written for fun.
    @Test(arguments: [
        "nghie\u{302}\u{301}ng \u{1B0}\u{303}\u{323}n e\u{323}\u{302}o ",
        "\u{E19}\u{E49}\u{E33}\u{E1C}\u{E39}\u{E49} ",
        "\u{5D1}\u{5BC}\u{5B0}\u{5E8}\u{5B5}\u{5D0}\u{5E9}\u{5C1}\u{5B4}\u{596}\u{5D9}\u{5EA} ",
        "\u{627}\u{644}\u{631}\u{651}\u{64E}\u{62D}\u{652}\u{645}\u{64E}\u{670}\u{646}\u{650}\u{6DA} ",
        "\u{915}\u{94D}\u{937}\u{93C}\u{94D}\u{930}\u{951}\u{93F} ",
        "a" + String(repeating: "\u{301}\u{323}", count: 15),
    ])
    func `a long text of any script is read`(word: String) async throws {
        let text = String(repeating: word, count: 100)
        let decoded = try FormDecoder.decode([String: String].self, from: Form([("a", text)]))
        #expect(decoded["a"]?.utf8.elementsEqual(text.utf8) == true)
    }

    @Test func `a long text with many marks in a row is refused, since comparing it would take long`() async throws {
        let short = String(repeating: "\u{301}", count: 500)
        let decoded = try FormDecoder.decode([String: String].self, from: Form([("a", short)]))
        #expect(decoded["a"]?.utf8.elementsEqual(short.utf8) == true)
        let many = Form([("b", "a" + String(repeating: "\u{301}\u{323}", count: 300))])
        let error = #expect(throws: HTTPError.self) { try FormDecoder.decode([String: String].self, from: many) }
        #expect(error?.parts.map(\.name) == ["b"])
        #expect(error?.parts.map(\.message) == ["Has too many combining marks in a row."])
        let client = try Self.client()
        for path in ["/decoded", "/fields"] {
            #expect(try await client.post(path, form: many).status == .unprocessableContent)
        }
        let query = try Request(.get, "/?" + many.urlEncoded)
        let wrong = #expect(throws: HTTPError.self) { try query.decodeQuery([String: String].self) }
        #expect(wrong?.status == .badRequest && wrong?.parts.map(\.name) == ["b"])
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
