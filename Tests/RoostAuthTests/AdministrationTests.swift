import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("What an application does with accounts", .quietLog, .timeLimit(.minutes(5)))
struct AdministrationTests {
    /// A browser at a site that has routes of its own beside those of the other tests.
    private static func client(
        _ site: AuthSite, _ route: @escaping @Sendable (Request) async throws -> Response
    ) throws -> TestClient {
        let auth = site.auth
        let middleware: [any Middleware] = [
            ErrorPages(logger: .current, explains: false), Sessions(auth.sessions, isHTTPS: false),
        ]
        let application = try Application(logger: .current, middleware: middleware) { routes in
            AuthSite.declare(routes, auth)
            routes.post(Path("/own"), use: route)
        }
        return TestClient(application)
    }

    @Test func `what a request asks for is kept with its client's address`() async throws {
        let site = try await AuthSite()
        let auth = site.auth
        let client = try Self.client(site) { request in
            let (_, token) = try await auth.makeToken(email: AuthSite.ann, name: "x", scopes: [], request)
            _ = try await auth.revokeToken(token.id, of: token.account, request)
            try await auth.setRoles(["admin"], email: AuthSite.ann, request)
            try await auth.setPassword("battery staple", email: AuthSite.ann, request)
            for isDisabled in [true, false] { try await auth.setDisabled(isDisabled, email: AuthSite.ann, request) }
            return Response(.noContent)
        }
        #expect(try await client.post("/own").status == .noContent)
        try await auth.setRoles([], email: AuthSite.ann)
        let events = try await auth.audit.events(of: 1, limit: 7)
        let kinds: [AuditEvent.Kind] = [
            .rolesChanged, .accountEnabled, .accountDisabled, .passwordChanged, .rolesChanged, .tokenRevoked,
            .tokenMade,
        ]
        #expect(events.map(\.kind) == kinds)
        #expect(events.map(\.address) == [nil] + Array(repeating: "127.0.0.1", count: 6))
    }

    @Test(arguments: [Keeping.memory, .sqlite])
    func `an application signs somebody in whom it knows without a password`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let auth = site.auth
        let account = try await auth.existing(AuthSite.ann)
        let client = try Self.client(site) { request in
            try await auth.signIn(account, request).response(Response(.noContent))
        }
        #expect(try await client.post("/own").status == .noContent)
        #expect(try await client.get("/me").text == AuthSite.ann)
        #expect(client.cookie("device") != nil)
        #expect(try await site.events().suffix(2) == [AuditEvent.Kind.signedIn, .sessionStarted].map(\.rawValue))
        // What the application knows of the account may be old.
        try await auth.setDisabled(true, email: AuthSite.ann)
        let refused = try await client.post("/own")
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains("Sign in first."))
        #expect(refused.headers[.wwwAuthenticate] == "Cookie realm=\"Roost\", form-action=\"/login\"")
        #expect(try await client.get("/me").status == .unauthorized)
    }

    @Test func `an account that is gone signs nobody in`() async throws {
        let site = try await AuthSite()
        let auth = site.auth
        let client = try Self.client(site) { request in
            try await auth.signIn(Account(id: 99, email: "eve@example.com"), request).response(Response(.noContent))
        }
        #expect(try await client.post("/own").status == .unauthorized)
        #expect(try await client.get("/me").status == .unauthorized)
    }

    /// As docs/sign-in.md tells to delete it.
    @Test(arguments: Keeping.allCases.filter { $0 != .memory })
    func `an account that is disabled and then deleted leaves nobody signed in, and no rows`(keeping: Keeping)
        async throws
    {
        let site = try await AuthSite(keeping)
        let database = try #require(site.database)
        let client = try Self.client(site) { request in
            try await request.currentUser == nil ? Response(.unauthorized) : Response(.noContent)
        }
        _ = try await site.signIn(client)
        #expect(try await client.post("/own").status == .noContent)
        _ = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: [])
        try await site.auth.setDisabled(true, email: AuthSite.ann)
        try await database.transaction { transaction in
            try await transaction.execute("DELETE FROM accounts WHERE id = 1")
            try await transaction.execute("DELETE FROM api_tokens WHERE account = 1")
            try await transaction.execute("DELETE FROM audit_log WHERE account = 1")
        }
        #expect(try await client.post("/own").status == .unauthorized)
        #expect(try await site.auth.tokens.tokens(of: nil).isEmpty)
        #expect(try await site.events().isEmpty)
    }

    @Test(arguments: Keeping.allCases)
    func `a token is revoked only if it is of the account that is named`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let bob = try await site.auth.addAccount(email: "bob@example.com", password: AuthSite.password)
        let (text, token) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        let headers: Headers = [.authorization: "Bearer \(text)"]
        #expect(try await !site.auth.revokeToken(token.id, of: bob.id))
        #expect(try await site.visitor().post("/nests", headers: headers).text == AuthSite.ann)
        #expect(try await site.auth.revokeToken(token.id, of: token.account))
        #expect(try await !site.auth.revokeToken(token.id, of: token.account))
        #expect(try await site.visitor().post("/nests", headers: headers).status == .unauthorized)
    }

    @Test func `with passwords and limits of one's own, everything else is in the database`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        let (key, time) = (SigningKey.random(), Time())
        var limits = ThrottleLimits()
        limits.failuresPerAccountAndAddress = 1
        let instances = (0..<2).map { _ in
            time { [limits] in
                Auth(
                    database, key: key, isHTTPS: false, passwords: Passwords(CountingFunction()), limits: limits,
                    tokenPrefix: "nest")
            }
        }
        try await instances[0].addAccount(email: AuthSite.ann, password: AuthSite.password)
        let (text, _) = try await instances[0].makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:read"])
        #expect(text.hasPrefix("nest_"))
        #expect(try await instances[1].use(text)?.0.scopes == ["nests:read"])
        #expect(try await instances[1].audit.events(of: 1, limit: 9).map(\.kind) == [.tokenMade, .accountAdded])
        let request = try Request(.post, "/login")
        let email = EmailAddress(trimming: "bob@example.com")
        #expect(try await instances[0].begin(email, nil, nil, request) != nil)
        let slow = await #expect(throws: HTTPError.self) { _ = try await instances[1].begin(email, nil, nil, request) }
        #expect(slow?.status == .tooManyRequests)
        await instances[1].reports.settle()
    }
}
