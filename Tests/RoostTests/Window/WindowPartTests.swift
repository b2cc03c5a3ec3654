import CoreMetrics
import Logging
import RoostTesting
import Testing

@testable import Roost

/// The parts of the window that are the framework's own, and how its pages stay up to date.
@Suite("The parts of the window", .timeLimit(.minutes(5)), .quietLog)
struct WindowPartTests {
    private static let nests = Path("/nests/{id}", Int.self)

    private func application(_ services: [any Service] = []) throws -> Application {
        let topic = Topic<Int>()
        let templates = try Templates(sources: ["nest": "{{liveScript}}<main id=\"nest\" data-live>{{id}}</main>"])
        return try Application(services: services, templates: templates) { routes in
            routes.get(Self.nests) { _, id in View("nest", ["id": id]) }
            routes.live(Self.nests, on: topic)
            routes.get(Path("/plain")) { _ in "plain" }
        }
    }

    @Test func `the list shows a request as soon as it has been made`() async throws {
        let client = TestClient(try application().showingWindow)
        let page = try await client.live("/_roost")
        #expect(page.text(of: "requests") == "No request has come yet.")
        _ = try await client.get("/plain")
        try await page.next()
        #expect(page.text(of: "request-1")?.hasPrefix("200 GET /plain") == true)
        _ = try await client.get("/missing")
        try await page.next()
        #expect(page.text(of: "request-2")?.hasPrefix("404 GET /missing") == true)
        // Its own requests and stream are not among them.
        #expect(page.text(of: "requests")?.contains("_roost") == false)
    }

    @Test func `the window has a stream and a script of its own, for this machine alone`() async throws {
        let application = try application().showingWindow
        let client = TestClient(application)
        let list = try await client.get("/_roost").text
        let script = try #require(list.firstRange(of: "<script src=\"/_roost/_live/")).lowerBound
        let path = try #require(list[script...].split(separator: "\"").dropFirst().first.map(String.init))
        #expect(try await client.get(path).text == LiveScript.text)
        let far = TestClient(application, host: "evil.example")
        for path in [path, "/_roost/_live/events?page=/_roost&after=0"] {
            #expect(try await far.get(path).status == .notFound)
        }
        // It does not lead to the application's pages, nor the application's stream to those of the window.
        for (stream, page) in [("/_roost/_live/events", "/nests/7"), ("/_live/events", "/_roost")] {
            let events = try await client.events("\(stream)?page=\(page)&after=0")
            #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
        }
    }

    @Test func `live pages are shown with the browsers that look at them`() async throws {
        let client = TestClient(try application().showingWindow)
        #expect(try await client.get("/_roost/parts/Live").text.contains("<strong>/nests/{id}</strong>"))
        // What comes first for a position that nobody knows shows that the stream has begun.
        let events = try await client.events("/_live/events?page=/nests/7&after=x")
        #expect(try await events.next()?.data == "0.0\n{\"action\":\"refresh\"}")
        let shown = try await client.get("/_roost/parts/Live").text
        #expect(shown.contains("<strong>/nests/7</strong> <span class=\"grow\">1 browser</span>"))
        events.close()
    }

    @Test func `two parts of one title have a page each`() async throws {
        let client = TestClient(try application([Part(), Part()]).showingWindow)
        for path in ["/_roost/parts/Eggs", "/_roost/parts/Eggs2"] {
            #expect(try await client.get(path).text.contains("<strong>Egg</strong>"))
        }
    }

    private struct Part: WindowPart, Service {
        var windowTitle: String { "Eggs" }

        func start() async throws {}
        func stop() async {}
        func windowRows() -> [WindowPartRow] { [WindowPartRow("Egg", "white")] }
    }

    @Test func `loops are shown with their connections, their delay, and what has blocked them`() throws {
        let metrics = PrometheusMetrics()
        let loop = LoopMetrics(metrics, loop: 0)
        loop.tick([.idle: 3, .websocket: 1])
        for _ in 1...2 { metrics.countBlockedLoop(0, ["/slow"]) }
        metrics.countBlockedLoop(0, ["/slow", "/other"])
        metrics.countBlockedLoop(10, ["/else"])
        let rows = LoopsPart(metrics: metrics, count: 2).windowRows()
        #expect(rows.map(\.title) == ["Loop 0", "Loop 1"])
        #expect(rows[0].text == "Connections: 3 idle, 1 websocket. The latest second came 0.00 ms late.")
        #expect(rows[0].warning == "blocked 2 times, route=\"/slow\"; blocked once, route=\"unknown\"")
        #expect(rows[1].text.hasPrefix("Connections: none.") && rows[1].warning == nil)
    }

    @Test func `the window measures for itself, and the application's page of loops is there`() async throws {
        let application = try application().showingWindow
        #expect(application.metrics is PrometheusMetrics)
        #expect(try await TestClient(application).get("/_roost/parts/Loops").text.contains("<strong>Loop 0</strong>"))
    }

    @Test func `settings that the program has read are shown with their sources, and secrets are masked`() async throws
    {
        var reader = SettingsReader(["WINDOW_TEST_COLOUR": "green", "WINDOW_TEST_KEY": "hush-hush"])
        _ = reader.read(Setting<String>("WINDOW_TEST_COLOUR", default: "red"))
        _ = reader.read(Setting<String?>("WINDOW_TEST_KEY", isSecret: true))
        try reader.check()
        let page = try await TestClient(application().showingWindow).get("/_roost/settings").text
        #expect(page.contains(">WINDOW_TEST_COLOUR</code>\n<code>green</code> <span class=\"soft\">environment</span>"))
        #expect(page.contains("WINDOW_TEST_KEY") && !page.contains("hush-hush"))
    }
}
