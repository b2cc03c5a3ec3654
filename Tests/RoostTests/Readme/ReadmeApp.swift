import Roost
import RoostTesting
import Testing

// The README's snippets, compiled: each stands in this file, or in Tests/Hello, letter for letter.

struct User: Codable { var id: Int, name: String }

protocol UserRepository: Sendable {
    func all() async throws -> [User]
    func user(_ id: Int) async throws -> User?
}

struct UsersPage: Encodable {
    let users: [User]
}

struct UserController: Controller {
    static let all = Path("/users")
    static let one = Path("/users/{id}", Int.self)

    let users: any UserRepository

    func routes(_ routes: Routes) {
        routes.get(Self.all, use: index)
        routes.get(Self.one, use: show)
    }

    /// `GET /users`: a page for a browser, JSON for everyone else.
    func index(_ request: Request) async throws -> some ResponseConvertible {
        let users = try await users.all()
        return request.negotiate(json: users, html: View("users/index", UsersPage(users: users)))
    }

    func show(_ request: Request, id: Int) async throws -> some ResponseConvertible {
        guard let user = try await users.user(id) else { throw HTTPError(.notFound) }
        return JSON(user)
    }
}

struct RequireName: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        guard try await request.session["name"] != nil else { return .redirect(to: "/login") }
        return try await next(request)
    }
}

private struct TwoUsers: UserRepository {
    func all() -> [User] { [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")] }
    func user(_ id: Int) -> User? { all().first { $0.id == id } }
}

/// An application of the README's parts.
private func makeApp() throws -> Application {
    let template = try #require(Readme.blocks("mustache").first)
    return try Application(
        templates: Templates(sources: ["users/index": template]),
        middleware: [Sessions(MemorySessionStore(), isHTTPS: false)]
    ) { routes in
        routes.add(UserController(users: TwoUsers()))
        routes.group(Path("/named"), middleware: [RequireName()]) { routes in
            routes.get(Path("/")) { _ in "named" }
        }
    }
}

@Suite("The README's app", .timeLimit(.minutes(5)))
struct ReadmeAppTests {
    @Test func `a browser gets the page`() async throws {
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
        let response = try await TestClient(try makeApp()).get("/named")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/login")
    }
}
