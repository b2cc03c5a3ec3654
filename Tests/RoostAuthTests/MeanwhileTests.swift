import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostAuth

/// A password takes its time to be hashed, and others do not wait.
@Suite("What happens while a password is compared", .quietLog, .timeLimit(.minutes(5)))
struct MeanwhileTests {
    private static let newPassword = "battery staple"

    /// A site in memory, whose accounts a test can change at once.
    private static func site() async throws -> (AuthSite, MemoryAccounts) {
        let site = try await AuthSite()
        return (site, try #require(site.auth.accounts as? MemoryAccounts))
    }

    @Test func `a password that is changed meanwhile signs nobody in`() async throws {
        let (site, accounts) = try await Self.site()
        let hash = try site.function.hash(Self.newPassword)
        site.function.meanwhile { accounts.setPasswordHash(hash, of: 1) }
        let client = site.visitor()
        let response = try await site.signIn(client)
        #expect(response.status == .unauthorized)
        #expect(response.text.contains("Invalid email or password"))
        #expect(response.headers[.setCookie] == nil)
        #expect(try await site.auth.sessions.sessions(of: "1").isEmpty)
        #expect(try await site.events().last == "sign-in failed")
        #expect(try await site.signIn(client, password: Self.newPassword).status == .seeOther)
    }

    @Test func `an account that is disabled meanwhile is not signed in`() async throws {
        let (site, accounts) = try await Self.site()
        site.function.meanwhile { accounts.setDisabled(true, of: 1) }
        #expect(try await site.signIn(site.visitor()).status == .unauthorized)
        #expect(try await site.auth.sessions.sessions(of: "1").isEmpty)
    }

    @Test func `an old hash is replaced by a stronger one only where it still is`() async throws {
        let (site, accounts) = try await Self.site()
        let old = try Argon2id(memory: 8, passes: 1).hash(AuthSite.password)
        let function = CountingFunction(memory: 16, passes: 2)
        let auth = Auth(
            accounts: accounts, sessions: site.auth.sessions, passwords: Passwords(function), key: .random(),
            isHTTPS: false)
        let client = try Self.client(auth)
        accounts.setPasswordHash(old, of: 1)
        let new = try function.hash(Self.newPassword)
        function.meanwhile { accounts.setPasswordHash(new, of: 1) }
        #expect(try await site.signIn(client).status == .unauthorized)
        #expect(accounts.account(id: 1)?.passwordHash == new)
        // Another sign-in may have been faster to replace it: the password is still right.
        accounts.setPasswordHash(old, of: 1)
        let same = try function.hash(AuthSite.password)
        function.meanwhile { accounts.setPasswordHash(same, of: 1) }
        #expect(try await site.signIn(client).status == .seeOther)
        #expect(accounts.account(id: 1)?.passwordHash == same)
    }

    @Test func `what changes all the time is a wrong password in the end`() async throws {
        let (site, accounts) = try await Self.site()
        let hashes = try (0..<4).map { _ in try site.function.hash(AuthSite.password) }
        let count = Atomic(0)
        @Sendable func change() {
            accounts.setPasswordHash(hashes[count.add(1, ordering: .relaxed).oldValue % 4], of: 1)
            site.function.meanwhile { change() }
        }
        site.function.meanwhile { change() }
        #expect(try await site.signIn(site.visitor()).status == .unauthorized)
        #expect(count.load(ordering: .relaxed) == 3)
    }

    // MARK: Between the comparison and the session

    private static func client(_ auth: Auth) throws -> TestClient {
        let middleware: [any Middleware] = [ErrorPages(explains: false), Sessions(auth.sessions, isHTTPS: false)]
        return TestClient(try Application(middleware: middleware) { AuthSite.declare($0, auth) })
    }

    /// Accounts with Ann's, and sessions.
    private static func parts() async throws -> (Auth, MemoryAccounts, MeanwhileSessions) {
        let (accounts, sessions) = (MemoryAccounts(), MeanwhileSessions())
        let auth = Auth(
            accounts: accounts, sessions: sessions, passwords: Passwords(CountingFunction()), key: .random(),
            isHTTPS: false)
        try await auth.addAccount(email: AuthSite.ann, password: AuthSite.password)
        return (auth, accounts, sessions)
    }

    private static let form: Form = ["email": AuthSite.ann, "password": AuthSite.password]

    @Test(arguments: [true, false])
    func `a session that is stored after all others have ended ends, too`(isDisabled: Bool) async throws {
        let (auth, accounts, sessions) = try await Self.parts()
        // Those who end all sessions have done so before this one was stored.
        sessions.meanwhile {
            if isDisabled { accounts.setDisabled(true, of: 1) } else { accounts.setPasswordHash("other", of: 1) }
        }
        let client = try Self.client(auth)
        let response = try await client.post("/login", form: Self.form)
        #expect(response.status == .unauthorized)
        #expect(response.text.contains("Invalid email or password"))
        #expect(response.headers[.setCookie] == nil)
        #expect(sessions.sessions(of: "1").isEmpty)
    }

    @Test func `changing the password does not bring back the session of a disabled account`() async throws {
        let (auth, accounts, sessions) = try await Self.parts()
        let client = try Self.client(auth)
        #expect(try await client.post("/login", form: Self.form).status == .seeOther)
        sessions.meanwhile { accounts.setDisabled(true, of: 1) }
        let input = ["current": AuthSite.password, "new": Self.newPassword]
        #expect(try await client.post("/password", json: input).status == .unauthorized)
        #expect(sessions.sessions(of: "1").isEmpty)
    }

    @Test func `a password that somebody else has changed meanwhile is not overwritten`() async throws {
        let (site, accounts) = try await Self.site()
        let client = try await site.member()
        let hash = try site.function.hash("chosen by the administrator")
        site.function.meanwhile { accounts.setPasswordHash(hash, of: 1) }
        let response = try await client.post(
            "/password", json: ["current": AuthSite.password, "new": Self.newPassword])
        #expect(response.status == .unprocessableContent)
        #expect(accounts.account(id: 1)?.passwordHash == hash)
    }

    @Test func `a client that goes away does not stop the change of its password half-way`() async throws {
        let (auth, accounts, sessions) = try await Self.parts()
        let change = Mutex<Task<Void, any Error>?>(nil)
        let stopping = StoppingAccounts(accounts) { change.withLock { $0?.cancel() } }
        let own = Auth(
            accounts: stopping, sessions: sessions, passwords: Passwords(CountingFunction()), key: .random(),
            isHTTPS: false)
        let client = TestClient(
            try Application(middleware: [Sessions(sessions, isHTTPS: false)]) { routes in
                AuthSite.declare(routes, auth)
                routes.post(Path("/stopped")) { request -> Response in
                    // Holding the lock keeps the change from going on before it can be cancelled.
                    let task = change.withLock { change in
                        let task = Task {
                            _ = try await own.changePassword(
                                current: AuthSite.password, new: Self.newPassword, request)
                        }
                        change = task
                        return task
                    }
                    _ = await task.result
                    return Response(.noContent)
                }
            })
        _ = try await client.post("/login", form: Self.form)
        let other = try Self.client(auth)
        _ = try await other.post("/login", form: Self.form)
        #expect(sessions.sessions(of: "1").count == 2)
        _ = try await client.post("/stopped")
        #expect(try await other.get("/me").status == .unauthorized)
        #expect(
            try await auth.passwords.compare(Self.newPassword, with: accounts.account(id: 1)?.passwordHash) == .same)
        #expect(try await auth.audit.events(of: 1, limit: 100).contains { $0.kind == .signedIn })
    }
}

