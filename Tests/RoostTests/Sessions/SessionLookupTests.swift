import Roost
import RoostTesting
import Synchronization
import Testing

/// The requests for which the store is asked for a session, and those for which it is not.
@Suite("Looking up a session", .timeLimit(.minutes(5)))
struct SessionLookupTests {
    /// A store that knows one token and counts how often it is asked; or that is down.
    private final class Store: SessionStore {
        private struct Down: Error {}

        let lookups = Atomic(0)
        let isDown = Atomic(false)

        func values(for token: String) async throws -> [String: String]? {
            lookups.add(1, ordering: .relaxed)
            await Task.yield()
            if isDown.load(ordering: .relaxed) { throw Down() }
            return token == SessionLookupTests.token ? ["a": "kept"] : nil
        }

        func save(_ values: [String: String], for token: String) async throws {}
        func update(_ values: [String: String], for token: String) async throws {}
        func remove(_ token: String) async throws {}

        var count: Int { lookups.load(ordering: .relaxed) }
    }

    private static let token = String(repeating: "0a", count: 16)

    private static func client(_ store: Store) throws -> TestClient {
        let log = LogLines()
        let middleware: [any Middleware] = [ErrorPages(logger: log.logger), Sessions(store, isHTTPS: false)]
        return try TestClient(log: log, middleware: middleware) { routes in
            routes.get(Path("/plain")) { _ in "plain" }
            routes.get(Path("/get")) { request in try await request.session["a"] ?? "none" }
            routes.get(Path("/may")) { request in
                let before = request.mayHaveSession
                try await request.session["a"] = "begun"
                return "\(before) \(request.mayHaveSession)"
            }
            routes.get(Path("/asks")) { request in
                Response(headers: [.cacheControl: "max-age=60"], body: Body("\(request.mayHaveSession)"))
            }
            routes.get(Path("/file")) { request in
                _ = request.mayHaveSession
                return try Response.file("/proc/self/comm")
            }
            routes.get(Path("/twice")) { request in
                async let first = request.session
                async let second = request.session
                try await first["a"] = "changed"
                return try await second["a"] ?? "none"
            }
        }
    }

    @Test func `a request that does not ask for its session does not cost the store a look`() async throws {
        let store = Store()
        let client = try Self.client(store)
        for path in ["/plain", "/nowhere"] {
            let response = try await client.get(path, headers: [.cookie: "session=\(Self.token)"])
            #expect(response.headers[.cacheControl] == nil)
        }
        #expect(store.count == 0)
        #expect(try await client.get("/get", headers: [.cookie: "session=\(Self.token)"]).text == "kept")
        #expect(store.count == 1)
    }

    @Test func `a request without a cookie does not either, whatever it asks for`() async throws {
        let store = Store()
        #expect(try await Self.client(store).get("/get").text == "none")
        #expect(store.count == 0)
    }

    @Test func `whether there can be a session is known without a look`() async throws {
        let store = Store()
        let client = try Self.client(store)
        #expect(try await client.get("/may").text == "false true")
        #expect(try await client.get("/may", headers: [.cookie: "session=x"]).text == "false true")
        #expect(store.count == 0)
        #expect(try await client.get("/may", headers: [.cookie: "session=\(Self.token)"]).text == "true true")
    }

    @Test func `a response that depends on whether there can be a session varies by the cookie`() async throws {
        let client = try Self.client(Store())
        let sent: [(Headers, String)] = [
            ([:], "false"), ([.cookie: "session=x"], "false"), ([.cookie: "session=\(Self.token)"], "true"),
        ]
        for (headers, text) in sent {
            let response = try await client.get("/asks", headers: headers)
            #expect(response.text == text)
            #expect(response.headers[.vary] == "Cookie")
            #expect(try await client.get("/plain", headers: headers).headers[.vary] == nil)
        }
    }

    /// Some caches keep it for a time of their own.
    @Test func `a redirect of whoever has no session varies by the cookie, and one that nobody keeps does not`()
        async throws
    {
        let client = try TestClient(middleware: [Sessions(Store(), isHTTPS: false)]) { routes in
            routes.get(Path("/account")) { request in
                request.mayHaveSession ? .text("account") : Response.redirect(to: "/login")
            }
            routes.get(Path("/own")) { request in
                Response(headers: [.cacheControl: "no-store"], body: Body("\(request.mayHaveSession)"))
            }
        }
        #expect(try await client.get("/account").headers[.vary] == "Cookie")
        #expect(try await client.get("/own").headers[.vary] == nil)
    }

    @Test func `a file that depends on whether there can be a session varies by the cookie, too`() async throws {
        let response = try await Self.client(Store()).get("/file")
        #expect(response.status == .ok && response.headers[.vary] == "Cookie")
    }

    @Test func `all who ask in one request have the same session`() async throws {
        let store = Store()
        let response = try await Self.client(store).get("/twice", headers: [.cookie: "session=\(Self.token)"])
        #expect(["kept", "changed"].contains(response.text))
        let plain = try TestClient(middleware: [Sessions(store, isHTTPS: false)]) { routes in
            routes.get(Path("/")) { request in
                let (first, second) = (try await request.session, try await request.session)
                return "\(first === second)"
            }
        }
        let before = store.count
        #expect(try await plain.get("/", headers: [.cookie: "session=\(Self.token)"]).text == "true")
        #expect(store.count == before + 1)
    }

    @Test(arguments: [
        "", "a", String(repeating: "a", count: 31), String(repeating: "a", count: 33),
        String(repeating: "A", count: 32),
        String(repeating: "a", count: 31) + "g", String(repeating: "a", count: 31) + "\u{E9}",
        String(repeating: "0a", count: 15_000), "\"" + String(repeating: "a", count: 30) + "\"",
        "../" + String(repeating: "a", count: 29), String(repeating: "a", count: 31) + "/",
        String(repeating: "a", count: 31) + ":", String(repeating: "a", count: 31) + "`",
    ])
    func `a text without the form of a token is not looked up`(value: String) async throws {
        let store = Store()
        let response = try await Self.client(store).get("/get", headers: [.cookie: "session=\(value)"])
        #expect(response.text == "none")
        #expect(store.count == 0)
    }

    @Test func `while the store is down, requests that need no session work`() async throws {
        let store = Store()
        store.isDown.store(true, ordering: .relaxed)
        let client = try Self.client(store)
        #expect(try await client.get("/plain", headers: [.cookie: "session=\(Self.token)"]).status == .ok)
        #expect(
            try await client.get("/get", headers: [.cookie: "session=\(Self.token)"]).status == .internalServerError)
    }
}
