import HTTPTypes
import Logging
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

/// A site with nothing but accounts, whose passwords cost little.
struct AuthSite {
    let auth: Auth
    let time: Time
    let function: CountingFunction
    let application: Application
    /// The database with all stores; nil for memory.
    let database: Database?

    static let ann = "Ann@example.com"
    static let password = "correct horse"

    /// A site where Ann has an account.
    init(
        _ keeping: Keeping = .memory,
        throttle: ThrottleLimits? = ThrottleLimits(),
        audit: (any AuditLog)? = nil,
        key: SigningKey = .random(),
        isHTTPS: Bool = false,
        configuration: ServerConfiguration? = nil
    ) async throws {
        let (time, function) = (Time(), CountingFunction())
        let database = try await keeping.database()
        let log: any AuditLog = database.map { SQLAuditLog($0) } ?? MemoryAuditLog()
        let failures: any ThrottleStore = database.map { SQLThrottleStore($0) } ?? MemoryThrottleStore()
        let auth = time {
            Auth(
                accounts: database.map { SQLAccounts($0) } ?? MemoryAccounts(),
                sessions: database.map { SQLSessionStore($0) } ?? MemorySessionStore(),
                passwords: Passwords(function),
                throttle: throttle.map { Throttle(failures, limits: $0) },
                audit: audit ?? log,
                tokens: database.map { SQLTokens($0) } ?? MemoryTokens(),
                key: key,
                isHTTPS: isHTTPS,
                logger: .current
            )
        }
        (self.auth, self.time, self.function, self.database) = (auth, time, function, database)
        let middleware: [any Middleware] = [
            ErrorPages(logger: .current, explains: false), Sessions(auth.sessions, isHTTPS: isHTTPS),
        ]
        application = try Application(configuration: configuration, logger: .current, middleware: middleware) {
            routes in
            Self.declare(routes, auth)
        }
        try await auth.addAccount(email: Self.ann, password: Self.password)
    }

    static func declare(_ routes: Routes, _ auth: Auth) {
        routes.post(Path("/login")) { request -> Response in
            let input = try request.decode(SignInInput.self)
            return try await auth.signIn(input, request).response(.redirect(to: input.localNext ?? "/me"))
        }
        routes.post(Path("/logout")) { request -> Response in
            try await auth.signOut(request)
            return Response(.noContent)
        }
        routes.get(Path("/cart/{item}", String.self)) { request, item in
            try await request.session["cart"] = item
            return "kept"
        }
        routes.get(Path("/cart")) { request in try await request.session["cart"] ?? "empty" }
        routes.group(middleware: [auth.requireUser()]) { routes in
            routes.get(Path("/me")) { request in try await request.currentUser?.email ?? "nobody" }
            routes.get(Path("/sessions")) { request in
                JSON(try await auth.sessions(of: request).map { "\($0.id) \($0.device ?? "")" })
            }
            routes.get(Path("/events/{limit}", Int.self)) { request, limit in
                "\(try await auth.events(of: request, limit: limit).count)"
            }
            routes.post(Path("/sessions/end")) { request -> Response in
                try await auth.endAllSessions(request)
                return Response(.noContent)
            }
            routes.post(Path("/sessions/{id}/end", String.self)) { request, id -> Response in
                Response(try await auth.endSession(id, request) ? .noContent : .notFound)
            }
            routes.post(Path("/password")) { request -> Response in
                let input = try request.decode([String: String].self)
                return try await auth.changePassword(
                    current: input["current"] ?? "", new: input["new"] ?? "", request
                ).response(Response(.noContent))
            }
        }
        routes.group(middleware: [auth.requireUser { $0.roles.contains("admin") }]) { routes in
            routes.get(Path("/admin")) { _ in "welcome" }
        }
        routes.group(middleware: [auth.requireUser(scope: "nests:read")]) { routes in
            routes.group(middleware: [auth.requireUser { _ in true }]) { routes in
                routes.get(Path("/nests/people")) { request in try await request.currentUser?.email ?? "nobody" }
            }
        }
        routes.group(middleware: [auth.requireUser(scope: "nests:write")]) { routes in
            routes.post(Path("/nests")) { request in try await request.currentUser?.email ?? "nobody" }
        }
    }

    /// Returns once what nobody waits for is written.
    func settle() async {
        await (auth.sessions as? SQLSessionStore)?.bookkeeping.settle()
        await (auth.tokens as? SQLTokens)?.bookkeeping.settle()
    }

    /// A browser at an address.
    func visitor(at address: String = "127.0.0.1") -> TestClient {
        let peer = IPAddress(address).map { PeerAddress.tcp($0, port: 50_000) } ?? .loopback
        return TestClient(application, host: address.hasPrefix("127.") ? "localhost" : "example.com", peer: peer)
    }

    /// A browser in which Ann has signed in.
    func member(at address: String = "127.0.0.1") async throws -> TestClient {
        let client = visitor(at: address)
        #expect(try await signIn(client).status == .seeOther)
        return client
    }

    /// Tries to sign in.
    func signIn(
        _ client: TestClient, email: String = ann, password: String = password, headers: Headers = [:]
    ) async throws -> WireClient.Response {
        try await client.post("/login", form: ["email": email, "password": password], headers: headers)
    }

    /// The names of the events so far that are Ann's, the oldest first.
    func events() async throws -> [String] {
        await auth.reports.settle()
        return try await auth.audit.events(of: 1, limit: 100).reversed().map(\.kind.rawValue)
    }
}