extension MeanwhileTests {
    private static let change = ["current": AuthSite.password, "new": newPassword]

    @Test func `a password stays as it was if the sessions cannot be ended, so that its owner can try again`()
        async throws
    {
        let (auth, accounts, sessions) = try await Self.parts()
        let (client, other) = (try Self.client(auth), try Self.client(auth))
        for client in [client, other] { _ = try await client.post("/login", form: Self.form) }
        let hash = accounts.account(id: 1)?.passwordHash
        sessions.insteadOfEnd { throw HTTPError(.serviceUnavailable) }
        #expect(try await client.post("/password", json: Self.change).status == .serviceUnavailable)
        #expect(accounts.account(id: 1)?.passwordHash == hash)
        #expect(try await client.post("/password", json: Self.change).status == .noContent)
        #expect(try await other.get("/me").status == .unauthorized)
        #expect(try await client.get("/me").status == .ok)
        #expect(try await auth.audit.events(of: 1, limit: 100).count { $0.kind == .passwordChanged } == 1)
    }

    @Test func `whoever may have the new password, though not all sessions ended, is told to sign out everywhere`()
        async throws
    {
        let (auth, accounts, sessions) = try await Self.parts()
        let client = try Self.client(auth)
        _ = try await client.post("/login", form: Self.form)
        sessions.insteadOfEnd {
            accounts.setPasswordHash("other", of: 1)
            throw HTTPError(.serviceUnavailable)
        }
        let response = try await client.post("/password", json: Self.change)
        #expect(response.status == .serviceUnavailable)
        #expect(response.text.contains("Sign out everywhere"))
        #expect(accounts.account(id: 1)?.passwordHash == "other")
        #expect(try await auth.audit.events(of: 1, limit: 100).contains { $0.kind == .passwordChanged })
    }

