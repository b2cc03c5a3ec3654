import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

@Suite("Protection of the site", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct ProtectionTests {
    /// The fields that browsers send in each situation, and whether a form may be sent.
    private static let situations: [([String: String], Bool)] = [
        (["Sec-Fetch-Site": "same-origin"], true),
        (["Sec-Fetch-Site": "none"], true),
        (["Sec-Fetch-Site": "same-site"], false),
        (["Sec-Fetch-Site": "cross-site"], false),
        (["Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"], true),
        (["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"], false),
        (["Sec-Fetch-Site": "nonsense"], false),
        (["Origin": "http://localhost"], true),
        (["Origin": "http://localhost:8080"], false),
        (["Origin": "https://evil.example"], false),
        (["Origin": "http://localhost.evil.example"], false),
        (["Origin": "null"], false),
        ([:], true),
    ]

    @Test func `other sites' pages cannot send forms`() async throws {
        // Over HTTPS, where a session does not look at these fields.
        let client = try Site.visitor(publicURL: "https://localhost")
        for (fields, isAllowed) in Self.situations {
            var headers: Headers = [:]
            for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
            let form = try await client.post("/login", form: LoginControllerTests.right, headers: headers)
            #expect(form.status == (isAllowed ? .seeOther : .forbidden), "\(fields)")
            let json = try await client.post("/logout", json: [String: String](), headers: headers)
            #expect(json.status == (isAllowed ? .noContent : .forbidden), "\(fields)")
            #expect(try await client.get("/users", headers: headers).status == .ok, "\(fields)")
        }
    }

    @Test(arguments: ["/", "/users", "/style.css", "/nothing", "/home"])
    func `every response tells browsers what the site never does`(path: String) async throws {
        let headers = try await Site.visitor().get(path, headers: Site.browser).headers
        let policy = try #require(headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'self'"))
        #expect(!policy.contains("unsafe-inline"))
        #expect(headers[.xContentTypeOptions] == "nosniff")
        for (name, value) in [
            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "strict-origin-when-cross-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] {
            let name = try #require(HTTPField.Name(name))
            #expect(headers[name] == value)
        }
        #expect(headers[.crossOriginResourcePolicy] == "same-origin")
        #expect(headers[.strictTransportSecurity] == nil)
    }

    @Test func `an error is a page for browsers and problem details for programs`() async throws {
        let client = try Site.visitor()
        let page = try await client.get("/nothing", headers: Site.browser)
        #expect(page.status == .notFound)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.text.contains("<h1>Not Found</h1>"))
        let problem = try await client.get("/nothing")
        #expect(problem.headers[.contentType] == "application/problem+json")
        #expect(problem.text.contains(#""status":404"#))
        let id = try #require(problem.headers[.requestID])
        #expect(problem.text.contains(id))
    }

    @Test(arguments: [
        ("/style.css", "text/css; charset=utf-8"), ("/app.js", "text/javascript; charset=utf-8"),
        ("/favicon.ico", "image/x-icon"), ("/favicon.svg", "image/svg+xml"), ("/mark.svg", "image/svg+xml"),
    ])
    func `assets have their content type, and HEAD no body`(path: String, type: String) async throws {
        let client = try Site.visitor()
        let file = try await client.get(path)
        #expect(file.status == .ok)
        #expect(file.headers[.contentType] == type)
        let head = try await client.head(path)
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == "\(file.body.count)")
        #expect(head.body.isEmpty)
    }

    @Test func `no path leads out of the public folder`() async throws {
        let client = try Site.visitor()
        for path in [
            "/../Package.swift", "/..%2fPackage.swift", "/%2e%2e/Package.swift", "/.%2e/Package.swift", "/.gitignore",
            "/style.css/", "//style.css", "/style.css/../../Package.swift", "/..%5CPackage.swift", "/%2fetc/passwd",
            "/etc/passwd",
        ] { #expect(try await client.get(path).status == .notFound, "\(path)") }
    }
}
