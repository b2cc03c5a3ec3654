import RoostTesting
import Testing

@testable import Roost

@Suite("Messages over a redirect", .timeLimit(.minutes(5)))
struct FlashTests {
    private static let key = SigningKey.random()

    private static func client(isHTTPS: Bool = false, host: String = "localhost") throws -> TestClient {
        let middleware: [any Middleware] = [
            ErrorPages(logger: LogLines().logger), Flash(key: key, isHTTPS: isHTTPS),
        ]
        return try TestClient(host: host, middleware: middleware) { routes in
            routes.post(Path("/")) { request in
                for message in try request.form()[values: "say"] { try request.flash(message) }
                return Response.redirect(to: "/")
            }
            routes.get(Path("/")) { $0.takeFlash().joined(separator: "|") }
            routes.get(Path("/twice")) { "\($0.takeFlash().count) \($0.takeFlash().count)" }
            routes.get(Path("/other")) { _ in "other" }
            routes.get(Path("/news")) { request in
                let shown = request.takeFlash().joined(separator: "|")
                try request.flash("news")
                return shown
            }
            routes.get(Path("/minute")) { request in
                Response(headers: [.cacheControl: "max-age=60"], body: Body(request.takeFlash().joined()))
            }
            for (path, field) in [("/encoded", "Accept-Encoding"), ("/negotiated", "Accept")] {
                routes.get(Path(path)) { request in
                    Response(headers: [.vary: field], body: Body(request.takeFlash().joined()))
                }
            }
            routes.get(Path("/same")) { _ in Response(headers: [.cacheControl: "max-age=60"], body: Body("same")) }
        }
    }

