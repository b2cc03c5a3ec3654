import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import App

/// Checks every route of the site, so that a route added tomorrow is checked too.
@Suite("Routes that require signing in", .quietLog, .timeLimit(.minutes(5)))
struct GuardedRouteTests {
    /// The routes without a guard by which a visitor may do more than read.
    private static let open: Set<String> = ["POST /login", "POST /logout"]
    /// The pages that only signed-in visitors may read.
    private static let ownPages: Set<String> = ["GET /home", "GET /account"]

    /// The routes of the site that must be guarded, each with the path of a user that exists.
    private static func routes() throws -> [(method: HTTPRequest.Method, path: String)] {
        var settings = try Settings([:])
        settings.root = Site.root
        settings.database = .sqlite(path: ":memory:")
        // The gallery is open to everybody: it has nothing of the site's. `BackDoorTests` looks at it.
        settings.hasPatterns = false
        return try Site.application(settings).routes.compactMap { route in
            let isReading = [.get, .head, .options].contains(route.method)
            guard isReading ? ownPages.contains("\(route)") : !open.contains("\(route)") else { return nil }
            let path = route.path.split(separator: "/").reduce("") { $0 + "/" + ($1.hasPrefix("{") ? "1" : $1) }
            return (route.method, path)
        }
    }

    @Test(.eachProtocol) func `stop visitors who have not signed in`() async throws {
        let client = try Site.visitor()
        let routes = try Self.routes()
        #expect(routes.count >= 10)
        for (method, path) in routes {
            let page = try await client.on(method)(path, form: ["name": "Eve"], headers: Site.browser)
            #expect(page.status == .seeOther, "\(method) \(path)")
            #expect(page.headers[.location]?.hasPrefix("/login?next=") == true, "\(method) \(path)")
            #expect(try await client.request(method, path).status == .unauthorized, "\(method) \(path)")
            let program = try await client.on(method)(path, json: ["name": "Eve"])
            #expect(program.status == .unauthorized, "\(method) \(path)")
        }
        #expect(try await client.get("/users").text == UserControllerTests.twoUsers)
    }

    @Test func `let visitors through who have signed in`() async throws {
        var client = try await Site.member()
        for (method, path) in try Self.routes() {
            let response = try await client.on(method)(path, form: ["name": "Ann"], headers: Site.browser)
            // A form that lacks something has come to its handler, too, and there is no picture to remove.
            let isLacking =
                response.status == .unprocessableContent || path.contains("/picture") && response.status == .notFound
            #expect(response.status.code < 400 || isLacking, "\(method) \(path)")
            #expect(response.headers[.location]?.hasPrefix("/login") != true, "\(method) \(path)")
            // The next route needs a site in which nothing has been changed, and a session.
            let isChanged = ![.get, .head, .options].contains(method) && response.status.code < 400
            if isChanged { client = try await Site.member() }
        }
    }
}
