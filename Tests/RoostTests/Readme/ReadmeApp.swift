import Roost
import RoostTesting
import Testing

@testable import UserSite

// The snippets of the README that are part of no program there. Tests/Hello and Tests/UserSite are its programs.

struct RequireName: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        guard try await request.session["name"] != nil else { return .redirect(to: "/login") }
        return try await next(request)
    }
}

/// The README's app, with the templates of its own folder.
private func makeApp() throws -> Application { try UserSite.makeApp(folder: Readme.root + "/Tests/UserSite") }

@Suite("The README's app", .timeLimit(.minutes(5)))
struct ReadmeAppTests {
    @Test(.quietLog) func `a browser gets the page`() async throws {
        let client = TestClient(try makeApp())
        let response = try await client.get("/users", headers: [.accept: "text/html"])
        #expect(response.status == .ok)
        #expect(response.text.contains("<li>Nelson</li>"))
    }

    @Test func `a program gets what the terminal shows`() async throws {
        let client = TestClient(try makeApp())
        let shown = try #require(Readme.blocks("console").first?.split(separator: "\n").last)
        #expect(try await client.get("/users").text == String(shown))
        #expect(try await client.get("/users/2").text == #"{"id":2,"name":"Cathy"}"#)
        #expect(try await client.get("/users/3").status == .notFound)
        #expect(UserController.one.url(3) == "/users/3")
    }

    @Test func `the middleware sends strangers to sign in`() async throws {
        let app = try Application(middleware: [Sessions(MemorySessionStore(), isHTTPS: false)]) { routes in
            routes.group(Path("/account"), middleware: [RequireName()]) { routes in
                routes.get(Path("/")) { _ in "named" }
            }
        }
        let response = try await TestClient(app).get("/account")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/login")
    }
}
