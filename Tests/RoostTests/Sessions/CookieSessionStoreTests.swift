import Roost
import RoostTesting
import Testing

@Suite("Sessions in signed cookies", .timeLimit(.minutes(5)))
struct CookieSessionStoreTests {
    private let clock = TestClock()

    private func client(_ key: SigningKey = .random()) throws -> TestClient {
        let store = withClock(clock) {
            CookieSessionStore(key: key, idleTimeout: .seconds(1800), lifetime: .seconds(7200))
        }
        return try TestClient(middleware: [Sessions(store, isHTTPS: false)]) { routes in
            routes.get(Path("/get/{name}", String.self)) { request, name in try await request.session[name] ?? "none" }
            routes.get(Path("/set/{name}/{value}", String.self, String.self)) { request, name, value in
                try await request.session[name] = value
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
        }
    }

    @Test func `the values go with the browser, and come back unchanged`() async throws {
        let client = try client()
        _ = try await client.get("/set/a/1%20%26=%22%C3%A9")
        _ = try await client.get("/set/a/1%20%26=%22e%CC%81")
        #expect(try await client.get("/get/a").text.utf8.elementsEqual("1 &=\"e\u{301}".utf8))
        _ = try await client.get("/set/b/2")
        #expect(try await client.get("/get/a").text == "1 &=\"e\u{301}")
        let cookie = client.cookie("session")
        #expect(try await client.get("/get/b").headers[.setCookie] == nil)
        #expect(client.cookie("session") == cookie)
        _ = try await client.get("/renew")
        #expect(try await client.get("/get/b").text == "2")
        _ = try await client.get("/end")
        #expect(client.cookie("session") == nil)
        #expect(try await client.get("/get/a").text == "none")
    }

    @Test func `a cookie of another key, or one that was changed, is worthless`() async throws {
        let client = try client()
        _ = try await client.get("/set/a/1")
        let cookie = try #require(client.cookie("session"))
        #expect(try await self.client().get("/get/a", headers: [.cookie: "session=\(cookie)"]).text == "none")
        for changed in ["x" + cookie.dropFirst(), String(cookie.dropLast()), cookie + "a", "a.b", "."] {
            #expect(try await client.get("/get/a", headers: [.cookie: "session=\(changed)"]).text == "none")
        }
    }

    @Test func `it ends when it is idle, and when it is old; its use is noted once a minute`() async throws {
        let client = try client()
        _ = try await client.get("/set/a/1")
        let first = try #require(client.cookie("session"))
        clock.advance(by: .seconds(59))
        #expect(try await client.get("/get/a").headers[.setCookie] == nil)
        clock.advance(by: .seconds(1))
        #expect(try await client.get("/get/a").headers[.setCookie] != nil)
        for _ in 0..<4 {
            clock.advance(by: .seconds(1700))
            #expect(try await client.get("/get/a").text == "1")
        }
        #expect(try await client.get("/get/a", headers: [.cookie: "session=\(first)"]).text == "none")
        clock.advance(by: .seconds(340))
        #expect(try await client.get("/get/a").text == "none")
    }

    @Test(arguments: [4, 40, 60])
    func `a session that is used all the time goes on, however short its idle timeout is`(seconds: Int) {
        let store = withClock(clock) { CookieSessionStore(key: .random(), idleTimeout: .seconds(seconds)) }
        var cookie = store.cookieValue(of: ["a": "1"], for: "")
        for _ in 0..<10 {
            clock.advance(by: .seconds(seconds / 4))
            #expect(store.values(for: cookie) == ["a": "1"])
            cookie = store.cookieValue(of: ["a": "1"], for: cookie)
        }
        clock.advance(by: .seconds(seconds))
        #expect(store.values(for: cookie) == nil)
    }

    @Test func `an old cookie of a session that is used on says that it is alive, until its lifetime is over`() {
        let key = SigningKey.random()
        let store = withClock(clock) { CookieSessionStore(key: key) }
        let cookie = store.cookieValue(of: ["a": "1"], for: "")
        clock.advance(by: .hours(7))
        #expect(store.values(for: cookie) == nil)
        #expect(store.isAlive(cookie))
        #expect(!store.isAlive(cookie + "a"))
        clock.advance(by: .hours(1))
        #expect(!store.isAlive(cookie))
    }

    @Test func `a cookie is accepted under its own name alone`() async throws {
        let key = SigningKey.random()
        let store = CookieSessionStore(key: key)
        let visits = Sessions(store, isHTTPS: false, cookieName: "visits")
        let client = try TestClient(middleware: [Sessions(store, isHTTPS: false)]) { routes in
            routes.get(Path("/set")) { request in
                try await request.session["a"] = "1"
                return "set"
            }
            routes.get(Path("/get")) { request in try await request.session["a"] ?? "none" }
            routes.group(Path("/visits"), middleware: [visits]) { routes in
                routes.get(Path("/set")) { request in
                    try await request.session["a"] = "2"
                    return "set"
                }
                routes.get(Path("/get")) { request in try await request.session["a"] ?? "none" }
            }
        }
        for path in ["/set", "/visits/set"] { _ = try await client.get(path) }
        #expect(try await client.get("/get").text == "1")
        #expect(try await client.get("/visits/get").text == "2")
        let (session, visit) = (try #require(client.cookie("session")), try #require(client.cookie("visits")))
        let other = TestClient(client.application)
        #expect(try await other.get("/get", headers: [.cookie: "session=\(visit)"]).text == "none")
        #expect(try await other.get("/visits/get", headers: [.cookie: "visits=\(session)"]).text == "none")
        #expect(key.text(in: session, for: "session") != nil)
    }

    @Test func `one that began while the clock was ahead ends as if it had begun when it was used`() async throws {
        clock.advance(by: .hours(48))
        let client = try client()
        _ = try await client.get("/set/a/1")
        clock.advance(by: .hours(-48))
        #expect(try await client.get("/get/a").headers[.setCookie] != nil)
        #expect(try await client.get("/get/a").headers[.setCookie] == nil)
        for _ in 0..<4 {
            clock.advance(by: .seconds(1700))
            #expect(try await client.get("/get/a").text == "1")
        }
        clock.advance(by: .seconds(400))
        #expect(try await client.get("/get/a").text == "none")
    }
}
