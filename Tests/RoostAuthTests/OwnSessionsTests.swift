import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostAuth

@Suite("One's own sessions and password", .quietLog, .timeLimit(.minutes(5)))
struct OwnSessionsTests {
    private static func sessions(_ client: TestClient) async throws -> [String] {
        try await client.get("/sessions").json([String].self)
    }

    @Test(arguments: Keeping.allCases)
    func `sessions are listed with their devices, and can be ended one by one`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (phone, desktop) = (site.visitor(), site.visitor())
        _ = try await site.signIn(
            phone, headers: [.userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"])
        site.time.pass(60)
        _ = try await site.signIn(desktop, headers: [.userAgent: "curl/8.5.0"])
        let list = try await Self.sessions(desktop)
        #expect(list.map { $0.dropFirst(17) } == ["curl", "Safari on iPhone"])
        let id = String(try #require(list.last).prefix(16))
        #expect(try await desktop.post("/sessions/\(id)/end").status == .noContent)
        #expect(try await phone.get("/me").status == .unauthorized)
        #expect(try await desktop.post("/sessions/\(id)/end").status == .notFound)
        #expect(try await Self.sessions(desktop).count == 1)
        let own = String(try #require(list.first).prefix(16))
        #expect(try await desktop.post("/sessions/\(own)/end").status == .noContent)
        #expect(desktop.cookie("session") == nil)
        #expect(try await site.events().suffix(2) == ["session ended", "session ended"])
    }

    /// Before a combining character, the last letter of a mark is no character of its own.
    @Test(arguments: [
        ("Mozilla/\u{301}5.0 (X11; Linux\u{301} x86_64) Firefox/\u{301}", "Firefox on Linux"),
        ("Mozilla/5.0 " + String(repeating: "\u{1F1E6}", count: 7000) + " Firefox/1.0", "A browser"),
    ])
    func `a device is named by the first bytes of its field, however long that is`(field: String, name: String)
        async throws
    {
        let site = try await AuthSite()
        let visitor = site.visitor()
        _ = try await site.signIn(visitor, headers: [.userAgent: field])
        #expect(try await Self.sessions(visitor).map { $0.dropFirst(17) } == [name[...]])
    }

    /// Somebody who is told of a session looks for it at once.
    @Test func `a session is there when the audit log gets it, at sign-in and with a new password`() async throws {
        let sessions = MemorySessionStore()
        let audit = LookingAuditLog(sessions: sessions)
        let auth = Auth(
            accounts: MemoryAccounts(), sessions: sessions, passwords: Passwords(CountingFunction()), audit: audit,
            key: .random(), isHTTPS: false)
        try await auth.addAccount(email: AuthSite.ann, password: AuthSite.password)
        let client = TestClient(
            try Application(middleware: [Sessions(sessions, isHTTPS: false)]) { AuthSite.declare($0, auth) })
        for _ in 1...2 {
            _ = try await client.post("/login", form: ["email": AuthSite.ann, "password": AuthSite.password])
        }
        _ = try await TestClient(client.application)
            .post("/login", form: ["email": AuthSite.ann, "password": AuthSite.password])
        let passwords: Form = ["current": AuthSite.password, "new": "battery staple"]
        #expect(try await client.post("/password", form: passwords).status == .noContent)
        #expect(
            audit.found.withLock { $0 }
                == ["session started 1", "session renewed 1", "session started 2", "session renewed 1"])
    }

    @Test(arguments: Keeping.allCases)
    func `nobody sees or ends another account's sessions`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        try await site.auth.addAccount(email: "eve@example.com", password: "battery staple")
        let ann = try await site.member()
        let id = String(try #require(try await Self.sessions(ann).first).prefix(16))
        let eve = site.visitor()
        _ = try await site.signIn(eve, email: "eve@example.com", password: "battery staple")
        #expect(try await Self.sessions(eve).count == 1)
        for id in [id, "", "%", "________________", String(repeating: "0", count: 16)] where !id.isEmpty {
            let path = "/sessions/\(id == "%" ? "%25" : id)/end"
            #expect(try await eve.post(path).status == .notFound)
        }
        _ = try await eve.post("/sessions/end")
        #expect(try await ann.get("/me").status == .ok)
        #expect(try await eve.get("/me").status == .unauthorized)
    }

    @Test(arguments: Keeping.allCases)
    func `signing out everywhere ends one's own session, too`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (one, other) = (try await site.member(), try await site.member())
        let token = try #require(one.cookie("session"))
        #expect(try await one.post("/sessions/end").status == .noContent)
        #expect(one.cookie("session") == nil)
        #expect(try await other.get("/me").status == .unauthorized)
        #expect(try await one.get("/me", headers: [.cookie: "session=\(token)"]).status == .unauthorized)
    }

    @Test(arguments: Keeping.allCases)
    func `a session ends when it is idle, and when it is old`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (idle, busy) = (try await site.member(), try await site.member())
        for _ in 0..<16 {
            site.time.pass(1799)
            #expect(try await busy.get("/me").status == .ok)
            await site.settle()
        }
        #expect(try await idle.get("/me").status == .unauthorized)
        #expect(try await Self.sessions(busy).count == 1)
        site.time.pass(16)
        #expect(try await busy.get("/me").status == .unauthorized)
    }

