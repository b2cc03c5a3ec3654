import Roost
import RoostTesting
import Testing

/// A live page as a test sees it, which is as a browser shows it.
@Suite("The live page of a test", .timeLimit(.minutes(5)))
struct TestLivePageTests {
    private struct Page: Encodable { var number: Int }
    private struct ListPage: Encodable { var rows: [Row] }
    private struct Row: Encodable { var id: Int }

    private static let path = Path("/page")
    private static let templates = [
        "bare": #"<title>{{number}}</title>{{liveScript}}<p id="outside">{{number}}</p>"#,
        "main": #"{{liveScript}}<p id="outside">{{number}}</p><main><p id="inside">{{number}}</p></main>"#,
        "form": """
        {{liveScript}}<p id="outside">{{number}}</p>
        <main><form id="form" data-live><input name="a"></form><p id="inside">{{number}}</p></main>
        """,
        "mains": """
        <title>{{number}}</title>{{liveScript}}<main>1</main><p id="outside">{{number}}</p>
        <main><p id="inside">{{number}}</p></main>
        """,
        "nested": """
        {{liveScript}}<div id="a" data-live><p id="b" data-live>{{number}}</p></div><p id="outside">{{number}}</p>
        <ul id="inside" data-live><li>{{number}}</li></ul>
        """,
        "other": """
        {{liveScript}}<p id="outside">{{number}}</p><div id="region-{{number}}" data-live></div>
        <p id="inside">{{number}}</p>
        """,
        "list": #"{{liveScript}}<ul id="rows" data-live>{{#rows}}{{> row}}{{/rows}}</ul>"#,
        "row": #"<li id="row-{{id}}">{{id}}</li>"#,
    ]

    /// What a refresh shows of the number 2 in a page with the number 1.
    private static let refreshes: [(String, String, String?)] = [
        ("bare", "1", nil), ("main", "1", "2"), ("form", "1", "2"), ("mains", "1", "2"), ("nested", "1", "2"),
        ("other", "2", "2"),
    ]

    @Test(arguments: refreshes)
    func `a refresh changes what a browser changes`(view: String, outside: String, inside: String?) async throws {
        let (topic, number) = (Topic<Int>(), SharedValue(1))
        let application = try Application(templates: Templates(sources: Self.templates), middleware: []) { routes in
            routes.get(Self.path) { _ in View(view, Page(number: number.withLock { $0 })) }
            routes.live(Self.path, on: topic)
        }
        let page = try await TestClient(application).live("/page")
        number.withLock { $0 = 2 }
        topic.publish(2)
        try await page.next()
        #expect(page.text(of: "outside") == outside)
        #expect(page.text(of: "inside") == inside)
        if page.html.contains("<title>") { #expect(page.html.contains("<title>2</title>")) }
    }

    @Test func `a stream that is opened again goes on after the last event`() async throws {
        let templates = try Templates(sources: Self.templates)
        let live = try LivePage(templates: templates, fragments: ["row"])
        let application = try Application(templates: templates, middleware: []) { routes in
            routes.get(Self.path) { _ in View("list", ListPage(rows: [])) }
            routes.live(Self.path, on: live)
        }
        let page = try await TestClient(application).live("/page")
        try await live.append(View("row", Row(id: 1)), to: "rows")
        try await page.next()
        try await page.reconnect()
        try await live.append(View("row", Row(id: 2)), to: "rows")
        try await page.next()
        #expect(page.text(of: "rows") == "1 2")
    }

    @Test func `a stream that is opened again after a refresh goes on after what that has shown`() async throws {
        let (topic, number) = (Topic<Int>(), SharedValue(1))
        let application = try Application(templates: Templates(sources: Self.templates), middleware: []) { routes in
            routes.get(Self.path) { _ in View("main", Page(number: number.withLock { $0 })) }
            routes.live(Self.path, on: topic, news: { "\($0) is here." })
        }
        let page = try await TestClient(application).live("/page")
        for value in 2...3 {
            number.withLock { $0 = value }
            topic.publish(value)
            try await page.next()
            try await page.reconnect()
        }
        #expect(page.text(of: "inside") == "3")
        #expect(page.news == ["2 is here.", "3 is here."])
    }
}
