import Roost
import RoostTesting
import Testing

@Suite("Links that choose a language", .quietLog, .timeLimit(.minutes(5)))
struct LanguageLinkTests {
    private static func client(cookie: String? = "language") throws -> TestClient {
        let german = MessageTable("de", ["Hello": "Guten Tag"])
        let languages = Languages([.english, german], cookie: cookie)
        return TestClient(
            try Application(middleware: [languages] + Application.standardMiddleware()) { routes in
                routes.get(Path("/")) { $0.messages.text("Hello") }
                routes.get(Path("/later")) { _ in Response(.noContent) }
            })
    }

    @Test func `a link goes before the browser, and is kept`() async throws {
        let client = try Self.client()
        let page = try await client.get("/?language=de", headers: [.acceptLanguage: "en"])
        #expect(page.text == "Guten Tag")
        let cookie = try #require(page.headers[.setCookie])
        #expect(cookie.hasPrefix("language=de; Path=/; Max-Age=31536000"))
        #expect(try await client.get("/", headers: [.acceptLanguage: "en"]).text == "Guten Tag")
        #expect(try await client.get("/?language=en").text == "Hello")
        #expect(try await client.get("/", headers: [.acceptLanguage: "de"]).text == "Hello")
    }

    @Test(arguments: ["xx", "", "de%0D%0AX: y", "de;x", "%FF"])
    func `one that is not there chooses nothing`(language: String) async throws {
        let language = language.replacing(" ", with: "+")
        let page = try await Self.client().get("/?language=\(language)", headers: [.acceptLanguage: "de"])
        #expect(page.text == "Guten Tag")
        #expect(page.headers[.setCookie] == nil)
    }

    @Test func `an error page is in the language of the link, and keeps it`() async throws {
        let page = try await Self.client().get("/nowhere?language=de")
        #expect(page.status == .notFound && page.headers[.contentLanguage] == "de")
        #expect(page.headers[.setCookie] != nil)
    }

    @Test func `without a cookie's name, a query means nothing`() async throws {
        let page = try await Self.client(cookie: nil).get("/?language=de", headers: [.acceptLanguage: "en"])
        #expect(page.text == "Hello" && page.headers[.setCookie] == nil)
    }
}