    @Test(arguments: Keeping.allCases)
    func `changing the password ends all other sessions, and renews one's own`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (one, other) = (try await site.member(), try await site.member())
        let token = try #require(one.cookie("session"))
        for (current, new, pointer) in [
            ("wrong", "battery staple", "/current"), (AuthSite.password, "short", "/new"),
            (AuthSite.password, "password1", "/new"),
        ] {
            let refused = try await one.post("/password", json: ["current": current, "new": new])
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("#\(pointer)\""))
        }
        #expect(try await other.get("/me").status == .ok)
        let done = try await one.post("/password", json: ["current": AuthSite.password, "new": "battery staple"])
        #expect(done.status == .noContent)
        #expect(try await one.get("/me").status == .ok)
        #expect(one.cookie("session") != token)
        #expect(try await one.get("/me", headers: [.cookie: "session=\(token)"]).status == .unauthorized)
        #expect(try await other.get("/me").status == .unauthorized)
        #expect(try await site.signIn(site.visitor()).status == .unauthorized)
        #expect(try await site.signIn(site.visitor(), password: "battery staple").status == .seeOther)
        #expect(try await site.events().contains("password change refused"))
    }

    @Test(arguments: Keeping.allCases)
    func `of one's own events there are as many as are asked for, and none for a negative number`(keeping: Keeping)
        async throws
    {
        let client = try await AuthSite(keeping).member()
        for (limit, count) in [(1, "1"), (0, "0"), (-1, "0")] {
            #expect(try await client.get("/events/\(limit)").text == count)
        }
    }

    @Test func `guessing the current password is slowed down, too`() async throws {
        let site = try await AuthSite()
        let client = try await site.member()
        // Without the device's cookie, as somebody who has only taken the session.
        let cookie = "session=\(try #require(client.cookie("session")))"
        for _ in 0..<5 {
            let refused = try await client.post(
                "/password", json: ["current": "wrong", "new": "battery staple"], headers: [.cookie: cookie])
            #expect(refused.status == .unprocessableContent)
        }
        let slow = try await client.post(
            "/password", json: ["current": AuthSite.password, "new": "battery staple"], headers: [.cookie: cookie])
        #expect(slow.status == .tooManyRequests)
        #expect(slow.headers[.retryAfter] == "1")
    }
}

/// A shop with sessions of its own, for what visitors look at, inside a site with accounts.
@Suite("Sessions of a part inside those of the accounts", .quietLog, .timeLimit(.minutes(5)))
struct InnerSessionsTests {
    private static func client(_ auth: Auth, _ accounts: any SessionStore) throws -> TestClient {
        let outer = Sessions(accounts, isHTTPS: false)
        let inner = Sessions(MemorySessionStore(), isHTTPS: false, cookieName: "visits", path: "/shop")
        let middleware: [any Middleware] = [ErrorPages(logger: .current, explains: false), outer]
        return TestClient(
            try Application(logger: .current, middleware: middleware) { routes in
                AuthSite.declare(routes, auth)
                routes.group(Path("/shop"), middleware: [inner]) { AuthSite.declare($0, auth) }
            })
    }

