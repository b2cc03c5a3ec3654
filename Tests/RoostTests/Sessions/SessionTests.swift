import Roost
import RoostTesting
import Testing

@Suite("Sessions", .timeLimit(.minutes(5)))
struct SessionTests {
    private static let items = Path("/set/{name}/{name2}", String.self, String.self)

    private static func client(
        _ store: MemorySessionStore = MemorySessionStore(),
        isHTTPS: Bool = false,
        host: String = "localhost",
        more: (Routes) -> Void = { _ in }
    ) throws -> TestClient {
        try TestClient(host: host, middleware: [Sessions(store, isHTTPS: isHTTPS)]) { routes in
            routes.get(Path("/get/{name}", String.self)) { request, name in try await request.session[name] ?? "none" }
            routes.get(items) { request, name, value in
                try await request.session[name] = value == "nil" ? nil : value
                return "set"
            }
            routes.get(Path("/renew")) { request in
                try await request.session.renew()
                return "renewed"
            }
            routes.get(Path("/end")) { request in
                try await request.session.end()
                return "ended"
            }
            routes.get(Path("/swap")) { request in
                try await request.session.end()
                try await request.session["message"] = "goodbye"
                return "swapped"
            }
            more(routes)
        }
    }

    @Test func `a visitor who only reads gets no cookie, and the response may be cached`() async throws {
        let store = MemorySessionStore()
        let client = try Self.client(store)
        for path in ["/get/a", "/renew", "/end", "/set/a/nil"] {
            let response = try await client.get(path)
            #expect(response.headers[.setCookie] == nil, "\(path)")
            #expect(response.headers[.cacheControl] == nil, "\(path)")
            // …for others without a cookie.
            #expect(response.headers[.vary] == "Cookie", "\(path)")
        }
        #expect(store.count == 0)
    }

