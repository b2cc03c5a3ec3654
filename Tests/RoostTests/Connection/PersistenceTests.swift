import Roost
import RoostTesting
import Testing

@Suite("A connection and its requests", .timeLimit(.minutes(5)))
struct PersistenceTests {
    private static func client(more: (Routes) -> Void = { _ in }) throws -> TestClient {
        try TestClient { routes in
            routes.get(Path("/now/{name}", String.self)) { _, name in name }
            routes.get(Path("/later/{name}", String.self)) { _, name in
                await Task.yield()
                return name
            }
            routes.post(Path("/echo")) { request in Response(body: request.body) }
            routes.post(Path("/mirror"), body: .streamed) { request in Response(body: request.body) }
            routes.post(Path("/ignore"), body: .streamed) { _ in "ignored" }
            routes.get(Path("/fails")) { _ -> Response in throw HTTPError(.conflict) }
            routes.get(Path("/breaks")) { _ -> Response in throw CancellationError() }
            routes.delete(Path("/gone")) { _ in HTTPResponse.Status.noContent }
            routes.get(Path("/same")) { _ in HTTPResponse.Status.notModified }
            routes.get(Path("/split")) { _ in
                Response(headers: [.eTag: "fine", .location: "/\r\nSet-Cookie: a=b"], body: Body("secret"))
            }
            more(routes)
        }
    }

