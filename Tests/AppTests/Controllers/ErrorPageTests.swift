import HTTPTypes
import Roost
import RoostTesting
import Testing

@testable import App

/// The visitor on an error page.
@Suite("The site's error pages", .quietLog, .eachProtocol, .timeLimit(.minutes(5)))
struct ErrorPageTests {
    /// The fields that a form of another site sends.
    private static var foreign: Headers {
        var fields = Site.browser
        fields[.origin] = "http://evil.example"
        return fields
    }

    @Test func `a visitor is asked to sign in`() async throws {
        let page = try await Site.visitor().get("/nowhere", headers: Site.browser)
        #expect(page.status == .notFound)
        #expect(page.text.contains("Sign in") && !page.text.contains("Sign out"))
    }

    @Test(arguments: ["/nowhere", "/users/77", "/users?limit=0"])
    func `a visitor who is signed in is not`(path: String) async throws {
        let page = try await Site.member().get(path, headers: Site.browser)
        #expect(page.status == (path.hasSuffix("=0") ? .badRequest : .notFound))
        #expect(page.text.contains("test@example.com") && page.text.contains("Sign out"))
        #expect(!page.text.contains("Sign in"))
        #expect(page.headers[.cacheControl] == "no-store")
    }

    @Test func `a visitor who is refused before the session is read is not asked either`() async throws {
        let member = try await Site.member()
        let refused = try await member.post("/users", form: ["name": "Eve"], headers: Self.foreign)
        #expect(refused.status == .forbidden)
        #expect(refused.text.contains("403") && !refused.text.contains("Sign in"))
        let other = try await member.request(.put, "/users", headers: Site.browser)
        #expect(other.status == .methodNotAllowed)
        #expect(other.text.contains("test@example.com"))
    }

    @Test func `a program's error asks for no session`() async throws {
        let response = try await Site.member().get("/nowhere")
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.cacheControl] == nil)
    }

    @Test func `when nobody knows who is signed in, a page says neither`() async throws {
        let values = await SiteValues(try Request(.get, "/"))
        #expect(values.signedInAs == nil && !values.isSignedOut)
    }
}
