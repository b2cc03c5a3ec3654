import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("The window of development", .timeLimit(.minutes(5)))
struct DevelopmentWindowTests {
    private static func application() throws -> Application {
        let templates = try Templates(sources: ["page": "Hello {{name}}"])
        return try Application(templates: templates) { routes in
            routes.get(Path("/page")) { _ in View("page", ["name": "Nelson"]) }
            routes.get(Path("/wait")) { _ in
                await Task.yield()
                return "waited"
            }
            routes.get(Path("/nests/{id}", Int.self)) { _, id in "nest \(id)" }
            routes.get(Path("/fails")) { _ -> String in throw Broken() }
        }
    }

    private struct Broken: Error {}

    private static func page(_ client: TestClient, _ path: String) async throws -> String {
        let response = try await client.get(path)
        #expect(response.status == .ok)
        return response.text
    }

    @Test func `an application that does not run in development has no window`() async throws {
        let client = TestClient(try Self.application())
        #expect(try await client.get("/_roost").status == .notFound)
        #expect(try await client.get("/wait").headers[.serverTiming] == nil)
    }

    @Test func `the list has the requests, the newest first, and each leads to its timeline`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        _ = try await client.get("/page")
        _ = try await client.get("/wait")
        let list = try await Self.page(client, "/_roost")
        let paths = list.split(separator: "\n").filter { $0.contains("GET /") }
        #expect(paths.count == 2 && paths.first?.contains("GET /wait") == true)
        let timeline = try await Self.page(client, "/_roost/requests/1")
        #expect(timeline.contains("<strong class=\"grow\">handler</strong>"))
        #expect(timeline.contains("<strong class=\"grow\">template</strong>"))
        #expect(timeline.contains("<pre>page</pre>"))
        #expect(try await client.get("/_roost/requests/9").status == .notFound)
    }

    @Test func `each middleware has a step with its own time`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        _ = try await client.get("/page")
        let timeline = try await Self.page(client, "/_roost/requests/1")
        let names = ["RequestIDs", "RequestLog", "SecurityHeaders", "ErrorPages", "CrossOriginProtection", "Routes"]
        let steps = timeline.split(separator: "<pre>").dropFirst()
        #expect(steps.prefix(names.count).map { $0.prefix { $0.isLetter } } == names.map { $0[...] })
    }

    @Test func `a step has the time of what is inside it taken off`() throws {
        let timeline = RequestTimeline(1)
        for (kind, start, duration) in [(StepKind.handler, 3, 10), (.middleware, 2, 14), (.middleware, 1, 30)] {
            timeline.add(
                TimelineEntry(
                    kind: kind, text: "", start: .milliseconds(start), duration: .milliseconds(duration)))
        }
        let recorded = RecordedRequest(try Request(.get, "/"), nil, timeline)
        let times = recorded.entries.indices.map { recorded.ownTime(of: $0) }
        #expect(times == [.milliseconds(16), .milliseconds(4), .milliseconds(10)])
    }

    @Test func `sums have their number of things`() throws {
        let timeline = RequestTimeline(1)
        for kind in [StepKind.statement, .statement, .template, .outgoing, .outgoing] {
            timeline.add(TimelineEntry(kind: kind, text: "", start: .zero, duration: .zero))
        }
        let timing = RecordedRequest(try Request(.get, "/"), nil, timeline).serverTiming
        let sums = timing.split(separator: ", ").map { $0.split(separator: ";dur=")[0] }
        #expect(
            sums == ["sql;desc=\"2 statements\"", "template;desc=\"1 template\"", "http;desc=\"2 requests\"", "total"])
    }

    @Test func `a service has a page of its own, and says what is wrong`() async throws {
        let application = try Application(services: [Part(fails: false), Part(fails: true)]) { _ in }
        let client = TestClient(try application.showingWindow)
        let page = try await Self.page(client, "/_roost/parts/Eggs")
        #expect(page.contains("<strong>Egg 1</strong>") && page.contains("<span class=\"warning\">cold</span>"))
        #expect(page.contains("<a href=\"/_roost/parts/Eggs\">Eggs</a>"))
        #expect(try await Self.page(client, "/_roost/parts/Broken").contains("This cannot be shown: Broken"))
        #expect(try await client.get("/_roost/parts/Nothing").status == .notFound)
    }

    private struct Part: WindowPart, Service {
        let fails: Bool
        var windowTitle: String { fails ? "Broken" : "Eggs" }

        func start() async throws {}
        func stop() async {}
        func windowRows() async throws -> [WindowPartRow] {
            if fails { throw Broken() }
            return [WindowPartRow("Egg 1", "white", warning: "cold")]
        }
    }

    @Test func `a route that changes something has a form that its page's script sends`() async throws {
        let application = try Application { routes in
            routes.post(Path("/eggs")) { _ in "laid" }
            routes.get(Path("/eggs")) { _ in "eggs" }
        }
        let page = try await Self.page(TestClient(application.showingWindow), "/_roost/routes")
        #expect(page.contains("data-method=\"POST\"") && !page.contains("data-method=\"GET\""))
        #expect(page.contains("aria-label=\"Body for POST /eggs: JSON or a form\""))
    }

    @Test func `the buttons of the routes have different names`() async throws {
        let application = try Application { routes in
            routes.post(Path("/eggs")) { _ in "laid" }
            routes.get(Path("/eggs")) { _ in "eggs" }
        }
        let page = try await Self.page(TestClient(application.showingWindow), "/_roost/routes")
        #expect(page.contains("<button aria-label=\"Try GET /eggs\">Try GET</button>"))
        #expect(page.contains("<button aria-label=\"Send POST /eggs\">Send POST</button>"))
    }

    @Test func `the browser's tools get the times`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        let timing = try await client.get("/page").headers[.serverTiming]
        let names = (timing ?? "").split(separator: ",").map { $0.split(separator: ";")[0].drop { $0 == " " } }
        #expect(names == ["middleware", "handler", "template", "total"])
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "192.0.2.1"])
    func `a page elsewhere whose name leads here sees nothing`(host: String) async throws {
        let application = try Self.application().showingWindow
        let client = TestClient(application, host: host)
        #expect(try await client.get("/_roost").status == .notFound)
        #expect(try await client.get("/page").headers[.serverTiming] == nil)
    }

    @Test func `other machines, proxies and pages of other sites see nothing`() async throws {
        let application = try Self.application().showingWindow
        let far = TestClient(application, peer: .tcp(try #require(IPAddress("192.0.2.7")), port: 1))
        #expect(try await far.get("/_roost").status == .notFound)
        let client = TestClient(application)
        let signs: [(String, String)] = [
            ("X-Forwarded-For", "192.0.2.7"), ("Referer", "https://evil.example/"), ("Origin", "https://evil.example"),
        ]
        for (name, value) in signs {
            let headers: Headers = [try #require(HTTPField.Name(name)): value]
            #expect(try await client.get("/_roost", headers: headers).status == .notFound, "\(name)")
        }
    }

    @Test func `it has no place where others see the site, nor where an application has something of its own`() throws {
        let application = try Self.application()
        #expect(application.hasRoomForWindow([:]))
        #expect(application.hasRoomForWindow(["PUBLIC_URL": "http://localhost:3000"]))
        #expect(!application.hasRoomForWindow(["PUBLIC_URL": "https://example.com"]))
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("10.0.0.0/8"))
        #expect(!(try Application(configuration: configuration) { _ in }.hasRoomForWindow([:])))
        for path in ["/_roost", "/_roost/own"] {
            #expect(!(try Application { routes in routes.get(Path(path)) { _ in "own" } }.hasRoomForWindow([:])))
        }
    }

    @Test func `addresses that are none of its pages are the application's`() async throws {
        let application = try Application { routes in
            routes.fallback { request in "the application's \(request.path)" }
        }
        let client = TestClient(try application.showingWindow)
        for path in ["/_roost/other", "/_roostery", "/_roost/reloadXYZ", "/_roost/requestsX"] {
            #expect(try await client.get(path).text == "the application's \(path)")
        }
    }

    @Test func `a request in HTTP/1.0, as proxies send it, sees nothing`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        for (version, status) in [("1.1", HTTPResponse.Status.ok), ("1.0", .notFound)] {
            let connection = try await client.connect()
            try await connection.send("GET /_roost HTTP/\(version)\r\nHost: 127.0.0.1:3000\r\n\r\n")
            #expect(try await connection.readResponse(to: .get).status == status)
        }
    }

    @Test func `the handler has its step whatever stands before it`() async throws {
        let application = try Application(middleware: [Plain()]) { routes in routes.get(Path("/page")) { _ in "page" } }
        let client = TestClient(try application.showingWindow)
        let timing = try await client.get("/page").headers[.serverTiming]
        #expect(timing?.contains("handler;dur=") ?? false)
    }

    private struct Plain: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response { try await next(request) }
    }

    @Test func `settings are those in force`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBodySize = 12_345
        let application = try Application(configuration: configuration) { _ in }
        let page = try await Self.page(TestClient(application.showingWindow), "/_roost/settings")
        #expect(page.contains("<code>12345</code> <span class=\"soft\">the program</span>"))
    }

    @Test func `what a plan keeps counts`() {
        let timeline = RequestTimeline(1)
        for _ in 0..<20 { timeline.begin(.statement, "SELECT").end { $0.kept = 8000 } }
        #expect(timeline.entries.count == 8)
    }

    @Test func `values are escaped, and queries and fields are not kept`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        let headers: Headers = [.authorization: "Bearer hush", .cookie: "a=hush"]
        _ = try await client.get("/%3Cscript%3Ealert(1)%3C/script%3E?token=hush", headers: headers)
        let list = try await Self.page(client, "/_roost")
        #expect(!list.contains("<script>alert") && !list.contains("hush"))
        #expect(try await !Self.page(client, "/_roost/requests/1").contains("hush"))
    }

    @Test func `the page of an unexpected error leads to its timeline`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        let response = try await client.get("/fails", headers: [.accept: "text/html"])
        #expect(response.status == .internalServerError)
        #expect(response.text.contains("href=\"/_roost/requests/1\""))
        #expect(try await Self.page(client, "/_roost/requests/1").contains("Broken"))
    }

    @Test func `routes and settings are shown, and a route can be tried on this site alone`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        let routes = try await Self.page(client, "/_roost/routes")
        #expect(routes.contains("value=\"/nests/{id}\""))
        #expect(try await Self.page(client, "/_roost/settings").contains("MAX_BODY_SIZE"))
        #expect(try await client.get("/_roost/try?path=/nests/3").headers[.location] == "/nests/3")
        // Before a variation selector, the second slash is no character of its own.
        let elsewhere = ["//evil.example", "https://evil.example", "/%5Cevil.example", "/%2F%EF%B8%8Fevil.example"]
        for path in elsewhere {
            #expect(try await client.get("/_roost/try?path=\(path)").headers[.location] == "/_roost/routes")
        }
    }

    @Test func `the last 200 requests are kept`() async throws {
        let client = TestClient(try Self.application().showingWindow)
        for _ in 0..<201 { _ = try await client.get("/wait") }
        #expect(try await client.get("/_roost/requests/1").status == .notFound)
        #expect(try await client.get("/_roost/requests/2").status == .ok)
    }

    @Test func `a timeline keeps 64 KiB`() {
        let timeline = RequestTimeline(1)
        for _ in 0..<100 { timeline.note(.log, String(repeating: "x", count: 5000)) }
        #expect(timeline.entries.reduce(0) { $0 + $1.text.utf8.count } < 64 << 10)
        #expect(timeline.entries.count + timeline.dropped == 100)
    }
}
