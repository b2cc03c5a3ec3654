import Roost
import RoostTesting
import Testing

/// Requests that a trusted proxy passes on.
@Suite("Behind a trusted proxy", .timeLimit(.minutes(5)))
struct TrustedProxyTests {
    private let log = LogLines()

    private func client(
        peer: PeerAddress = .loopback, trusting: TrustedProxies? = TrustedProxies("loopback"), streams: Int = 1000,
        middleware: [any Middleware] = []
    ) throws -> TestClient {
        var configuration = ServerConfiguration()
        if let trusting { configuration.trustedProxies = trusting }
        configuration.maximumEventStreamsPerAddress = streams
        let standard = Application.standardMiddleware(logger: log.logger)
        let application = try Application(
            configuration: configuration, logger: log.logger, middleware: standard + middleware
        ) { routes in
            routes.get(Path("/who")) { request in
                let client = request.clientAddress?.description ?? "nobody"
                return "\(client) \(request.scheme)://\(request.authority) \(request.peer)"
            }
            routes.post(Path("/change")) { _ in "changed" }
            routes.events(Path("/events")) { _, events in
                try await events.send(ServerSentEvent("1"))
                try await EventLoop.current?.sleep(for: .seconds(3600))
            }
        }
        return TestClient(application, host: "inner:3000", peer: peer)
    }

    private static let fields = headers([
        "X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.com",
    ])

    private static func headers(_ fields: KeyValuePairs<String, String>) -> Headers {
        var headers: Headers = [:]
        for (name, value) in fields { HTTPField.Name(name).map { headers[$0] = value } }
        return headers
    }

    @Test func `its client, scheme and host are the request's`() async throws {
        let response = try await client().get("/who", headers: Self.fields)
        #expect(response.text == "192.0.2.7 https://example.com 127.0.0.1:50000")
        #expect(response.headers[.strictTransportSecurity] != nil)
        #expect(log.all.contains { $0.hasPrefix("192.0.2.7 GET /who 200") }, "\(log.all)")
    }

    @Test func `from anybody else these fields mean nothing`() async throws {
        let elsewhere = PeerAddress.tcp(try #require(IPAddress("203.0.113.9")), port: 7)
        for client in [try client(peer: elsewhere), try client(peer: elsewhere, trusting: nil)] {
            let response = try await client.get("/who", headers: Self.fields)
            #expect(response.text == "203.0.113.9 http://inner:3000 203.0.113.9:7")
            #expect(response.headers[.strictTransportSecurity] == nil)
        }
        #expect(log.all.contains { $0.hasPrefix("203.0.113.9 GET /who 200") }, "\(log.all)")
        #expect(try await client(trusting: nil).get("/who", headers: Self.fields).text.hasPrefix("127.0.0.1 http://i"))
    }

    @Test func `a page of the host that the client asked for may send forms`() async throws {
        var headers = Self.fields
        headers[.origin] = "https://example.com"
        #expect(try await client().post("/change", headers: headers).status == .ok)
        #expect(try await client(trusting: nil).post("/change", headers: headers).status == .forbidden)
    }

    @Test(arguments: [("https", .forbidden), ("http", .ok), (nil, .ok)] as [(String?, HTTPResponse.Status)])
    func `a page of the same host over HTTP is another site's, where the client uses HTTPS`(
        scheme: String?, status: HTTPResponse.Status
    ) async throws {
        var headers = Self.fields
        headers["X-Forwarded-Proto"] = scheme
        headers[.origin] = "http://example.com"
        #expect(try await client().post("/change", headers: headers).status == status)
    }

    @Test(arguments: ["7f3a.b-c_D", "a", String(repeating: "a", count: 64)])
    func `an id that the proxy has given is kept`(id: String) async throws {
        let response = try await client().get("/who", headers: [.requestID: id])
        #expect(response.headers[values: .requestID] == [id])
        #expect(log.all.contains { $0.hasSuffix(" \(id)") }, "\(log.all)")
        #expect(try await client(trusting: nil).get("/who", headers: [.requestID: id]).headers[.requestID] != id)
    }

    @Test(arguments: ["", "a b", "a\"", "ä", "<b>", "a/b", String(repeating: "a", count: 65)])
    func `an id of other characters, or a longer one, is replaced`(id: String) async throws {
        let response = try await client().get("/who", headers: [.requestID: id])
        #expect(response.headers[values: .requestID].map(\.utf8.count) == [13])
    }

    @Test func `a session's cookie is secure when the client uses HTTPS`() async throws {
        let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let application = try Application(configuration: configuration, middleware: [sessions]) { routes in
            routes.get(Path("/")) { request in
                try await request.session["a"] = "1"
                return "set"
            }
        }
        let client = TestClient(application)
        let cookie = try await client.get("/", headers: Self.fields).headers[.setCookie]
        #expect(cookie?.hasPrefix("__Host-session=") == true && cookie?.contains("; Secure") == true, "\(cookie ?? "")")
        let plain = Self.headers(["X-Forwarded-For": "192.0.2.7"])
        #expect(try await TestClient(application).get("/", headers: plain).headers[.setCookie] == nil)
    }

    @Test(arguments: ["Forwarded", "X-Forwarded-Proto"])
    func `its word that the client uses plain HTTP counts more than the site's settings`(field: String) async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let middleware: [any Middleware] = [
            SecurityHeaders(isHTTPS: true), Flash(key: .random(), isHTTPS: true),
            Sessions(MemorySessionStore(), isHTTPS: true),
        ]
        let application = try Application(configuration: configuration, middleware: middleware) { routes in
            routes.get(Path("/")) { request in
                try request.flash("hello")
                try await request.session["a"] = "1"
                return "set"
            }
        }
        let plain = Self.headers([field: field == "Forwarded" ? "for=192.0.2.7;proto=http" : "http"])
        let response = try await TestClient(application).get("/", headers: plain)
        #expect(response.headers[.strictTransportSecurity] == nil)
        #expect(response.headers[values: .setCookie].isEmpty)
        // It says nothing of the scheme.
        let silent = try await TestClient(application).get("/", headers: Self.headers(["X-Forwarded-For": "192.0.2.7"]))
        #expect(silent.headers[.strictTransportSecurity] != nil)
        #expect(silent.headers[values: .setCookie].allSatisfy { $0.hasPrefix("__Host-") && $0.contains("; Secure") })
        #expect(silent.headers[values: .setCookie].count == 2)
    }

    @Test func `each of its clients has its own number of event streams`() async throws {
        let client = try client(streams: 1)
        let connections = try await [client.connect(), client.connect(), client.connect()]
        var statuses: [String] = []
        for (connection, address) in zip(connections, ["192.0.2.1", "192.0.2.2", "192.0.2.1"]) {
            try await connection.send(.get, "/events", headers: Self.headers(["X-Forwarded-For": address]))
            statuses.append(String(decoding: try await connection.receive().prefix(12), as: UTF8.self))
        }
        #expect(statuses == ["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 503"])
        for connection in connections { connection.close() }
    }
}