    private static func get(_ path: String, _ fields: String = "", version: String = "1.1") -> String {
        "GET \(path) HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test(arguments: [
        ("1.1", "", nil, false),
        ("1.1", "Connection: keep-alive\r\n", nil, false),
        ("1.1", "Connection: close\r\n", "close", true),
        ("1.1", "Connection: x, Close\r\n", "close", true),
        ("1.0", "", "close", true),
        ("1.0", "Connection: keep-alive\r\n", "keep-alive", false),
        ("1.0", "Connection: keep-alive, close\r\n", "close", true),
    ])
    func `a connection persists as its version and its client say`(
        version: String,
        fields: String,
        option: String?,
        closes: Bool
    ) async throws {
        for kind in ["now", "later"] {
            let request = Self.get("/\(kind)/a", fields, version: version)
            let connection = try await Self.client().connection(sending: request)
            let response = try await connection.readResponse()
            #expect(response.text == "a")
            #expect(response.headers[.connection] == option)
            if closes {
                try await connection.waitForClose()
            } else {
                try await connection.send(request)
                #expect(try await connection.readResponse().text == "a")
            }
        }
    }

    @Test func `pipelined requests get their responses in order, whichever of them wait`() async throws {
        let names = (0..<60).map { number in (number.isMultiple(of: 3) ? "later" : "now", "n\(number)") }
        let text = names.map { Self.get("/\($0)/\($1)") }.joined()
        let connection = try await Self.client().connection(sending: text)
        for (_, name) in names { #expect(try await connection.readResponse().text == name) }
    }

    @Test func `a request that comes while another is handled waits for its turn, other clients do not`() async throws {
        let (entered, goOn) = (Latch(), Latch())
        let client = try Self.client { routes in
            routes.get(Path("/held")) { _ in
                entered.open()
                await goOn.wait()
                return "held"
            }
        }
        let connection = try await client.connection(sending: Self.get("/held") + Self.get("/now/second"))
        await entered.wait()
        try await connection.send(Self.get("/later/third"))
        for number in 0..<5 { #expect(try await client.get("/now/\(number)").text == "\(number)") }
        goOn.open()
        for text in ["held", "second", "third"] { #expect(try await connection.readResponse().text == text) }
    }

    private static let mixed =
        get("/now/a") + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + get("/later/b")
        + "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwo\r\n3;x=y\r\nrld\r\n0\r\n\r\n"

    @Test func `it does not matter how the bytes are cut`() async throws {
        let client = try Self.client()
        let bytes = Array(Self.mixed.utf8)
        for offset in 1..<bytes.count {
            let connection = try await client.connect()
            try await connection.send(Array(bytes[..<offset]))
            try await client.pass(.seconds(1))
            try await connection.send(Array(bytes[offset...]))
            for text in ["a", "hello", "b", "world"] {
                let response = try await connection.readResponse()
                #expect(response.text == text, "cut at \(offset)")
            }
        }
    }

    @Test func `not even one by one`() async throws {
        let client = try Self.client()
        let connection = try await client.connect()
        for byte in Self.mixed.utf8 {
            try await connection.send([byte])
            _ = try await client.get("/now/x")
        }
        for text in ["a", "hello", "b", "world"] { #expect(try await connection.readResponse().text == text) }
    }

    @Test(arguments: ["now", "later"])
    func `valid requests before a malformed one get responses, then 400, then the end`(kind: String) async throws {
        let text =
            Self.get("/\(kind)/a") + Self.get("/\(kind)/b") + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + Self.get("/now/c")
        let connection = try await Self.client().connection(sending: text)
        #expect(try await connection.readResponse().text == "a")
        #expect(try await connection.readResponse().text == "b")
        let refusal = try await connection.readResponse()
        #expect(refusal.status == .badRequest)
        #expect(refusal.headers[.connection] == "close")
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test(arguments: ["HEAD /%zz HTTP/1.1\r\nHost: a", "\r\nHEAD / HTTP/1.1\r\nHost : a", "HEAD / HTTP/1.1\r\nX: a"])
    func `a HEAD that is refused gets no body (RFC 9110 §9.3.2)`(head: String) async throws {
        let connection = try await Self.client().connection(sending: head + "\r\n\r\n")
        let refusal = try await connection.readResponse(to: .head)
        #expect(refusal.status == .badRequest && refusal.headers[.contentLength] != nil)
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test(arguments: [
        ("GET", "/fails", 409),
        ("GET", "/breaks", 500),
        ("GET", "/split", 500),
        ("HEAD", "/split", 500),
        ("HEAD", "/now/abc", 200),
        ("DELETE", "/gone", 204),
        ("GET", "/same", 304),
    ])
    func `a response without a body leaves the connection in order`(
        method: String,
        path: String,
        code: Int
    ) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let connection = try await Self.client().connect()
        for _ in 0..<2 {
            try await connection.send(method, path)
            let response = try await connection.readResponse(to: method)
            #expect(response.status.code == code)
            #expect(response.body.isEmpty)
            #expect(response.headers[.connection] == nil)
        }
        try await connection.send(.get, "/now/after")
        #expect(try await connection.readResponse().text == "after")
    }

    @Test func `nothing is sent of a response with a line break in a field`() async throws {
        let connection = try await Self.client().connection(sending: Self.get("/split", "Connection: close\r\n"))
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        for part in ["Set-Cookie", "fine", "secret", "Location"] { #expect(!text.contains(part)) }
    }

    @Test func `the date goes on with the server's clock`() async throws {
        let client = try Self.client()
        let connection = try await client.connect()
        var dates: [String] = []
        for _ in 0..<3 {
            try await connection.send(.get, "/now/a")
            dates.append(try #require(try await connection.readResponse().headers[.date]))
            try await client.pass(.seconds(1))
        }
        #expect(Set(dates).count == 3)
        #expect(dates.allSatisfy { $0.utf8.count == 29 && $0.hasSuffix(" GMT") })
    }

    @Test func `a response before the body has come says that it is the last`() async throws {
        let head = "POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n"
        for text in [head + "\r\n12345", head + "Expect: 100-continue\r\n\r\n"] {
            let connection = try await Self.client().connection(sending: text)
            let response = try await connection.readResponse()
            #expect(response.text == "ignored")
            #expect(response.headers[.connection] == "close")
            try await connection.waitForClose()
        }
    }

    @Test func `a body that has come and is not read does not stop the next request`() async throws {
        let post = "POST /ignore HTTP/1.1\r\nHost: a\r\n"
        let bodies = ["Content-Length: 3\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"]
        let text = bodies.map { post + $0 + Self.get("/now/next") }.joined()
        let connection = try await Self.client().connection(sending: text)
        for text in ["ignored", "next", "ignored", "next"] { #expect(try await connection.readResponse().text == text) }
    }

    @Test func `a client that waits is invited to send its body once, and only if it is wanted`() async throws {
        let head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"
        let connection = try await Self.client().connection(sending: Self.get("/now/first") + head)
        #expect(try await connection.readResponse().text == "first")
        #expect(try await connection.readResponse().status == .continue)
        try await connection.send("01234")
        try await connection.send("56789" + Self.get("/now/next"))
        #expect(try await connection.readResponse().text == "0123456789")
        #expect(try await connection.readResponse().text == "next")
        let eager = try await Self.client().connection(sending: head + "0123456789")
        #expect(try await eager.readResponse().text == "0123456789")
    }

    /// RFC 9110 §15.2: an interim response comes before the final one.
    @Test(arguments: ["1.1", "1.0"], ["", "Connection: close\r\n", "Connection: keep-alive\r\n"])
    func `no client is invited to send a body after the head of its response`(
        version: String,
        option: String
    ) async throws {
        let head = "POST /mirror HTTP/\(version)\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n"
        let connection = try await Self.client().connection(sending: head + option + "\r\n")
        var text = String(decoding: try await connection.receive(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        try await connection.send("hello")
        while !text.hasSuffix("hello") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        #expect(!text.contains("100 Continue"))
    }

    @Test func `a client that has shut down its side still gets its response`() async throws {
        let connection = try await Self.client().connection(sending: Self.get("/later/a") + Self.get("/now/b"))
        try connection.shutdownWrite()
        #expect(try await connection.readResponse().text == "a")
        #expect(try await connection.readResponse().text == "b")
        #expect(try await connection.readToEnd().isEmpty)
    }
}
