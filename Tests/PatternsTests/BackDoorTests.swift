import HTTPTypes
import PatternCore
import Roost
import RoostTesting
import Testing

@testable import App

/// The gallery is no way into the site.
@Suite("The gallery opens nothing", .quietLog, .timeLimit(.minutes(5)))
struct BackDoorTests {
    private func visitor(publicURL: String? = nil, _ change: (inout Settings) -> Void = { _ in }) throws -> TestClient {
        var settings = try Settings(["DATABASE_URL": "memory:"])
        settings.root = GallerySite.root
        settings.publicURL = try publicURL.map { try PublicURL($0) }
        change(&settings)
        return TestClient(try makeApp(settings, logger: .current, galleryDelay: .zero))
    }

    /// A test's client sends its cookies to any path, so this holds even for a browser that ignores `Path`.
    @Test(arguments: Pattern.withLogin, ["/home", "/account"])
    func `who signs in at a pattern is a stranger to the site`(pattern: Pattern, path: String) async throws {
        let client = try visitor()
        let stranger = try await client.get(path, headers: [.accept: "text/html"])
        let login = try await client.post(pattern.path + "/login", form: GallerySite.right)
        #expect(login.headers[.location] == pattern.path + "/home")
        #expect(try await client.get(pattern.path + "/home").status == .ok)
        let response = try await client.get(path, headers: [.accept: "text/html"])
        #expect(response.status == stranger.status)
        #expect([.seeOther, .notFound].contains(response.status))
        #expect(response.headers[.location] == stranger.headers[.location])
        #expect(try await client.post("/users", json: ["name": "Ada"]).status == .unauthorized)
        #expect(try await client.get("/").text.contains("test@example.com</a>") == false)
    }

    @Test(arguments: Pattern.withLogin)
    func `who signs in at the site is a stranger to the patterns`(pattern: Pattern) async throws {
        let client = try visitor()
        #expect(try await client.post("/login", form: GallerySite.right).status == .seeOther)
        #expect(try await client.get(pattern.path + "/home").headers[.location] == pattern.path + "/login")
    }

    @Test(arguments: Pattern.withLogin)
    func `the cookie opens the gallery only, and is new with each login`(pattern: Pattern) async throws {
        let client = try visitor()
        let planted = try await client.post(pattern.path + "/login", form: ["email": "", "password": ""])
        let before = try #require(client.cookie("gallery"))
        #expect(planted.headers[values: .setCookie] == ["gallery=\(before); Path=/; HttpOnly; SameSite=Lax"])
        _ = try await client.post(pattern.path + "/login", form: GallerySite.right)
        #expect(try #require(client.cookie("gallery")) != before)
        #expect(client.cookie("session") == nil)
        let old = try await client.get(pattern.path + "/home", headers: [.cookie: "gallery=\(before)"])
        #expect(old.status == .seeOther)
    }

    @Test func `over HTTPS the cookie is secure`() async throws {
        let client = try visitor(publicURL: "https://localhost")
        let response = try await client.post("/patterns/mvc/login", form: GallerySite.right)
        #expect(response.headers[values: .setCookie].allSatisfy { $0.contains("; Secure;") })
        #expect(response.headers[values: .setCookie].count == 1)
    }

    @Test func `a form of another site's page is refused`() async throws {
        var headers: Headers = [:]
        headers["Sec-Fetch-Site"] = "cross-site"
        for pattern in Pattern.withLogin {
            let response = try await visitor().post(pattern.path + "/login", form: GallerySite.right, headers: headers)
            #expect(response.status == .forbidden)
        }
    }

    @Test(arguments: ["/patterns", "/patterns/mvc", "/patterns/mvc/login", "/patterns/mvvm/login"])
    func `PATTERNS=off removes it`(path: String) async throws {
        let client = try visitor { $0.hasPatterns = false }
        #expect(try await client.get(path).status == .notFound)
        #expect(try await client.post(path).status == .notFound)
        #expect(try await client.get("/").text.contains("/patterns") == false)
    }

    @Test func `the navigation of every page leads to it`() async throws {
        for path in ["/", "/login"] {
            #expect(try await visitor().get(path).text.contains("<li><a href=\"/patterns\">Patterns</a></li>"))
        }
        #expect(try await visitor().get("/patterns").text.contains("<a href=\"/patterns\" aria-current=\"page\">"))
    }

    @Test func `the variable is on or off`() throws {
        #expect(try Settings([:]).hasPatterns)
        #expect(try Settings(["PATTERNS": "on"]).hasPatterns)
        #expect(try Settings(["PATTERNS": "off"]).hasPatterns == false)
        #expect(throws: StartError.self) { try Settings(["PATTERNS": "no"]) }
    }
}
