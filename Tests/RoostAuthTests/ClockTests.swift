import FoundationEssentials
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("One clock for an application", .quietLog, .timeLimit(.minutes(5)))
struct ClockTests {
    @Test(arguments: Keeping.allCases)
    func `sessions, tokens, cookies and limits go by it`(keeping: Keeping) async throws {
        let (clock, database) = (TestClock(), try await keeping.database())
        let (auth, client) = try withClock(clock) { try Self.site(database) }
        try await client.signIn(as: "ann@example.com")
        let token = try await auth.makeToken(
            email: "ann@example.com", name: "test", scopes: ["nests"], lifetime: .hours(24))
        let program = Headers(.authorization, "Bearer \(token.text)")
        #expect(try await client.get("/me").text == "ann@example.com")
        #expect(try await client.get("/theme").text == "dusk")
        #expect(try await client.get("/offer").status == .ok)
        #expect(try await client.get("/offer").status == .tooManyRequests)
        clock.advance(by: .minutes(25))
        #expect(try await client.get("/me").status == .ok)
        #expect(try await client.get("/offer").status == .ok)
        #expect(client.cookie("theme") != nil)
        clock.advance(by: .hours(2))
        #expect(try await client.get("/me").status == .unauthorized)
        #expect(client.cookie("theme") == nil)
        let other = TestClient(client.application)
        #expect(try await other.get("/nests", headers: program).status == .ok)
        clock.advance(by: .hours(24))
        #expect(try await other.get("/nests", headers: program).status == .unauthorized)
        try await other.stop()
        try await client.stop()
        await database?.stop()
    }

    @Test func `an application that is made again does not go back`() {
        let clock = TestClock()
        let before = withClock(clock) { TimeSource.current.now }
        clock.advance(by: .hours(24))
        let after = withClock(clock) { TimeSource.current.now }
        #expect(after >= before.addingTimeInterval(86_400))
        #expect(TimeSource.current.now < after)
    }

    private static func site(_ database: Database?) throws -> (Auth, TestClient) {
        let theme = SignedCookie("theme", key: .random(), maxAge: .hours(2), isHTTPS: false)
        let auth = Auth(
            accounts: database.map { SQLAccounts($0) } ?? MemoryAccounts(),
            sessions: database.map { SQLSessionStore($0) } ?? MemorySessionStore(),
            passwords: Passwords(CountingFunction()), tokens: database.map { SQLTokens($0) } ?? MemoryTokens(),
            key: .random(), isHTTPS: false, logger: .current)
        let middleware: [any Middleware] = [
            ErrorPages(logger: .current, explains: false), Sessions(auth.sessions, isHTTPS: false),
        ]
        let application = try Application(logger: .current, services: [auth], middleware: middleware) { routes in
            routes.get(Path("/theme")) { _ in
                var response = Response.text("dusk")
                try theme.set("dusk", on: &response)
                return response
            }
            routes.group(middleware: [auth.requireUser()]) { routes in
                routes.get(Path("/me")) { request in try await request.currentUser?.email ?? "nobody" }
            }
            routes.group(middleware: [auth.requireUser(scope: "nests")]) { routes in
                routes.get(Path("/nests")) { _ in "none" }
            }
            routes.group(middleware: [RateLimit(1, per: .minutes(20))]) { routes in
                routes.get(Path("/offer")) { _ in "eggs" }
            }
        }
        return (auth, TestClient(application))
    }
}
