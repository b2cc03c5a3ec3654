import HTTPTypes
import Roost
import RoostHTTPClient
import RoostTesting
import Testing

/// Requests and responses, over real connections to a server of this framework.
@Suite("HTTPClient", .timeLimit(.minutes(2)))
struct HTTPClientTests {
    struct Nest: Codable, Equatable, Sendable {
        var tree: String
        var eggs: Int
    }

    static func echo() async throws -> TestHTTPServer {
        try await TestHTTPServer { routes in
            routes.post(Path("/echo")) { request in
                Response(
                    .ok, headers: [.contentType: request.headers[.contentType] ?? "none"], body: request.body)
            }
            routes.put(Path("/echo")) { request in Response(.ok, body: request.body) }
            routes.patch(Path("/echo")) { request in Response(.ok, body: request.body) }
            routes.delete(Path("/echo")) { _ in Response(.noContent) }
            routes.get(Path("/nest")) { _ in JSON(Nest(tree: "oak", eggs: 3)) }
            routes.get(Path("/query")) { request in
                request.query.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            }
            routes.get(Path("/port")) { request in "\(request.peer)" }
            routes.get(Path("/fields")) { request in
                request.headers.list.map { "\($0.name.canonicalName): \($0.value)" }.joined(separator: "\n")
            }
        }
    }

    @Test func `GET returns status, fields and body`() async throws {
        let server = try await Self.echo()
        let response = try await HTTPClient().get(server.url("/nest"))
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(try response.json(Nest.self) == Nest(tree: "oak", eggs: 3))
        #expect(response.url == server.url("/nest"))
    }

    @Test func `a status is no error until one asks`() async throws {
        let server = try await Self.echo()
        let response = try await HTTPClient().get(server.url("/none"))
        #expect(response.status == .notFound)
        let failure = #expect(throws: HTTPClient.Failure.self) { try response.successful() }
        #expect(failure?.kind == .status(.notFound))
        #expect(failure?.description.hasPrefix("\(server.url("/none")) responded 404 Not Found") == true)
    }