    @Test func `the next page shows them once, in their order`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/").text.isEmpty)
        _ = try await client.post("/", form: Form([("say", "Ann was added."), ("say", "<b>\n\r\nü")]))
        #expect(try await client.get("/other").text == "other")
        #expect(try await client.get("/").text == "Ann was added.|<b> ü")
        #expect(client.cookie("flash") == nil)
        #expect(try await client.get("/").text.isEmpty)
        _ = try await client.post("/", form: ["say": "a"])
        #expect(try await client.get("/twice").text == "1 0")
    }

    @Test func `what no page has shown stays in front of new ones, and goes with them`() async throws {
        let client = try Self.client()
        _ = try await client.post("/", form: ["say": "first"])
        _ = try await client.post("/", form: Form([("say", "second"), ("say", "third")]))
        #expect(try await client.get("/", headers: [.liveRefresh: "7"]).text.isEmpty)
        _ = try await client.post("/", form: ["say": "fourth"])
        #expect(try await client.get("/").text == "first|second|third|fourth")
        #expect(client.cookie("flash") == nil)
        #expect(try await client.get("/").text.isEmpty)
    }

    @Test func `a page that takes them and leaves one leaves no other`() async throws {
        let client = try Self.client()
        _ = try await client.post("/", form: ["say": "a"])
        #expect(try await client.get("/news").text == "a")
        #expect(try await client.get("/news").text == "news")
        #expect(try await client.get("/").text == "news")
        #expect(client.cookie("flash") == nil)
    }

    @Test func `of more than a cookie holds, the oldest are dropped`() async throws {
        let client = try Self.client()
        let many = (10...49).map { "\($0)" + String(repeating: "x", count: 98) }
        #expect(try await client.post("/", form: Form(many.map { ("say", $0) })).status == .seeOther)
        #expect(try await client.post("/", form: ["say": "last"]).status == .seeOther)
        #expect(try await client.get("/").text == (many.suffix(28) + ["last"]).joined(separator: "|"))
    }

    @Test func `as many as a cookie holds are kept, over HTTPS, too`() async throws {
        let full = [String(repeating: "a", count: 1450), String(repeating: "b", count: 1449)]
        let form = Form(full.map { ("say", $0) })
        let secure = try await Self.client(isHTTPS: true, host: "example.com").post("/", form: form)
        #expect(secure.status == .seeOther)
        let cookie = try #require(secure.headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-flash=") && cookie.prefix { $0 != ";" }.utf8.count <= 4096)
        let client = try Self.client()
        _ = try await client.post("/", form: form)
        #expect(try await client.get("/").text == full.joined(separator: "|"))
    }

    @Test(arguments: ["z", "ö", "鸟", "🦉"])
    func `a message that no cookie holds is cut behind a character`(character: String) async throws {
        let client = try Self.client()
        let long = String(repeating: character, count: 3200 / character.utf8.count)
        #expect(try await client.post("/", form: Form([("say", "first"), ("say", long)])).status == .seeOther)
        let shown = try await client.get("/").text
        #expect(shown.hasSuffix(character + "…") && long.hasPrefix(shown.dropLast()))
        #expect((2890...2900).contains(shown.utf8.count))
        let fitting = String(repeating: "z", count: 2900)
        _ = try await client.post("/", form: ["say": fitting])
        #expect(try await client.get("/").text == fitting)
    }

    @Test func `a live page that fetches itself leaves them to the page that a person sees`() async throws {
        let client = try Self.client()
        _ = try await client.post("/", form: ["say": "Ann was added."])
        #expect(try await client.get("/", headers: [.liveRefresh: "7"]).text.isEmpty)
        #expect(try await client.get("/").text == "Ann was added.")
    }

    private struct Page: Encodable, Sendable { var title = "Nests" }

    private struct Shown: Encodable, Sendable { let flash: [String] }

    @Test(arguments: [("/nowhere", 404), ("/refused", 403), ("/later", 409)])
    func `a page of an error does not show them, and leaves them to the next page`(
        path: String, status: Int
    ) async throws {
        let logger = LogLines().logger
        let templates = try Templates(sources: [
            "page": "{{title}}{{#flash}} {{.}}{{/flash}}", "error": "{{status}}{{#flash}} {{.}}{{/flash}}",
        ])
        let pages = ErrorPages(.page { error, _ in .view("error", error) }, logger: logger)
        let application = try Application(
            logger: logger, templates: templates, pageValues: { request in Shown(flash: request.takeFlash()) },
            middleware: [pages, Flash(key: Self.key, isHTTPS: false)]
        ) { routes in
            routes.post(Path("/")) { request in
                try request.flash("Saved.")
                return Response.redirect(to: "/")
            }
            routes.get(Path("/")) { _ in View("page", Page()) }
            routes.get(Path("/refused")) { _ -> View in throw HTTPError(.forbidden) }
            routes.get(Path("/later")) { _ async throws -> View in
                await Task.yield()
                throw HTTPError(.conflict)
            }
        }
        let client = TestClient(application)
        _ = try await client.post("/")
        let response = try await client.get(path, headers: [.accept: "text/html"])
        #expect(response.text == "\(status)")
        #expect(!response.headers.contains(.setCookie))
        #expect(try await client.get("/").text == "Nests Saved.")
        #expect(try await client.get("/").text == "Nests")
    }

    @Test func `a page without messages sets no cookie and stays as it is`() async throws {
        let client = try Self.client()
        for path in ["/", "/other"] {
            let response = try await client.get(path)
            #expect(!response.headers.contains(.setCookie))
            #expect(!response.headers.contains(.cacheControl))
        }
        _ = try await client.post("/", form: ["say": "a"])
        #expect(try await client.get("/").headers[.cacheControl] == "no-store")
    }

    @Test func `a page that has looked for messages is kept only for those without any`() async throws {
        let client = try Self.client()
        let page = try await client.get("/minute")
        #expect(page.text.isEmpty && page.headers[.cacheControl] == "max-age=60")
        #expect(page.headers[.vary] == "Cookie")
        #expect(try await client.get("/same").headers[.vary] == nil)
        _ = try await client.post("/", form: ["say": "a"])
        let shown = try await client.get("/minute")
        #expect(shown.text == "a" && shown.headers[.cacheControl] == "no-store")
        let stranger = try await client.get("/minute", headers: [.cookie: "flash=forged"])
        #expect(stranger.text.isEmpty && stranger.headers[.vary] == "Cookie")
    }

    /// Some caches keep it for a time of their own.
    @Test func `a page that does not say how it may be kept is kept only for those without messages, too`()
        async throws
    {
        let client = try Self.client()
        #expect(try await client.get("/").headers[.vary] == "Cookie")
        #expect(try await client.get("/other").headers[.vary] == nil)
        #expect(try await client.get("/encoded").headers[.vary] == "Accept-Encoding, Cookie")
        #expect(try await client.get("/negotiated").headers[.vary] == "Accept")
    }

    @Test func `a sentence is left in the visitor's language`() async throws {
        let german = MessageTable("de", ["{name} was added.": "{name} ist dabei."])
        let middleware: [any Middleware] = [
            Languages([.english, german]), Flash(key: Self.key, isHTTPS: false),
        ]
        let client = try TestClient(middleware: middleware) { routes in
            routes.post(Path("/")) { request in
                try request.flash(Sentence("{name} was added.", ["name": "Ann"]))
                return Response.redirect(to: "/")
            }
            routes.get(Path("/")) { $0.takeFlash().joined() }
        }
        _ = try await client.post("/", headers: [.acceptLanguage: "de"])
        #expect(try await client.get("/").text == "Ann ist dabei.")
        _ = try await client.post("/")
        #expect(try await client.get("/").text == "Ann was added.")
    }

    @Test func `the cookie is signed, and only this host's over HTTPS`() async throws {
        let client = try Self.client(isHTTPS: true, host: "example.com")
        let cookie = try #require(try await client.post("/", form: ["say": "a"]).headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-flash="))
        #expect(cookie.hasSuffix("; Path=/; Max-Age=300; Secure; HttpOnly; SameSite=Lax"))
        let other = SignedCookie("flash", key: .random(), maxAge: .seconds(300), isHTTPS: false)
        var forged = Response()
        try other.set("You have won.", on: &forged)
        let value = try #require(forged.headers[.setCookie]?.prefix { $0 != ";" })
        #expect(try await Self.client().get("/", headers: [.cookie: String(value)]).text.isEmpty)
    }

    @Test func `behind a proxy that says so, it is a cookie of HTTPS`() async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let application = try Application(
            configuration: configuration, middleware: [Flash(key: Self.key, isHTTPS: false)]
        ) { routes in
            routes.post(Path("/")) { request in
                try request.flash("Saved.")
                return "kept"
            }
            routes.get(Path("/")) { $0.takeFlash().joined() }
        }
        let client = TestClient(application, host: "example.com")
        var headers: Headers = [:]
        headers["X-Forwarded-Proto"] = "https"
        let cookie = try #require(try await client.post("/", headers: headers).headers[.setCookie])
        #expect(cookie.hasPrefix("__Host-flash=") && cookie.contains("; Secure"))
        headers[.cookie] = String(cookie.prefix { $0 != ";" })
        #expect(try await TestClient(application, host: "example.com").get("/", headers: headers).text == "Saved.")
    }

    @Test func `over plain HTTP it stays on this machine`() async throws {
        let client = try Self.client(host: "example.com")
        #expect(!(try await client.post("/", form: ["say": "a"]).headers.contains(.setCookie)))
    }

    @Test func `a route without the middleware says what to do`() async throws {
        let log = LogLines()
        let client = try TestClient(log: log, middleware: [ErrorPages(logger: log.logger)]) { routes in
            routes.get(Path("/")) { request in
                try request.flash("a")
                return ""
            }
        }
        #expect(try await client.get("/").status == .internalServerError)
        #expect(log.all.contains { $0.contains("add Flash(key: …)") })
    }
}
