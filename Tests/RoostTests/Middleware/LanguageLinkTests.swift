import Roost
import RoostTesting
import Testing

@Suite("Links that choose a language", .quietLog, .timeLimit(.minutes(5)))
struct LanguageLinkTests {
    private static func client(parameter: String? = "language") throws -> TestClient {
        let german = MessageTable("de", ["Hello": "Guten Tag"])
        let languages = Languages([.english, german], cookie: "language", parameter: parameter)
        return TestClient(
            try Application(middleware: [languages] + Application.standardMiddleware()) { routes in
                routes.get(Path("/")) { $0.messages.text("Hello") }
                routes.post(Path("/")) { $0.messages.text("Hello") }
            })
    }

    @Test func `a link goes before the browser, is kept, and leads back to its page`() async throws {
        let client = try Self.client()
        let choice = try await client.get("/?language=de", headers: [.acceptLanguage: "en"])
        #expect(choice.status == .seeOther && choice.headers[.location] == "/")
        #expect(choice.headers[.cacheControl] == "no-store")
        #expect(choice.headers[.setCookie]?.hasPrefix("language=de; Path=/; Max-Age=31536000") == true)
        #expect(try await client.get("/", headers: [.acceptLanguage: "en"]).text == "Guten Tag")
        #expect(try await client.get("/?language=en").status == .seeOther)
        #expect(try await client.get("/", headers: [.acceptLanguage: "de"]).text == "Hello")
    }

    @Test(arguments: [
        ("/?language=de&next=%2Fnotes%3Fa&a=%C3%BC+b", "/?next=%2Fnotes%3Fa&a=%C3%BC%20b"),
        ("/?a=1&language=de&a=2&language=en", "/?a=1&a=2"), ("/nowhere/%2F?language=de", "/nowhere/%2F"),
    ])
    func `the rest of the address stays`(url: String, location: String) async throws {
        let choice = try await Self.client().get(url)
        #expect(choice.headers[.location]?.replacing("+", with: "%20") == location)
    }

    @Test(arguments: ["//other.example/?language=de", "/%0D%0AX:y?language=de", "/\\other.example?language=de"])
    func `no address leads elsewhere`(url: String) async throws {
        let location = try await Self.client().get(url).headers[.location] ?? "/"
        #expect(LocalPath(location) != nil, "\(location)")
    }

    @Test(arguments: ["xx", "", "de%0D%0AX:+y", "de;x", "%FF"])
    func `one that is not there chooses nothing`(language: String) async throws {
        let page = try await Self.client().get("/?language=\(language)", headers: [.acceptLanguage: "de"])
        #expect(page.text == "Guten Tag")
        #expect(page.headers[.setCookie] == nil)
    }

    @Test(arguments: [false, true])
    func `the choice passes the middleware that stands behind, of the application or of a group`(
        inGroup: Bool
    ) async throws {
        let log = LogLines()
        let middleware: [any Middleware] =
            [Languages([.english, MessageTable("de")], cookie: "language", parameter: "language")]
            + Application.standardMiddleware(logger: log.logger) + [AllowedHosts(["example.com"], allowsLocal: false)]
        let application = try Application(middleware: inGroup ? [] : middleware) { routes in
            routes.group(middleware: inGroup ? middleware : []) { $0.get(Path("/")) { $0.messages.language } }
        }
        let choice = try await TestClient(application, host: "example.com").get("/?language=de")
        #expect(choice.status == .seeOther && choice.headers[.setCookie] != nil)
        #expect(choice.headers[.contentSecurityPolicy] != nil && choice.headers["X-Request-ID"] != nil)
        #expect(choice.headers[.setCookie]?.contains("Secure") == false)
        #expect(log.all.count == 1 && log.all.first?.contains("GET / 303") == true, "\(log.all)")
        let other = try await TestClient(application, host: "other.example").get("/?language=de")
        #expect(other.status == .misdirectedRequest && other.headers[.setCookie] == nil)
    }

    @Test func `over HTTPS the cookie is for that only`() async throws {
        let languages = Languages(
            [.english, MessageTable("de")], cookie: "language", parameter: "language", isHTTPS: true)
        let client = TestClient(try Application(middleware: [languages]) { $0.get(Path("/")) { _ in "" } })
        #expect(try await client.get("/?language=de").headers[.setCookie]?.contains("; Secure") == true)
    }

    @Test func `only a page can be asked for so, and only where a parameter is named`() async throws {
        let client = try Self.client()
        #expect(try await client.post("/?language=de").text == "Hello")
        let other = try Self.client(parameter: nil)
        let page = try await other.get("/?language=de", headers: [.acceptLanguage: "en"])
        #expect(page.text == "Hello" && page.headers[.setCookie] == nil)
    }
}
