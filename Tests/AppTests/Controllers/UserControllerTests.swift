import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

@Suite("/users", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct UserControllerTests {
    static let twoUsers = #"[{"id":1,"name":"Nelson"},{"id":2,"name":"Cathy"}]"#

    @Test(arguments: [nil, "*/*", "application/json", "application/*", "text/plain, application/json;q=0.5"])
    func `programs get exactly the two users as JSON`(accept: String?) async throws {
        let headers: Headers = accept.map { [.accept: $0] } ?? [:]
        let response = try await Site.visitor().get("/users", headers: headers)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.vary] == "Accept")
        #expect(response.text == Self.twoUsers)
    }

    @Test func `a browser gets the page`() async throws {
        let response = try await Site.visitor().get("/users", headers: Site.browser)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.headers[.vary] == "Accept, Accept-Encoding")
        #expect(response.text.contains("<h1>User List</h1>"))
        #expect(response.text.contains("<li><a href=\"/users/1\">Nelson</a></li>"))
        #expect(response.text.contains("<li><a href=\"/users/2\">Cathy</a></li>"))
    }

    @Test func `a client that accepts neither gets 406`() async throws {
        let response = try await Site.visitor().get("/users", headers: [.accept: "image/png"])
        #expect(response.status == .notAcceptable)
        #expect(response.headers[.vary] == "Accept")
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        let response = try await Site.visitor().head("/users")
        #expect(response.status == .ok)
        #expect(response.headers[.contentLength] == "\(Self.twoUsers.utf8.count)")
        #expect(response.body.isEmpty)
    }

    @Test func `one user is a page or JSON`() async throws {
        let client = try Site.visitor()
        #expect(try await client.get("/users/2").text == #"{"id":2,"name":"Cathy"}"#)
        let page = try await client.get("/users/2", headers: Site.browser)
        #expect(page.text.contains("<h1>Cathy</h1>"))
    }

    @Test func `an unknown id is a 404`() async throws {
        let client = try Site.visitor()
        for id in ["3", "0", "-1", "x", "1x", "01", "+1", "1.0", "99999999999999999999", "%31x", ""] {
            #expect(try await client.get("/users/\(id)").status == .notFound, "\(id)")
        }
    }

    @Test func `a form adds a user and sends the browser there`() async throws {
        let client = try await Site.member()
        let response = try await client.post("/users", form: ["name": "  Ada Lovelace "], headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/users/3")
        #expect(try await client.get("/users/3").text == #"{"id":3,"name":"Ada Lovelace"}"#)
    }

    @Test func `JSON adds a user`() async throws {
        let client = try await Site.member()
        let response = try await client.post("/users", json: ["name": "Ada"])
        #expect(response.status == .created)
        #expect(response.headers[.location] == "/users/3")
        #expect(response.text == #"{"id":3,"name":"Ada"}"#)
    }

    @Test(arguments: [
        ("", "Name cannot be empty"), (" \t", "Name cannot be empty"), ("\u{200B}", "Name cannot be empty"),
        ("\u{3164} \u{2060}\u{FEFF}", "Name cannot be empty"),
        (String(repeating: "x", count: 101), "Name cannot be longer than 100 characters"),
        ("e" + String(repeating: "\u{301}", count: 200), "Name cannot be longer than 100 characters"),
        ("a\u{0}b", "Name cannot contain control characters"), ("a\nb", "Name cannot contain control characters"),
    ])
    func `an invalid name comes back with what is wrong`(name: String, message: String) async throws {
        let client = try await Site.member()
        let page = try await client.post("/users", form: ["name": name], headers: Site.browser)
        #expect(page.status == .unprocessableContent)
        #expect(page.text.contains("<p class=\"error\" id=\"name-error\">\(message)</p>"))
        #expect(page.text.contains("aria-invalid=\"true\""))
        let problem = try await client.post("/users", json: ["name": name])
        #expect(problem.status == .unprocessableContent)
        #expect(problem.headers[.contentType] == "application/problem+json")
        #expect(problem.text.contains(message))
    }

    @Test func `the form keeps what was typed, escaped`() async throws {
        let name = "<b>\"&" + String(repeating: "x", count: 100)
        let page = try await Site.member().post("/users", form: ["name": name], headers: Site.browser)
        #expect(page.text.contains("value=\"&lt;b&gt;&quot;&amp;xxx"))
    }

    @Test func `a name of 100 characters is valid`() async throws {
        let name = String(repeating: "é", count: 100)
        #expect(try await Site.member().post("/users", json: ["name": name]).status == .created)
    }

    @Test func `malformed JSON is a 400`() async throws {
        let response = try await Site.member()
            .request(.post, "/users", headers: [.contentType: "application/json"], body: Array(#"{"name":"#.utf8))
        #expect(response.status == .badRequest)
    }

    @Test(arguments: ["text/plain", "application/xml", "multipart/mixed; boundary=x"])
    func `another content type is a 415`(type: String) async throws {
        let response = try await Site.member()
            .request(.post, "/users", headers: [.contentType: type], body: Array("name=Ada".utf8))
        #expect(response.status == .unsupportedMediaType)
    }

    @Test func `a body that is too large is a 413`() async throws {
        let response = try await Site.member()
            .post("/users", form: ["name": String(repeating: "x", count: 1024 * 1024 + 1)])
        #expect(response.status == .contentTooLarge)
    }

    @Test func `another method is a 405 that names the possible ones`() async throws {
        let client = try Site.visitor()
        let response = try await client.request(.delete, "/users")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD, OPTIONS, POST")
        let options = try await client.request(.options, "/users")
        #expect(options.status == .noContent)
        #expect(options.headers[.allow] == "GET, HEAD, OPTIONS, POST")
    }

    @Test func `adding needs a session, reading does not`() async throws {
        let client = try Site.visitor()
        let page = try await client.post("/users", form: ["name": "Ada"], headers: Site.browser)
        #expect(page.status == .seeOther)
        #expect(page.headers[.location] == "/login?next=%2Fusers")
        let problem = try await client.post("/users", json: ["name": "Ada"])
        #expect(problem.status == .unauthorized)
        #expect(problem.headers[.wwwAuthenticate] != nil)
        #expect(problem.headers[.contentType] == "application/problem+json")
        #expect(try await client.get("/users").text == Self.twoUsers)
    }
}
