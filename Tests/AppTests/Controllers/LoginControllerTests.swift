import FoundationEssentials
import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import App

@Suite("/login, /home and /logout", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct LoginControllerTests {
    static let right: Form = ["email": " test@example.com ", "password": "123456"]

    @Test func `the form has labels and tells browsers what to fill in`() async throws {
        let page = try await Site.visitor().get("/login")
        #expect(page.status == .ok)
        #expect(page.text.contains("<label for=\"email\">"))
        #expect(page.text.contains("autocomplete=\"username\""))
        #expect(page.text.contains("<label for=\"password\">"))
        #expect(page.text.contains("autocomplete=\"current-password\""))
    }

    @Test func `signing in leads home`() async throws {
        let client = try Site.visitor()
        let response = try await client.post("/login", form: Self.right)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/home")
        let cookie = try #require(response.headers[.setCookie])
        #expect(cookie.contains("; HttpOnly; SameSite=Lax"))
        let home = try await client.get("/home", headers: Site.browser)
        #expect(home.status == .ok)
        #expect(home.text.contains("<h1>Welcome, test@example.com</h1>"))
        #expect(home.headers[.cacheControl] == "no-store")
    }

    static let incomplete: [(Form, [String])] = [
        (["email": "", "password": "123456"], ["Email cannot be empty"]),
        (["email": "a@b.c", "password": ""], ["Password cannot be empty"]),
        (["email": " ", "password": ""], ["Email cannot be empty", "Password cannot be empty"]),
        ([:], ["Email cannot be empty", "Password cannot be empty"]),
    ]

    @Test(arguments: incomplete)
    func `what is missing is said`(form: Form, messages: [String]) async throws {
        let client = try Site.visitor()
        let page = try await client.post("/login", form: form)
        #expect(page.status == .unprocessableContent)
        for message in messages { #expect(page.text.contains(message)) }
        let json = Dictionary(form.fields.map { ($0.name, $0.value) }) { $1 }
        let problem = try await client.post("/login", json: json)
        #expect(problem.status == .unprocessableContent)
        for message in messages { #expect(problem.text.contains(message)) }
    }

    @Test(arguments: [
        ("test@example.com", "1234567"), ("nobody@example.com", "123456"), ("test@example.com", " 123456"),
    ])
    func `an unknown pair is refused without saying which part is wrong`(email: String, password: String) async throws {
        let client = try Site.visitor()
        let page = try await client.post("/login", form: ["email": email, "password": password])
        #expect(page.status == .unauthorized)
        #expect(page.headers[.wwwAuthenticate] != nil)
        #expect(page.text.contains("Invalid email or password"))
        #expect(page.text.contains("value=\"\(email)\""))
        #expect(!page.text.contains(password + "\""))
        #expect(page.headers[.setCookie] == nil)
        #expect(try await client.get("/home").status == .unauthorized)
    }

    @Test func `a program signs in with JSON`() async throws {
        let client = try Site.visitor()
        let response = try await client.post("/login", json: ["email": "test@example.com", "password": "123456"])
        #expect(response.status == .ok)
        #expect(response.text == #"{"email":"test@example.com"}"#)
        #expect(try await client.post("/users", json: ["name": "Ada"]).status == .created)
        let refused = try await client.post("/login", json: ["email": "test@example.com", "password": "1"])
        #expect(refused.status == .unauthorized)
        #expect(refused.text.contains("Invalid email or password"))
    }

    @Test(arguments: ["/users", "/users?after=3"])
    func `next goes on only to a path of this site`(next: String) async throws {
        var form = Self.right.fields.map { ($0.name, $0.value) }
        form.append(("next", next))
        let response = try await Site.visitor().post("/login", form: Form(form))
        #expect(response.headers[.location] == next)
    }

    @Test func `next never leads elsewhere`() async throws {
        let client = try Site.visitor()
        for next in [
            "https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
            "javascript:alert(1)", "users", "", "/users\r\nSet-Cookie: a=b", " /users", "http:/evil.example",
        ] {
            var form = Self.right.fields.map { ($0.name, $0.value) }
            form.append(("next", next))
            let response = try await client.post("/login", form: Form(form))
            #expect(response.headers[.location] == "/home", "\(next)")
        }
    }

    @Test func `what is typed comes back, cut where no address is so long`() async throws {
        let client = try Site.visitor()
        let quotes = String(repeating: "\"", count: 2600)
        let page = try await client.post("/login", form: ["email": quotes, "password": "x", "next": "/" + quotes])
        #expect(page.status == .unauthorized)
        #expect(page.text.contains("value=\"\(String(repeating: "&quot;", count: 254))\""))
        #expect(page.text.utf8.count < 10_000)
        let plain = try await client.post("/login", form: ["email": "a@b.c", "password": "x"])
        #expect(page.text.utf8.count - plain.text.utf8.count == 254 * 6 - "a@b.c".utf8.count)
        let linked = try await client.get("/login?next=/" + String(repeating: "x", count: 2048))
        #expect(!linked.text.contains("name=\"next\""))
        #expect(try await client.post("/login", form: ["email": quotes + quotes + quotes]).status == .contentTooLarge)
    }

    @Test func `home without a session leads to signing in`() async throws {
        let response = try await Site.visitor().get("/home", headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/login?next=%2Fhome")
    }

    @Test func `signing out ends the session on the server`() async throws {
        let client = try await Site.member()
        let cookie = try #require(client.cookie("session"))
        let response = try await client.post("/logout", form: [:], headers: Site.browser)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == "/")
        #expect(client.cookie("session") == nil)
        let home = try await client.get("/home", headers: [.cookie: "session=\(cookie)"])
        #expect(home.status == .unauthorized)
    }

    @Test func `signing in takes a new token, whatever the browser came with`() async throws {
        let client = try await Site.member()
        let first = try #require(client.cookie("session"))
        _ = try await client.post("/login", form: Self.right)
        let second = try #require(client.cookie("session"))
        #expect(first != second)
        #expect(try await client.get("/home", headers: [.cookie: "session=\(first)"]).status == .unauthorized)
        #expect(try await client.get("/home").status == .ok)
    }

    @Test func `production does not know the demo account`() async throws {
        let client = try Site.visitor(environment: .production, publicURL: "https://example.com")
        let response = try await client.post("/login", form: Self.right)
        #expect(response.status == .unauthorized)
        #expect(response.text.contains("Invalid email or password"))
        #expect(try await !client.get("/login").text.contains("123456"))
    }

    @Test func `production ends the sessions of the demo account that development has left in the database`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-demo-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = DatabaseURL.sqlite(path: folder + "/roost.sqlite")
        let developer = try Site.visitor(database: database)
        _ = try await developer.post("/login", form: Self.right)
        let token = try #require(developer.cookie("session"))
        #expect(try await developer.post("/users", json: ["name": "Ada"]).status == .created)
        try await developer.stop()
        let client = try Site.visitor(
            environment: .production, publicURL: "https://example.com", database: database)
        let response = try await client.post(
            "/users", json: ["name": "Grace"], headers: [.cookie: "__Host-session=\(token)"])
        #expect(response.status == .unauthorized)
        try await client.stop()
    }

    @Test func `over HTTPS the cookie is bound to host and HTTPS`() async throws {
        let client = try Site.visitor(publicURL: "https://example.com", host: "example.com")
        let cookies = try await client.post("/login", form: Self.right).headers[values: .setCookie]
        #expect(cookies.map { $0.prefix { $0 != "=" } }.sorted() == ["__Host-device", "__Host-session"])
        for cookie in cookies { #expect(cookie.contains("; Secure; ")) }
        let headers = try await client.get("/").headers
        #expect(headers[.strictTransportSecurity] == "max-age=63072000; includeSubDomains")
    }

    @Test func `a PUBLIC_URL of http: promises no HTTPS`() async throws {
        let here = try Site.visitor(publicURL: "http://localhost:3000")
        let cookies = try await here.post("/login", form: Self.right).headers[values: .setCookie]
        #expect(cookies.map { $0.prefix { $0 != "=" } }.sorted() == ["device", "session"])
        for cookie in cookies { #expect(!cookie.contains("Secure")) }
        #expect(try await here.get("/").headers[.strictTransportSecurity] == nil)
        let elsewhere = try Site.visitor(publicURL: "http://example.com", host: "example.com")
        #expect(try await elsewhere.post("/login", form: Self.right).status == .forbidden)
    }

    /// As nginx passes on a browser's request when only `proxy_pass` is set.
    @Test func `a proxy that asks for 127.0.0.1 gets no cookie for its visitors, who are told what to set`()
        async throws
    {
        let client = try Site.visitor(host: "127.0.0.1:3000")
        let headers: Headers = [
            .origin: "https://example.com", .referer: "https://example.com/login", .accept: "text/html",
            try #require(HTTPField.Name("Sec-Fetch-Site")): "same-origin",
        ]
        #expect(try await client.get("/login", headers: headers).text.contains("set PUBLIC_URL"))
        let response = try await client.post("/login", form: Self.right, headers: headers)
        #expect(response.status == .forbidden)
        #expect(response.text.contains("set PUBLIC_URL"))
        #expect(response.headers[.setCookie] == nil)
    }

    @Test func `without HTTPS nobody signs in from elsewhere, and is told what to set`() async throws {
        let client = try Site.visitor(host: "192.0.2.7")
        #expect(try await client.get("/login").text.contains("set PUBLIC_URL"))
        let response = try await client.post("/login", form: Self.right)
        #expect(response.status == .forbidden)
        #expect(response.headers[.setCookie] == nil)
    }
}