    @Test(arguments: [
        (false, "session", ["Path=/", "HttpOnly", "SameSite=Lax"]),
        (true, "__Host-session", ["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]),
    ])
    func `a session begins with a cookie of 128 random bits`(
        isHTTPS: Bool,
        name: String,
        attributes: [String]
    ) async throws {
        let client = try Self.client(isHTTPS: isHTTPS)
        let response = try await client.get("/set/a/1")
        let parts = try #require(response.headers[.setCookie]).split(separator: "; ").map(String.init)
        #expect(Array(parts.dropFirst()) == attributes)
        let token = try #require(client.cookie(name))
        #expect(parts.first == "\(name)=\(token)")
        #expect(token.utf8.count == 32 && token.allSatisfy(\.isHexDigit))
        #expect(response.headers[.cacheControl] == "no-store")
        let later = try await client.get("/get/a")
        #expect(later.text == "1")
        #expect(later.headers[.setCookie] == nil)
        #expect(later.headers[.cacheControl] == "no-store")
        #expect(try await client.get("/set/b/2").headers[.setCookie] == nil)
        #expect(try await client.get("/get/a").text + client.get("/get/b").text == "12")
    }

    @Test func `a token that the server has not issued is worthless`() async throws {
        let store = MemorySessionStore()
        let client = try Self.client(store)
        let planted = String(repeating: "a", count: 32)
        let response = try await client.get("/set/a/1", headers: [.cookie: "session=\(planted)"])
        #expect(response.headers[.setCookie] != nil)
        #expect(store.values(for: planted) == nil)
        #expect(client.cookie("session") != planted)
    }

    @Test func `a renewed session has a new token and the same values`() async throws {
        let store = MemorySessionStore()
        let client = try Self.client(store)
        _ = try await client.get("/set/a/1")
        let old = try #require(client.cookie("session"))
        _ = try await client.get("/renew")
        #expect(client.cookie("session") != old)
        #expect(try await client.get("/get/a").text == "1")
        #expect(store.values(for: old) == nil)
        #expect(store.count == 1)
    }

    @Test func `an ended session is forgotten on both sides`() async throws {
        let store = MemorySessionStore()
        let client = try Self.client(store)
        _ = try await client.get("/set/a/1")
        let old = try #require(client.cookie("session"))
        let response = try await client.get("/end")
        #expect(response.headers[.setCookie]?.contains("Max-Age=0") ?? false)
        #expect(client.cookie("session") == nil)
        #expect(store.count == 0)
        #expect(try await client.get("/get/a", headers: [.cookie: "session=\(old)"]).text == "none")
    }

    @Test func `what is set after the end begins a new session`() async throws {
        let store = MemorySessionStore()
        let client = try Self.client(store)
        _ = try await client.get("/set/a/1")
        let old = try #require(client.cookie("session"))
        _ = try await client.get("/swap")
        #expect(client.cookie("session") != old)
        #expect(store.values(for: old) == nil)
        #expect(try await client.get("/get/a").text == "none")
        #expect(try await client.get("/get/message").text == "goodbye")
    }

    @Test func `values are different when their bytes are`() async throws {
        let client = try Self.client(MemorySessionStore())
        _ = try await client.get("/set/a/%C3%A9")
        _ = try await client.get("/set/a/e%CC%81")
        #expect(try await client.get("/get/a").text.utf8.count == 3)
    }

    @Test func `a request on its way does not bring an ended session back`() async throws {
        let store = MemorySessionStore()
        let (entered, goOn) = (Latch(), Latch())
        let client = try Self.client(store) { routes in
            routes.get(Path("/slow")) { request in
                let session = try await request.session
                entered.open()
                await goOn.wait()
                session["a"] = "back"
                return "slow"
            }
        }
        _ = try await client.get("/set/a/1")
        let token = try #require(client.cookie("session"))
        async let slow = client.get("/slow")
        await entered.wait()
        _ = try await client.get("/end")
        goOn.open()
        #expect(try await slow.text == "slow")
        #expect(store.values(for: token) == nil)
        #expect(store.count == 0)
    }

    @Test(arguments: [
        ("localhost", true),
        ("LocalHost:3000", true),
        ("127.0.0.1", true),
        ("127.255.1.2:80", true),
        ("nest.localhost", true),
        ("nest.LOCALHOST:3000", true),
        ("[::1]", true),
        ("[::1]:3000", true),
        ("localhost.evil.example", false),
        ("evil.localhost.example", false),
        ("127.0.0.1.evil.example", false),
        ("127.0.0.1.5", false),
        ("127.0.0", false),
        ("127.", false),
        ("127.0.0.256", false),
        ("1127.0.0.1", false),
        ("0.0.0.0", false),
        ("192.168.0.1", false),
        ("[::2]", false),
        ("[::1:1]", false),
        ("[::ffff:8.8.8.8]", false),
        ("example.com:127", false),
    ])
    func `over plain HTTP only loopback gets a cookie`(host: String, isLoopback: Bool) async throws {
        let store = MemorySessionStore()
        let response = try await Self.client(store, host: host).get("/set/a/1")
        #expect(response.status == .ok)
        #expect((response.headers[.setCookie] != nil) == isLoopback)
        #expect(store.count == (isLoopback ? 1 : 0))
        #expect(try await Self.client(isHTTPS: true, host: host).get("/set/a/1").headers[.setCookie] != nil)
    }

    @Test(arguments: ["/read", "/write"])
    func `without the middleware asking for a session is an error that says what to do`(path: String) async throws {
        let log = LogLines()
        let client = try TestClient(middleware: [ErrorPages(logger: log.logger)]) { routes in
            routes.get(Path("/read")) { request in try await request.session["a"] ?? "none" }
            routes.get(Path("/write")) { request in
                try await request.session["a"] = "1"
                return "lost"
            }
        }
        let response = try await client.get(path)
        #expect(response.status == .internalServerError)
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("add Sessions(…) to the middleware") == true, "\(log.all)")
    }

    @Test(arguments: [
        (false, "visits=", "Path=/gallery; HttpOnly"), (true, "__Secure-visits=", "Path=/gallery; Secure; HttpOnly"),
    ])
    func `a part of a site can have its own sessions`(isHTTPS: Bool, name: String, attributes: String) async throws {
        let (store, inner) = (MemorySessionStore(), MemorySessionStore())
        let visits = Sessions(inner, isHTTPS: isHTTPS, cookieName: "visits", path: "/gallery")
        let client = try Self.client(store, isHTTPS: isHTTPS) { routes in
            routes.group(Path("/gallery"), middleware: [visits]) { routes in
                routes.get(Path("/set")) { request in
                    try await request.session["a"] = "inside"
                    return "set"
                }
                routes.get(Path("/get")) { request in try await request.session["a"] ?? "none" }
                routes.get(Path("/end")) { request in
                    try await request.session.end()
                    return "ended"
                }
            }
        }
        let cookie = try await client.get("/gallery/set").headers[.setCookie] ?? ""
        #expect(cookie.hasPrefix(name) && cookie.contains(attributes), "\(cookie)")
        _ = try await client.get("/set/a/outside")
        #expect(try await client.get("/gallery/get").text == "inside")
        #expect(try await client.get("/get/a").text == "outside")
        #expect(store.count == 1 && inner.count == 1)
        let end = try await client.get("/gallery/end").headers[.setCookie] ?? ""
        #expect(end.contains("Path=/gallery") && end.contains("Max-Age=0"), "\(end)")
        #expect(try await client.get("/get/a").text == "outside")
        #expect(store.count == 1 && inner.count == 0)
    }

    /// Counts visits in the session that it finds.
    private struct Counting: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            let session = try await request.session
            session["count"] = "\((session["count"].flatMap { Int($0) } ?? 0) + 1)"
            return try await next(request)
        }
    }

    @Test func `one request can change the sessions of the site and those of a part`() async throws {
        let (store, inner) = (MemorySessionStore(), MemorySessionStore())
        let visits = Sessions(inner, isHTTPS: false, cookieName: "visits")
        let middleware: [any Middleware] = [Sessions(store, isHTTPS: false), Counting(), visits]
        let client = try TestClient(middleware: middleware) { routes in
            routes.get(Path("/")) { request in
                let session = try await request.session
                session["last"] = (session["last"] ?? "") + "x"
                return session["last"] ?? "none"
            }
            routes.get(Path("/fail")) { request -> Response in
                try await request.session["last"] = "failed"
                throw HTTPError(.conflict)
            }
        }
        #expect(try await client.get("/").headers[values: .setCookie].count == 2)
        #expect(try await client.get("/").text == "xx")
        #expect(try await client.get("/fail").status == .conflict)
        #expect(try await client.get("/").text == "failedx")
        #expect(store.count == 1 && inner.count == 1)
        let token = try #require(client.cookie("session"))
        #expect(store.values(for: token) == ["count": "4"])
    }
}
