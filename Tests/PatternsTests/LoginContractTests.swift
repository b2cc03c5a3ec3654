import HTTPTypes
import PatternCore
import Roost
import RoostTesting
import Testing

/// The contract of the login, whichever pattern it is built with. The same cases run in a browser, in `AppTests`.
@Suite("The contract of the login", .quietLog, .timeLimit(.minutes(5)))
struct LoginContractTests {
    private func login(
        _ pattern: Pattern, _ email: String?, _ password: String?, _ client: TestClient? = nil
    ) async throws -> WireClient.Response {
        let fields = [("email", email), ("password", password)].compactMap { name, value in value.map { (name, $0) } }
        let client = try client ?? GallerySite.visitor()
        return try await client.post(pattern.path + "/login", form: Form(fields))
    }

    /// The error that a page shows; nil when it shows none.
    private func error(in page: String) -> String? {
        let text = page.components(between: #"id="error" role="alert">"#, and: "</p>").first
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    @Test(arguments: Pattern.withLogin)
    func `the form is empty and shows no error`(pattern: Pattern) async throws {
        let page = try await GallerySite.visitor().get(pattern.path + "/login")
        #expect(page.status == .ok)
        #expect(page.text.contains(#"name="email" type="email" inputmode="email" value="""#))
        #expect(page.text.contains(#"role="alert" hidden"#))
        // Only a page that is live for its visitor must know the browser.
        #expect(page.headers[values: .setCookie].count == (pattern == .mvvm ? 1 : 0))
    }

    @Test(arguments: Pattern.withLogin)
    func `a login without an email`(pattern: Pattern) async throws {
        for email in ["", nil] {
            let page = try await login(pattern, email, "123456")
            #expect(page.status == .unprocessableContent)
            #expect(error(in: page.text) == "Email cannot be empty")
        }
    }

    @Test(arguments: Pattern.withLogin)
    func `a login without a password keeps the email`(pattern: Pattern) async throws {
        let page = try await login(pattern, "\"a\"@b", "")
        #expect(page.status == .unprocessableContent)
        #expect(error(in: page.text) == "Password cannot be empty")
        #expect(page.text.contains(#"value="&quot;a&quot;@b""#))
    }

    @Test(arguments: Pattern.withLogin)
    func `of two empty fields, the email is named`(pattern: Pattern) async throws {
        #expect(error(in: try await login(pattern, "", "").text) == "Email cannot be empty")
    }

    /// Also with spaces around what would be right: both are compared exactly.
    @Test(
        arguments: Pattern.withLogin,
        [
            ("test@example.com", "1234567"), ("nobody@example.com", "123456"), ("test@example.com", " 123456"),
            ("test@example.com ", "123456"), ("Test@example.com", "123456"), ("test@example.com", " "),
        ]
    )
    func `a login that is not right`(pattern: Pattern, credentials: (String, String)) async throws {
        let client = try GallerySite.visitor()
        let page = try await login(pattern, credentials.0, credentials.1, client)
        #expect(page.status == .unprocessableContent)
        #expect(error(in: page.text) == "Invalid email or password")
        #expect(page.text.contains("value=\"\(credentials.0)\""))
        #expect(!page.text.contains("\"\(credentials.1)\""))
        #expect(try await client.get(pattern.path + "/home").headers[.location] == pattern.path + "/login")
    }

    @Test(arguments: Pattern.withLogin)
    func `a login that is right leads home`(pattern: Pattern) async throws {
        let client = try GallerySite.visitor()
        let response = try await login(pattern, "test@example.com", "123456", client)
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == pattern.path + "/home")
        let home = try await client.get(pattern.path + "/home")
        #expect(home.status == .ok)
        #expect(home.text.contains(#"<h1 id="welcome">Welcome, test@example.com</h1>"#))
        #expect(home.headers[.cacheControl] == "no-store")
    }

    @Test(arguments: Pattern.withLogin)
    func `an error is gone after a login that is right`(pattern: Pattern) async throws {
        let client = try GallerySite.visitor()
        _ = try await login(pattern, "test@example.com", "", client)
        #expect(try await login(pattern, "test@example.com", "123456", client).status == .seeOther)
    }

    @Test(arguments: Pattern.withLogin)
    func `home is for those who have signed in with this pattern`(pattern: Pattern) async throws {
        let client = try GallerySite.visitor()
        for other in Pattern.withLogin where other != pattern {
            #expect(try await login(other, "test@example.com", "123456", client).status == .seeOther)
        }
        let response = try await client.get(pattern.path + "/home")
        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == pattern.path + "/login")
    }

    /// In a browser, the button shows it. Here it is enough that the login waits, and that its loop serves others.
    @Test(arguments: Pattern.withLogin)
    func `while a login is under way, the page says that it loads, and others are served`(pattern: Pattern)
        async throws
    {
        let gate = Gate()
        let application = try GallerySite.application(gate)
        let client = TestClient(application)
        #expect(try await client.get(pattern.path + "/login").text.contains(#"data-busy="Loading…""#))
        async let response = login(pattern, "test@example.com", "123456", client)
        await gate.waitForLogin()
        #expect(try await client.get(pattern.path + "/login").status == .ok)
        gate.open()
        #expect(try await response.headers[.location] == pattern.path + "/home")
    }

    @Test func `all show the same page`() async throws {
        let pages = try await Pattern.withLogin.asyncMap { pattern in
            let client = try GallerySite.visitor()
            let form = try await client.get(pattern.path + "/login").text
            let error = try await login(pattern, "a@b", "c", client).text
            _ = try await login(pattern, "test@example.com", "123456", client)
            let home = try await client.get(pattern.path + "/home").text
            return (form + error + home).replacing(pattern.path, with: "PATH")
                .replacing(pattern.name, with: "NAME").replacing(/\ data-after="[0-9]+"/, with: "")
        }
        for page in pages { #expect(page == pages[0]) }
    }
}