    @Test func `a body is JSON, a form, bytes or a form with files`() async throws {
        let server = try await Self.echo()
        let http = HTTPClient()
        let json = try await http.post(server.url("/echo"), json: Nest(tree: "elm", eggs: 1))
        #expect(try json.json(Nest.self) == Nest(tree: "elm", eggs: 1))
        #expect(json.headers[.contentType] == "application/json")
        let form = try await http.post(server.url("/echo"), form: ["tree": "a&b", "eggs": "2"])
        #expect(form.text == "tree=a%26b&eggs=2")
        #expect(form.headers[.contentType] == "application/x-www-form-urlencoded")
        let plain = try await http.post(server.url("/echo"), body: "text")
        #expect(plain.text == "text")
        #expect(plain.headers[.contentType] == "none")
        let parts = try await http.post(
            server.url("/echo"),
            multipart: [.field("tree", "oak"), .file("picture", "n\".png", type: "image/png", [1, 2])])
        #expect(
            parts.text.contains(
                "name=\"picture\"; filename=\"n%22.png\"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\r\n"))
        #expect(try await http.put(server.url("/echo"), json: [1]).text == "[1]")
        #expect(try await http.patch(server.url("/echo"), json: [2]).text == "[2]")
        #expect(try await http.delete(server.url("/echo")).status == .noContent)
    }

    @Test func `an empty body is sent as one`() async throws {
        let server = try await Self.echo()
        let response = try await HTTPClient().post(server.url("/echo"))
        #expect(response.status == .ok)
        #expect(response.text == "")
        #expect(response.headers[.contentType] == "none")
    }

    @Test func `a large body comes back whole`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.post(Path("/echo"), body: .collectedUpTo(4 << 20)) { Response(.ok, body: $0.body) }
        }
        let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let response = try await HTTPClient().post(server.url("/echo"), body: Body(bytes))
        #expect(try response.body.bytes == bytes)
    }

    @Test func `a query is added to the URL's own, before its fragment`() async throws {
        let server = try await Self.echo()
        let response = try await HTTPClient().get(server.url("/query?a=1#part"), query: ["b": "x y&z"])
        #expect(response.text == "a=1;b=x y&z")
    }

    @Test func `a connection is used again`() async throws {
        let server = try await Self.echo()
        let http = HTTPClient()
        let first = try await http.get(server.url("/port")).text
        #expect(try await http.get(server.url("/port")).text == first)
    }

    @Test func `a request has nothing of the one before`() async throws {
        let server = try await Self.echo()
        let http = HTTPClient()
        let password = "http://me:secret@127.0.0.1:\(server.port)/fields"
        #expect(try await http.get(password).text.contains("authorization: Basic "))
        _ = try await http.get(server.url("/fields"), headers: [.accept: "text/html", .authorization: "Bearer x"])
        _ = try await http.post(server.url("/echo"), json: [1])
        _ = try await http.head(server.url("/fields"))
        _ = try await http.put(server.url("/echo"), body: "text", headers: [.cookie: "a=b"])
        let fields = try await http.get(server.url("/fields")).text.split(separator: "\n").map {
            $0.prefix { $0 != ":" }
        }
        #expect(fields == ["host", "user-agent", "accept", "accept-encoding"])
    }

    @Test func `the client's fields and the request's go along`() async throws {
        let server = try await Self.echo()
        var http = HTTPClient()
        http.headers = [.authorization: "Bearer nest", .accept: "text/plain"]
        let text = try await http.get(server.url("/fields"), headers: [.accept: "text/html"]).text
        let lines = text.split(separator: "\n")
        #expect(lines.contains("authorization: Bearer nest"))
        #expect(lines.contains("accept: text/html"))
        #expect(lines.contains("user-agent: Roost"))
        #expect(lines.contains("accept-encoding: gzip, br"))
    }

    @Test func `a field with several values keeps them, and those that frame a message are libcurl's`() async throws {
        let server = try await Self.echo()
        var http = HTTPClient()
        http.headers.append(.acceptLanguage, "de")
        http.headers.append(.acceptLanguage, "en")
        let headers: Headers = [.contentLength: "7", .transferEncoding: "chunked", .connection: "close"]
        let lines = try await http.get(server.url("/fields"), headers: headers).text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("accept-language") } == ["accept-language: de", "accept-language: en"])
        #expect(!lines.contains { $0.hasPrefix("content-length") || $0.hasPrefix("transfer-encoding") })
        #expect(!lines.contains { $0.hasPrefix("connection") })
    }

    @Test func `JSON follows the application's conventions, both ways`() async throws {
        struct Brood: Codable, Equatable {
            var hatchedEggs: Int
        }
        let server = try await Self.echo()
        let http = HTTPClient(json: JSONCoder(keys: .snakeCase))
        let response = try await http.post(server.url("/echo"), json: Brood(hatchedEggs: 2))
        #expect(response.text == #"{"hatched_eggs":2}"#)
        #expect(try response.json() == Brood(hatchedEggs: 2))
        let failure = #expect(throws: HTTPClient.Failure.self) { try response.json([Int].self) }
        #expect(failure?.kind == .malformed)
    }

    @Test func `a body that came as Brotli is decompressed`() async throws {
        let server = try await TestHTTPServer { routes in
            routes.get(Path("/")) { _ in
                let bytes: [UInt8] = [
                    139, 7, 128, 97, 32, 110, 101, 115, 116, 32, 105, 110, 32, 97, 110, 32, 111, 97, 107, 3,
                ]
                return Response(.ok, headers: [.contentEncoding: "br"], body: Body(bytes))
            }
        }
        #expect(try await HTTPClient().get(server.url()).text == "a nest in an oak")
    }

    @Test func `each host, method and status has a timer`() async throws {
        let server = try await Self.echo()
        let metrics = PrometheusMetrics()
        let http = HTTPClient(metrics: metrics)
        _ = try await http.get(server.url("/nest"))
        _ = try await http.get(server.url("/none"))
        _ = try? await http.get("http://127.0.0.1:1/")
        let text = metrics.text()
        for (host, status) in [
            ("127.0.0.1:\(server.port)", "200"), ("127.0.0.1:\(server.port)", "404"), ("127.0.0.1:1", "error"),
        ] {
            #expect(
                text.split(separator: "\n").contains { line in
                    line.hasPrefix("http_client_request_duration_seconds_count") && line.hasSuffix(" 1")
                        && ["\"\(host)\"", "\"GET\"", "\"\(status)\""].allSatisfy(line.contains)
                }, "\(text)")
        }
    }

    @Test(arguments: [
        "", "/nests", "ftp://127.0.0.1/", "file:///etc/passwd", "http://a b/", "http://127.0.0.1:1/\u{7F}",
    ])
    func `a URL that is not HTTP's is refused`(url: String) async throws {
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await HTTPClient().get(url) }
        #expect(failure?.kind == .invalidRequest)
    }

    @Test func `letters beyond ASCII in a query are encoded, and escapes stay`() async throws {
        let server = try await Self.echo()
        let response = try await HTTPClient().get(server.url("/query?town=Köln&mark=<\"%26#é"))
        #expect(response.text == "town=Köln;mark=<\"&")
    }

    @Test func `a URL with a space in its query is refused for that`() async throws {
        let failure = await #expect(throws: HTTPClient.Failure.self) {
            try await HTTPClient().get("http://127.0.0.1:1/q?q=a b")
        }
        #expect(failure?.kind == .invalidRequest)
        #expect(failure?.description.hasPrefix("http://127.0.0.1:1/q has a blank or a control character") == true)
    }

    @Test(arguments: [(200, "sent"), (404, "responded 404 with")])
    func `a body that is not JSON is told in one sentence, with the status of an error`(
        code: Int, said: String
    ) throws {
        let response = HTTPClient.Response(HTTPResponse.Status(code: code))
        let failure = #expect(throws: HTTPClient.Failure.self) { try response.json(Nest.self) }
        let text = failure?.description ?? ""
        #expect(text.contains("\(said) a body that is not the expected JSON: ") && !text.hasSuffix(".."), "\(text)")
        #expect(text.hasSuffix("it ends too early."), "\(text)")
    }

    @Test func `a host with letters beyond ASCII is refused with a word on how to write it`() async {
        let failure = await #expect(throws: HTTPClient.Failure.self) {
            try await HTTPClient().get("http://b\u{FC}cher.invalid/")
        }
        #expect(failure?.kind == .invalidRequest && failure?.description.hasSuffix(" as xn--….") == true)
    }

    @Test func `a field with a line break is refused`() async throws {
        let server = try await Self.echo()
        let failure = await #expect(throws: HTTPClient.Failure.self) {
            try await HTTPClient().get(server.url("/nest"), headers: [.accept: "a\r\nHost: b"])
        }
        #expect(failure?.kind == .invalidRequest)
    }

    @Test func `a server that is not there is unreachable`() async throws {
        let server = try await Self.echo()
        let url = server.url("/nest?secret=1")
        try await server.stop()
        let failure = await #expect(throws: HTTPClient.Failure.self) { try await HTTPClient().get(url) }
        #expect(failure?.kind == .unreachable)
        #expect(failure?.description.contains("secret") == false)
    }

    @Test func `a handler's call belongs to the request that it serves`() async throws {
        let server = try await Self.echo()
        let http = HTTPClient()
        let client = TestClient(
            try Application { routes in
                routes.get(Path("/")) { request in
                    try await http.continuing(request).get(server.url("/fields")).text
                }
            })
        let response = try await client.get("/")
        let id = try #require(response.headers[.requestID])
        #expect(response.text.contains("x-request-id: \(id)"))
        #expect(response.text.contains("traceparent: 00-"))
    }

    @Test func `a failure that a handler lets through is the other server's fault`() async throws {
        let server = try await Self.echo()
        let url = server.url("/nest")
        try await server.stop()
        let http = HTTPClient()
        let client = TestClient(
            try Application { routes in routes.get(Path("/")) { _ in try await http.get(url).text } })
        #expect(try await client.get("/").status == .badGateway)
    }

    @Test func `a closure answers for the network`() async throws {
        let http = HTTPClient { request in try .init(.created, json: [request.url, request.method.rawValue]) }
        let response = try await http.post("https://nests.example/new", json: ["tree": "oak"])
        #expect(try response.json([String].self) == ["https://nests.example/new", "POST"])
    }
}
