import HTTPTypes
import Roost
import RoostAuth
import RoostTesting
import Testing

@testable import App

@Suite("Changing users", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct UserChangeTests {
    @Test func `JSON renames, and the entity tag changes`() async throws {
        let client = try await Site.member()
        let before = try await client.get("/users/1")
        #expect(before.headers[.eTag] == "\"1\"")
        let response = try await client.patch("/users/1", json: ["name": " Nell "])
        #expect(response.status == .ok)
        #expect(response.text == #"{"id":1,"name":"Nell"}"#)
        #expect(response.headers[.eTag] == "\"2\"")
        #expect(try await client.get("/users/1").text == #"{"id":1,"name":"Nell"}"#)
    }

    @Test func `a client that has the user already gets 304`() async throws {
        let client = try Site.visitor()
        let response = try await client.get("/users/1", headers: [.ifNoneMatch: "\"1\""])
        #expect(response.status == .notModified)
        #expect(response.headers[.eTag] == "\"1\"")
        let full = try await client.get("/users/1", headers: [.ifNoneMatch: "\"2\""])
        #expect(full.status == .ok)
        #expect(response.headers[.vary] == full.headers[.vary] && full.headers[.vary]?.contains("Accept") == true)
        var browser = Site.browser
        browser[.ifNoneMatch] = "\"1\""
        #expect(try await client.get("/users/1", headers: browser).status == .ok)
    }

    @Test(arguments: [
        ("\"1\"", HTTPResponse.Status.ok), ("*", .ok), ("\"2\"", .preconditionFailed), ("x", .preconditionFailed),
    ])
    func `If-Match protects somebody else's changes`(tag: String, status: HTTPResponse.Status) async throws {
        let client = try await Site.member()
        let response = try await client.patch("/users/1", json: ["name": "Nell"], headers: [.ifMatch: tag])
        #expect(response.status == status)
        let removal = try await client.request(.delete, "/users/2", headers: [.ifMatch: tag])
        #expect(removal.status == (status == .ok ? .noContent : status))
    }

    @Test(arguments: [
        ("\"2\"", HTTPResponse.Status.ok), ("*", .preconditionFailed), ("\"1\"", .preconditionFailed),
        ("\"7\", W/\"1\"", .preconditionFailed),
    ])
    func `If-None-Match keeps a version from being changed`(tag: String, status: HTTPResponse.Status) async throws {
        let client = try await Site.member()
        for method in [HTTPRequest.Method.patch, .put] {
            let path = method == .patch ? "/users/1" : "/users/2"
            let response = try await client.request(
                method, path, headers: [.ifNoneMatch: tag, .contentType: "application/json"],
                body: Array(#"{"name":"Nell"}"#.utf8))
            #expect(response.status == status)
        }
        let removal = try await client.request(.delete, "/users/2", headers: [.ifNoneMatch: "*"])
        #expect(removal.status == .preconditionFailed)
    }

    @Test func `If-Match with an asterisk asks for existence only, whoever else changes the user`() async throws {
        let auth = Auth(
            accounts: DemoAccounts(MemoryAccounts()), sessions: MemorySessionStore(), key: .random(), isHTTPS: false)
        let sessions = Sessions(auth.sessions, isHTTPS: false)
        let users = BusyRepository(users: SQLUserRepository(database: try await TestDatabase.sqlite()))
        let app = try Application(middleware: [sessions]) { routes in
            routes.add(LoginController(auth: auth, sessions: sessions, demo: nil))
            routes.add(UserController(users: users, pictures: MemoryFileStore(), writers: auth.requireUser()))
        }
        let client = TestClient(app)
        let account = ["email": DemoAccounts.email, "password": DemoAccounts.password]
        #expect(try await client.post("/login", json: account).status == .ok)
        for (tag, status) in [("\"1\"", HTTPResponse.Status.preconditionFailed), ("*", .ok)] {
            let headers: Headers = [.ifMatch: tag]
            #expect(
                try await client.patch("/users/1", json: ["name": "x"], headers: headers).status == status)
        }
        #expect(try await client.request(.delete, "/users/1", headers: [.ifMatch: "*"]).status == .noContent)
        #expect(try await client.request(.delete, "/users/1", headers: [.ifMatch: "*"]).status == .notFound)
    }

    @Test func `a form renames and sends the browser back`() async throws {
        let client = try await Site.member()
        let page = try await client.get("/users/1", headers: Site.browser)
        #expect(page.text.contains("<input type=\"hidden\" name=\"version\" value=\"1\">"))
        let response = try await client.post("/users/1", form: ["name": "Nell", "version": "1"], headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/users/1")
        #expect(try await client.get("/users/1", headers: Site.browser).text.contains("<h1>Nell</h1>"))
    }

    @Test func `a form with an old version is shown again with the new one`() async throws {
        let client = try await Site.member()
        _ = try await client.patch("/users/1", json: ["name": "Nell"])
        for path in ["/users/1", "/users/1/delete"] {
            let form: Form = ["name": "Nils", "version": "1"]
            let response = try await client.post(path, form: form, headers: Site.browser)
            #expect(response.status == .conflict)
            #expect(response.text.contains("the name is now “Nell”"))
            #expect(response.text.contains("name=\"version\" value=\"2\""))
        }
        #expect(try await client.get("/users/1").text == #"{"id":1,"name":"Nell"}"#)
    }

    @Test(arguments: ["/users", "/users/1", "/users/1/delete"])
    func `what is wrong with a field that the page does not show is said, too`(path: String) async throws {
        let client = try await Site.member()
        let response = try await client.post(path, form: ["name": "Nell", "version": "x"], headers: Site.browser)
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("autofocus>version: Must be a whole number.</p>"))
    }

    @Test func `an invalid name comes back with what is wrong`() async throws {
        let client = try await Site.member()
        let page = try await client.post("/users/1", form: ["name": " "], headers: Site.browser)
        #expect(page.status == .unprocessableContent)
        #expect(page.text.contains("<p class=\"error\" id=\"name-error\">Name cannot be empty</p>"))
        let problem = try await client.patch("/users/1", json: ["name": " "])
        #expect(problem.status == .unprocessableContent)
        #expect(problem.text.contains("Name cannot be empty"))
    }

    @Test(arguments: ["/users", "/users/1"])
    func `a name that is far too long comes back cut`(path: String) async throws {
        let client = try await Site.member()
        for typed in [String(repeating: "\"", count: 5000), String(repeating: "x", count: 399) + "\u{E9}\u{E9}"] {
            let page = try await client.post(path, form: ["name": typed], headers: Site.browser)
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("Name cannot be longer than 100 characters"))
            let shown = typed.hasPrefix("x") ? String(typed.prefix(399)) : String(repeating: "&quot;", count: 400)
            #expect(page.text.contains("value=\"\(shown)\""))
        }
    }

    @Test func `a removed user is gone`() async throws {
        let client = try await Site.member()
        #expect(try await client.request(.delete, "/users/1").status == .noContent)
        #expect(try await client.get("/users/1").status == .notFound)
        let response = try await client.post("/users/2/delete", form: ["version": "1"], headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/users")
        #expect(try await client.get("/users").text == "[]")
        #expect(try await client.request(.delete, "/users/1").status == .notFound)
        #expect(try await client.patch("/users/1", json: ["name": "x"]).status == .notFound)
        #expect(
            try await client.patch("/users/1", json: ["name": "x"], headers: [.ifMatch: "*"]).status
                == .notFound)
    }

    @Test func `a visitor changes nothing, and sees no forms`() async throws {
        let client = try Site.visitor()
        #expect(try await client.patch("/users/1", json: ["name": "x"]).status == .unauthorized)
        #expect(try await client.request(.delete, "/users/1").status == .unauthorized)
        let response = try await client.post("/users/1/delete", form: [:], headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location]?.hasPrefix("/login") == true)
        #expect(try await client.get("/users").text == UserControllerTests.twoUsers)
        #expect(try await !client.get("/users/1", headers: Site.browser).text.contains("version"))
    }

    @Test func `another site's page changes nothing`() async throws {
        let client = try await Site.member()
        var headers = Site.browser
        headers["Sec-Fetch-Site"] = "cross-site"
        #expect(try await client.post("/users/1/delete", form: [:], headers: headers).status == .forbidden)
        #expect(try await client.request(.delete, "/users/1", headers: headers).status == .forbidden)
    }
}

/// A repository in which somebody else changes each user right after it was read.
private struct BusyRepository: UserRepository {
    let users: SQLUserRepository
    var changes: any TopicProtocol<UserChange> { users.changes }

    func list(_ query: UserQuery) async throws -> Page<User> { try await users.list(query) }
    func add(_ name: String) async throws -> User { try await users.add(name) }
    func setPicture(_ picture: String?, of id: Int) async throws -> User? { nil }
    func remove(_ id: Int, version: Int?) async throws -> UserOutcome { try await users.remove(id, version: version) }

    func rename(_ id: Int, to name: String, version: Int?) async throws -> UserOutcome {
        try await users.rename(id, to: name, version: version)
    }

    func user(_ id: Int) async throws -> User? {
        guard let user = try await users.user(id) else { return nil }
        _ = try await users.rename(id, to: user.name, version: nil)
        return user
    }
}
