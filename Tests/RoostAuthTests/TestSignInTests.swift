import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("Signing a test's client in", .quietLog, .timeLimit(.minutes(5)))
struct TestSignInTests {
    /// The site of the other tests, with its authentication among the services.
    private static func application(
        _ site: AuthSite, services: [any Service]? = nil, middleware: [any Middleware] = []
    ) throws -> Application {
        let all: [any Middleware] =
            [ErrorPages(logger: .current, explains: false), Sessions(site.auth.sessions, isHTTPS: false)] + middleware
        return try Application(logger: .current, services: services ?? [site.auth], middleware: all) { routes in
            AuthSite.declare(routes, site.auth)
        }
    }

    @Test(arguments: TestClient.Transport.allCases, [Keeping.memory, .sqlite])
    func `a client signs in without a password, and signs out as anybody`(
        transport: TestClient.Transport, keeping: Keeping
    ) async throws {
        let site = try await AuthSite(keeping)
        let client = TestClient(try Self.application(site), over: transport)
        #expect(try await client.get("/me").status == .unauthorized)
        try await client.signIn(as: "ann@EXAMPLE.com")
        #expect(try await client.get("/me").text == AuthSite.ann)
        #expect(try await client.get("/admin").status == .forbidden)
        #expect(try await site.events().suffix(2) == [AuditEvent.Kind.signedIn, .sessionStarted].map(\.rawValue))
        #expect(try await client.post("/logout").status == .noContent)
        #expect(try await client.get("/me").status == .unauthorized)
        try await client.stop()
    }

    @Test func `an account that does not exist is added, with its roles and no password`() async throws {
        let site = try await AuthSite()
        let client = TestClient(try Self.application(site))
        try await client.signIn(as: "root@example.com", roles: ["admin"])
        #expect(try await client.get("/admin").text == "welcome")
        for password in ["", "none", AuthSite.password] {
            let refused = try await site.signIn(site.visitor(), email: "root@example.com", password: password)
            #expect(refused.status == .unauthorized)
        }
    }

    @Test func `signing in again is another session, and other clients have none`() async throws {
        let site = try await AuthSite()
        let application = try Self.application(site)
        let client = TestClient(application)
        try await client.signIn(as: AuthSite.ann)
        let first = client.cookie("session")
        try await client.signIn(as: "bob@example.com")
        #expect(client.cookie("session") != first)
        #expect(try await client.get("/me").text == "bob@example.com")
        #expect(try await TestClient(application).get("/me").status == .unauthorized)
    }

    @Test func `what is no address, and a disabled account, signs nobody in`() async throws {
        let site = try await AuthSite()
        let client = TestClient(try Self.application(site))
        await #expect(throws: AccountError.notAnAddress("ann")) { try await client.signIn(as: "ann") }
        try await site.auth.setDisabled(true, email: AuthSite.ann)
        let refused = await #expect(throws: UnexpectedResponse.self) { try await client.signIn(as: AuthSite.ann) }
        #expect(refused?.response.status == .unauthorized)
        #expect(try await client.get("/me").status == .unauthorized)
    }

    @Test func `an application that cannot sign in says what it lacks`() async throws {
        let site = try await AuthSite()
        let without = TestClient(try Self.application(site, services: []))
        let missing = await #expect(throws: (any Error).self) { try await without.signIn(as: AuthSite.ann) }
        #expect("\(try #require(missing))".contains("Auth is none of its services"))
        let plain = TestClient(try Application(logger: .current, services: [site.auth], middleware: []) { _ in })
        let unkept = await #expect(throws: (any Error).self) { try await plain.signIn(as: AuthSite.ann) }
        #expect("\(try #require(unkept))".contains("No sessions are kept"))
        let closed = TestClient(try Self.application(site, middleware: [Closed()]))
        let stopped = await #expect(throws: UnexpectedResponse.self) { try await closed.signIn(as: AuthSite.ann) }
        #expect(stopped?.response.status == .serviceUnavailable)
    }

    private struct Closed: Middleware {
        func respond(to request: Request, next: Next) -> Response { Response(.serviceUnavailable) }
    }
}
