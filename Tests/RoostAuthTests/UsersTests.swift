import HTTPTypes
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostAuth

@Suite("Users of the application's own type", .quietLog, .timeLimit(.minutes(5)))
struct UsersTests {
    private struct Member: Sendable {
        let id: Int
        let isAdmin: Bool
    }

    private struct Guest: Sendable {}

    /// A site whose members are counted as they are loaded.
    private static func client(_ loads: Counter) async throws -> (TestClient, Auth) {
        let auth = try await AuthSite().auth
        try await auth.addAccount(email: "root@example.com", password: AuthSite.password, roles: ["admin"])
        let members = Users(auth) { account in
            loads.count.add(1, ordering: .relaxed)
            return Member(id: account.id, isAdmin: account.roles.contains("admin"))
        }
        let middleware: [any Middleware] = [
            ErrorPages(logger: .current, explains: false), Sessions(auth.sessions, isHTTPS: false), members,
        ]
        let application = try Application(logger: .current, middleware: middleware) { routes in
            routes.post(Path("/login")) { request -> Response in
                try await auth.signIn(request.decode(SignInInput.self), request).response(Response(.noContent))
            }
            routes.get(Path("/free")) { _ in "free" }
            routes.get(Path("/me")) { request in
                let (first, second) = (try await request.user(Member.self), try await request.user(Member.self))
                return "\(first?.id ?? 0) \(second?.id ?? 0)"
            }
            routes.get(Path("/admin")) { request in
                "admin \(try await request.allow(Member.self) { $0.isAdmin }.id)"
            }
            routes.get(Path("/guest")) { request in try await request.user(Guest.self) == nil ? "none" : "one" }
        }
        return (TestClient(application), auth)
    }

    private final class Counter: Sendable { let count = Atomic(0) }

    private static func signIn(_ client: TestClient, _ email: String) async throws {
        let response = try await client.post("/login", form: ["email": email, "password": AuthSite.password])
        #expect(response.status == .noContent)
    }

    @Test func `a user is loaded when it is asked for, once a request`() async throws {
        let loads = Counter()
        let (client, _) = try await Self.client(loads)
        #expect(try await client.get("/me").text == "0 0")
        try await Self.signIn(client, AuthSite.ann)
        #expect(loads.count.load(ordering: .relaxed) == 0)
        _ = try await client.get("/free")
        #expect(loads.count.load(ordering: .relaxed) == 0)
        #expect(try await client.get("/me").text == "1 1")
        #expect(loads.count.load(ordering: .relaxed) == 1)
        try await client.stop()
    }

    @Test func `a rule says who may do what`() async throws {
        let (client, auth) = try await Self.client(Counter())
        let stranger = try await client.get("/admin")
        #expect(stranger.status == .unauthorized)
        #expect(stranger.headers[.wwwAuthenticate] == "Cookie realm=\"Roost\", form-action=\"/login\"")
        try await Self.signIn(client, AuthSite.ann)
        #expect(try await client.get("/admin").status == .forbidden)
        try await Self.signIn(client, "root@example.com")
        #expect(try await client.get("/admin").text == "admin 2")
        // Roles hold from the next request on.
        try await auth.setRoles([], email: "root@example.com")
        #expect(try await client.get("/admin").status == .forbidden)
        try await auth.setRoles(["admin"], email: "root@example.com")
        #expect(try await client.get("/admin").text == "admin 2")
        let account = try #require(try await auth.accounts.account(email: EmailAddress(trimming: "root@example.com")))
        try await auth.accounts.setDisabled(true, of: account.account.id)
        #expect(try await client.get("/admin").status == .unauthorized)
        try await client.stop()
    }

    @Test func `an account that is none of the users is not told to sign in`() async throws {
        let site = try await AuthSite()
        let auth = site.auth
        let keepers = Users<Member>(auth) { account in
            account.roles.contains("keeper") ? Member(id: account.id, isAdmin: false) : nil
        }
        let middleware: [any Middleware] = [
            ErrorPages(logger: .current, explains: false), Sessions(auth.sessions, isHTTPS: false), keepers,
        ]
        let client = TestClient(
            try Application(logger: .current, middleware: middleware) { routes in
                AuthSite.declare(routes, auth)
                routes.get(Path("/keeper")) { request in "\(try await request.allow(Member.self).id)" }
            })
        #expect(try await client.get("/keeper").status == .unauthorized)
        #expect(try await site.signIn(client).status == .seeOther)
        let refused = try await client.get("/keeper")
        #expect(refused.status == .forbidden)
        #expect(refused.headers[.wwwAuthenticate] == nil)
        try await auth.setRoles(["keeper"], email: AuthSite.ann)
        #expect(try await client.get("/keeper").text == "1")
        try await auth.setRoles([], email: AuthSite.ann)
        try await auth.accounts.setDisabled(true, of: 1)
        #expect(try await client.get("/keeper").status == .unauthorized)
    }

    @Test(arguments: ["", "a,admin", "a b", "é", "a\r\nb"])
    func `a text that could be several roles, or none, is refused`(role: String) async throws {
        let auth = try await AuthSite().auth
        await #expect(throws: AccountError.notARole(role)) {
            try await auth.addAccount(email: "new@example.com", password: AuthSite.password, roles: [role])
        }
        await #expect(throws: AccountError.notARole(role)) { try await auth.setRoles([role], email: AuthSite.ann) }
    }

    @Test func `a type that nobody loads is a mistake of the program`() async throws {
        let (client, _) = try await Self.client(Counter())
        #expect(try await client.get("/guest").status == .internalServerError)
        try await client.stop()
    }
}