    @Test func `all sessions end if nobody knows whether the new password is stored`() async throws {
        let (auth, accounts, sessions) = try await Self.parts()
        let lossy = StoppingAccounts(accounts) { throw DatabaseError.outcomeUnknown("no reply") }
        let own = Auth(
            accounts: lossy, sessions: sessions, passwords: Passwords(CountingFunction()), key: .random(),
            isHTTPS: false)
        let (client, other) = (try Self.client(own), try Self.client(auth))
        for client in [client, other] { _ = try await client.post("/login", form: Self.form) }
        #expect(try await other.get("/me").status == .ok)
        #expect(try await client.post("/password", json: Self.change).status == .serviceUnavailable)
        for client in [client, other] { #expect(try await client.get("/me").status == .unauthorized) }
    }

    @Test(arguments: ["/logout", "/sessions/end"])
    func `a client that goes away while it signs out is signed out`(path: String) async throws {
        let (auth, _, sessions) = try await Self.parts()
        let middleware: [any Middleware] = [Leaving(path: path), Sessions(sessions, isHTTPS: false)]
        let application = try Application(middleware: middleware) { AuthSite.declare($0, auth) }
        let clients = [TestClient(application), TestClient(application)]
        for client in clients { _ = try await client.post("/login", form: Self.form) }
        #expect(sessions.sessions(of: "1").count == 2)
        _ = try await clients[0].post(path)
        #expect(sessions.sessions(of: "1").count == (path == "/logout" ? 1 : 0))
        #expect(try await clients[0].get("/me").status == .unauthorized)
    }
}

extension MeanwhileTests {
    @Test func `what a handler changes in the session is kept although the client has gone`() async throws {
        let middleware: [any Middleware] = [
            Leaving(path: "/checkout"), Sessions(MeanwhileSessions(), isHTTPS: false),
        ]
        let application = try Application(middleware: middleware) { routes in
            routes.post(Path("/cart")) { request in
                try await request.session["cart"] = "lamp"
                return Response(.noContent)
            }
            routes.post(Path("/checkout")) { request in
                try await request.session["cart"] = nil
                return Response(.noContent)
            }
            routes.get(Path("/cart")) { request in try await request.session["cart"] ?? "empty" }
        }
        let client = TestClient(application)
        _ = try await client.post("/cart")
        #expect(try await client.get("/cart").text == "lamp")
        _ = try await client.post("/checkout")
        #expect(try await client.get("/cart").text == "empty")
    }
}

/// The client of one path goes away at once, which cancels its request's task.
private struct Leaving: Middleware {
    let path: String

    func respond(to request: Request, next: Next) async throws -> Response {
        guard request.path == path else { return try await next(request) }
        _ = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await next(request)
        }.result
        return Response(.noContent)
    }
}

/// Accounts in memory; when a password is replaced, the client goes away, or the reply gets lost.
private struct StoppingAccounts: AccountStore {
    let accounts: MemoryAccounts
    let stop: @Sendable () throws -> Void

    init(_ accounts: MemoryAccounts, _ stop: @escaping @Sendable () throws -> Void) {
        (self.accounts, self.stop) = (accounts, stop)
    }

    func account(email: EmailAddress) -> StoredAccount? { accounts.account(email: email) }
    func account(id: Int) -> StoredAccount? { accounts.account(id: id) }
    func all() -> [Account] { accounts.all() }
    func setPasswordHash(_ hash: String, of id: Int) { accounts.setPasswordHash(hash, of: id) }
    func setDisabled(_ isDisabled: Bool, of id: Int) { accounts.setDisabled(isDisabled, of: id) }
    func setRoles(_ roles: Set<String>, of id: Int) { accounts.setRoles(roles, of: id) }

    func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) throws -> Account {
        try accounts.add(email, passwordHash: passwordHash, roles: roles)
    }

    func replacePasswordHash(_ old: String, with new: String, of id: Int) throws -> Bool {
        let isReplaced = accounts.replacePasswordHash(old, with: new, of: id)
        try stop()
        return isReplaced
    }
}
