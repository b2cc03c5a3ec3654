import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostAuth

@Suite("Signing in", .quietLog, .timeLimit(.minutes(5)))
struct SignInTests {
    @Test(arguments: Keeping.allCases)
    func `the right password begins a session, under a new token each time`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = try await site.member()
        #expect(try await client.get("/me").text == "Ann@example.com")
        let first = try #require(client.cookie("session"))
        #expect(try await site.signIn(client, email: " ann@EXAMPLE.com ").status == .seeOther)
        let second = try #require(client.cookie("session"))
        #expect(first != second)
        #expect(try await client.get("/me", headers: [.cookie: "session=\(first)"]).status == .unauthorized)
        #expect(try await client.get("/me").headers[.cacheControl] == "no-store")
        #expect(
            try await site.events() == [
                "account added", "sign-in ok", "session started", "sign-in ok", "session renewed",
            ])
    }

    @Test func `a token planted before signing in is worthless afterwards, but what the visitor gathered stays`()
        async throws
    {
        let site = try await AuthSite()
        let client = site.visitor()
        _ = try await client.get("/cart/nest")
        let planted = try #require(client.cookie("session"))
        _ = try await site.signIn(client)
        #expect(client.cookie("session") != planted)
        #expect(try await client.get("/cart").text == "nest")
        #expect(try await client.get("/cart", headers: [.cookie: "session=\(planted)"]).text == "empty")
    }

    @Test func `what another account had in its session is not handed on`() async throws {
        let site = try await AuthSite()
        try await site.auth.addAccount(email: "bob@example.com", password: "battery staple")
        let client = try await site.member()
        _ = try await client.get("/cart/nest")
        _ = try await site.signIn(client, email: "bob@example.com", password: "battery staple")
        #expect(try await client.get("/me").text == "bob@example.com")
        #expect(try await client.get("/cart").text == "empty")
    }

    /// Counts of work, not clocks: one comparison each, with hashes of the same parameters.
    @Test(arguments: Keeping.allCases)
    func `unknown, wrong and disabled look the same, and are the same work`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        try await site.auth.addAccount(email: "off@example.com", password: "battery staple")
        try await site.auth.setDisabled(true, email: "off@example.com")
        let before = site.function.comparisons.count
        var responses: [String] = []
        for (email, password) in [
            ("nobody@example.com", "battery staple"), (AuthSite.ann, "battery staple"),
            ("off@example.com", "battery staple"), ("off@example.com", "wrong"), ("no address\u{0}", "x"),
        ] {
            let response = try await site.signIn(site.visitor(), email: email, password: password)
            #expect(response.status == .unauthorized)
            #expect(response.headers[.setCookie] == nil)
            responses.append(response.text)
        }
        #expect(Set(responses).count == 1)
        #expect(responses.first?.contains("Invalid email or password") == true)
        #expect(site.function.comparisons.count == before + 5)
        #expect(Set(site.function.comparisons).count == 1)
        #expect(site.function.hashes == 2)
    }

    @Test(arguments: Keeping.allCases)
    func `a stored hash with old parameters is replaced`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let stored = try await site.auth.accounts.account(id: 1)
        let strong = Auth(
            accounts: site.auth.accounts, sessions: site.auth.sessions,
            passwords: Passwords(CountingFunction(memory: 32, passes: 3)), key: .random(), isHTTPS: false)
        let application = try Application(middleware: [Sessions(strong.sessions, isHTTPS: false)]) { routes in
            routes.get(Path("/")) { request in
                try await strong.signIn(email: AuthSite.ann, password: AuthSite.password, request).account.email
            }
        }
        #expect(try await TestClient(application).get("/").text == AuthSite.ann)
        let new = try await site.auth.accounts.account(id: 1)
        #expect(new?.passwordHash != stored?.passwordHash)
        #expect(new?.passwordHash.hasPrefix("$argon2id$v=19$m=32,t=3,p=1$") == true)
        #expect(try await TestClient(application).get("/").text == AuthSite.ann)
        #expect(try await site.auth.accounts.account(id: 1) == new)
    }

    @Test(arguments: Keeping.allCases)
    func `signing out ends the session on the server`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = try await site.member()
        let token = try #require(client.cookie("session"))
        _ = try await client.post("/logout")
        #expect(client.cookie("session") == nil)
        #expect(try await client.get("/me", headers: [.cookie: "session=\(token)"]).status == .unauthorized)
        #expect(try await site.events().last == "signed out")
    }

    @Test(arguments: Keeping.allCases)
    func `a disabled account's sessions end`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let client = try await site.member()
        try await site.auth.setDisabled(true, email: AuthSite.ann)
        #expect(try await client.get("/me").status == .unauthorized)
        #expect(try await site.signIn(client).status == .unauthorized)
        try await site.auth.setDisabled(false, email: AuthSite.ann)
        #expect(try await site.signIn(client).status == .seeOther)
    }

    @Test(arguments: Keeping.allCases)
    func `a request that has signed in goes with its response, with its password`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let witnesses = Witnesses()
        let middleware: [any Middleware] = [witnesses, Sessions(site.auth.sessions, isHTTPS: false)]
        let application = try Application(logger: .current, middleware: middleware) { AuthSite.declare($0, site.auth) }
        let client = TestClient(application, host: "localhost")
        #expect(try await site.signIn(client).status == .seeOther)
        #expect(try await client.get("/me").text == "Ann@example.com")
        #expect(witnesses.count == 2)
        while witnesses.isAnyLeft {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func `nothing that is kept or logged has a password or a token`() async throws {
        let log = LogLines()
        let site = try await withLogger(log.logger) { _ in try await AuthSite() }
        let client = try await site.member()
        _ = try await site.signIn(site.visitor(), password: "a secret typed wrongly")
        _ = try await site.signIn(site.visitor(), email: "a secret in the wrong field", password: "x")
        let token = try #require(client.cookie("session"))
        let text = "\(try await site.auth.audit.events(of: 1, limit: 100))" + log.all.joined()
        for secret in [AuthSite.password, "a secret", token] { #expect(text.firstRange(of: secret) == nil) }
    }
}

/// Gives each request a value that it alone keeps, and knows whether one is left.
private final class Witnesses: Filter {
    private final class Witness: RequestKey, Sendable { typealias Value = Witness }

    private struct Reference: Sendable { weak var witness: Witness? }

    private let references = Mutex<[Reference]>([])

    var count: Int { references.withLock { $0.count } }
    var isAnyLeft: Bool { references.withLock { $0.contains { $0.witness != nil } } }

    func before(_ request: inout Request) throws -> Response? {
        let witness = Witness()
        request[Witness.self] = witness
        references.withLock { $0.append(Reference(witness: witness)) }
        return nil
    }
}