    /// A client in which Ann has signed in, and has put something into the shop's cart.
    private static func member(_ auth: Auth) async throws -> TestClient {
        let client = try client(auth, auth.sessions)
        let form: Form = ["email": AuthSite.ann, "password": AuthSite.password]
        #expect(try await client.post("/login", form: form).status == .seeOther)
        #expect(try await client.get("/shop/me").text == AuthSite.ann)
        _ = try await client.get("/shop/cart/lamp")
        #expect(try await client.get("/shop/me").text == AuthSite.ann)
        return client
    }

    @Test(arguments: ["logout", "sessions/end"])
    func `whoever signs out in the part is signed out of the whole site, and keeps the cart`(path: String) async throws
    {
        let client = try await Self.member(AuthSite().auth)
        #expect(try await client.post("/shop/\(path)").status == .noContent)
        #expect(client.cookie("session") == nil)
        for path in ["/me", "/shop/me"] { #expect(try await client.get(path).status == .unauthorized) }
        #expect(try await client.get("/shop/cart").text == "lamp")
    }

    @Test func `a password that is changed in the part renews the session of the account`() async throws {
        let auth = try await AuthSite().auth
        let client = try await Self.member(auth)
        let (token, visit) = (client.cookie("session"), client.cookie("visits"))
        #expect(visit != nil)
        let input = ["current": AuthSite.password, "new": "battery staple"]
        #expect(try await client.post("/shop/password", json: input).status == .noContent)
        #expect(client.cookie("session") != token)
        #expect(client.cookie("visits") == visit)
        for path in ["/me", "/shop/me"] { #expect(try await client.get(path).text == AuthSite.ann) }
        let id = try #require(try await auth.sessions.sessions(of: "1").first?.id)
        #expect(try await client.post("/shop/sessions/\(id)/end").status == .noContent)
        #expect(client.cookie("session") == nil)
        #expect(try await client.get("/shop/cart").text == "lamp")
    }

    /// A store that is down.
    private struct Down: SessionStore {
        private struct Outage: Error {}

        func values(for token: String) throws -> [String: String]? { throw Outage() }
        func save(_ values: [String: String], for token: String) throws { throw Outage() }
        func update(_ values: [String: String], for token: String) throws { throw Outage() }
        func remove(_ token: String) throws { throw Outage() }
    }

    @Test func `signing out in the part takes the account's cookie away, even if its store fails`() async throws {
        let client = try await Self.client(AuthSite().auth, Down())
        _ = try await client.get("/shop/cart/lamp")
        let visit = try #require(client.cookie("visits"))
        let token = String(repeating: "0a", count: 16)
        let response = try await client.post(
            "/shop/logout", headers: [.cookie: "session=\(token); visits=\(visit)"])
        #expect(response.status == .internalServerError)
        let cookies = response.headers[values: .setCookie]
        #expect(cookies.count == 1 && cookies[0].hasPrefix("session=;") && cookies[0].contains("Max-Age=0"))
    }
}

/// Notes how many sessions an account has when an event of one comes.
private final class LookingAuditLog: AuditLog {
    private let log = MemoryAuditLog()
    private let sessions: MemorySessionStore
    let found = Mutex<[String]>([])

    init(sessions: MemorySessionStore) { self.sessions = sessions }

    func record(_ event: AuditEvent) async throws {
        log.record(event)
        guard [.sessionStarted, .sessionRenewed].contains(event.kind), let account = event.account else { return }
        let count = sessions.sessions(of: "\(account)").count
        found.withLock { $0.append("\(event.kind.rawValue) \(count)") }
    }

    func events(of account: Int, limit: Int) async throws -> [AuditEvent] {
        log.events(of: account, limit: limit)
    }
}
