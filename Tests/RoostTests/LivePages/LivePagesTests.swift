import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// A value that handlers and tests share.
final class SharedValue<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        value.withLock { value in body(&value) }
    }
}

/// Live pages, from the route to the page as a browser shows it.
@Suite("Live pages", .timeLimit(.minutes(5)), .quietLog)
struct LivePagesTests {
    struct ListPage: Encodable { var names: [String] }
    struct Row: Encodable { var id: Int; var name: String }

    static let all = Path("/birds")
    static let one = Path("/birds/{id}", Int.self)

    let topic = Topic<String>()
    let names = SharedValue<[String]>(["Ann"])
    let renderings = SharedValue(0)

    static let templates = [
        "layout": "<html><head>{{liveScript}}</head><body>{{$content}}{{/content}}</body></html>",
        "birds": """
        {{<layout}}{{$content}}<h1>{{names.length}}</h1><ul id="birds" data-live>{{#names}}<li>{{.}}</li>{{/names}}</ul>
        <p id="typed">{{first}}</p>{{/content}}{{/layout}}
        """,
        "row": #"<li id="bird-{{id}}">{{name}}</li>"#,
        "two": "<li>1</li><li>2</li>",
        "bare": "<li>1</li>",
        "several": "{{#id}}<li>1</li>{{/id}}{{#name}}<li>2</li>{{/name}}",
        "nameless": "{{#id}}<li>1</li>{{/id}}",
    ]

    func makeTemplates() throws -> Templates { try Templates(sources: Self.templates, missingNames: .empty) }

    func client(
        middleware: [any Middleware] = [], _ declare: @escaping (Routes) -> Void
    ) throws -> TestClient {
        // Time stands still: a rendering is shared for a second.
        let application = try withClock(TestClock()) {
            try Application(templates: makeTemplates(), middleware: middleware, routes: declare)
        }
        return TestClient(application)
    }

    /// A client of the birds' page, which is live.
    func liveClient() throws -> TestClient {
        try client { routes in
            birds(routes)
            routes.live(Self.all, on: topic)
        }
    }

    func birds(_ routes: Routes) {
        routes.get(Self.all) { [self] _ in
            renderings.withLock { $0 += 1 }
            return View("birds", ListPage(names: names.withLock { $0 }))
        }
    }

    func add(_ name: String) {
        names.withLock { $0.append(name) }
        topic.publish(name)
    }

    // MARK: Refreshes

    @Test func `a page asks for itself again after each event of its topic`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.live(Self.all, on: topic) { "\($0) has come." }
        }
        let page = try await client.live("/birds")
        #expect(page.text(of: "birds") == "Ann")
        add("Bob & <b>")
        try await page.next()
        #expect(page.text(of: "birds") == "Ann Bob & <b>")
        #expect(page.news == ["Bob & <b> has come."])
    }

    @Test func `an event between the page and its stream is not missed`() async throws {
        let client = try client { routes in
            routes.get(Self.all) { _ in
                let shown = names.withLock { $0 }
                // The list has been read, and changes before the stream is open.
                if shown.count == 1 { add("Bob") }
                return View("birds", ListPage(names: shown))
            }
            routes.live(Self.all, on: topic)
        }
        let page = try await client.live("/birds")
        #expect(page.text(of: "birds") == "Ann")
        try await page.next()
        #expect(page.text(of: "birds") == "Ann Bob")
    }

    @Test func `a page with a position that is unknown is refreshed at once`() async throws {
        let client = try liveClient()
        for position in ["", "7", "x", "1.2", "-1"] {
            let events = try await client.events("/_live/events?page=/birds&after=\(position)")
            let event = try #require(try await events.next())
            #expect(event.data == "0.0\n{\"action\":\"refresh\"}", "\(position)")
            #expect(event.id == "\(topic.lastID)")
        }
    }

    @Test func `events that do not concern a page pass it by`() async throws {
        let client = try client { routes in
            routes.get(Self.one) { _, id in View("birds", ListPage(names: names.withLock { [$0[id - 1]] })) }
            routes.live(Self.one) { [topic] _, id in [.refreshes(on: topic) { $0.hasSuffix("\(id)") }] }
        }
        try await followFirst(of: client)
    }

    @Test func `the parameters of a path say which events concern its page`() async throws {
        let client = try client { routes in
            routes.get(Self.one) { _, id in View("birds", ListPage(names: names.withLock { [$0[id - 1]] })) }
            routes.live(Self.one, on: topic, where: { $0.hasSuffix("\($1)") }, news: { "It is \($0)." })
        }
        #expect(try await followFirst(of: client).news == ["It is of 1."])
        #expect(try await client.get("/birds/one").status == .notFound)
    }

    /// Opens the page of the first bird, which an event about it reaches, and none about the second.
    @discardableResult
    private func followFirst(of client: TestClient) async throws -> TestLivePage {
        let page = try await client.live("/birds/1")
        topic.publish("of 2")
        names.withLock { $0[0] = "Annabel" }
        topic.publish("of 1")
        try await page.next()
        #expect(page.text(of: "birds") == "Annabel")
        return page
    }

    @Test func `one stream follows several pages, and says which each event is for`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.get(Self.one) { _, id in View("birds", ListPage(names: ["\(id)"])) }
            routes.live(Self.all, on: topic)
            routes.live(Self.one) { [topic] _, id in [.refreshes(on: topic) { $0 == "\(id)" }] }
        }
        let now = topic.lastID
        let events = try await client.events(
            "/_live/events?page=%2Fbirds%3Fname%3Da&after=\(now)&page=/birds/2&after=\(now)")
        topic.publish("2")
        let both = [try await events.next()?.data, try await events.next()?.data]
        #expect(both.map { $0?.prefix(3) ?? "" }.sorted() == ["0.0", "1.0"])
    }

    @Test func `those who see the same share one rendering, and others do not`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.live(Self.all, on: topic, sharedBy: { $0.query["as"] })
        }
        let refresh: Headers = [.liveRefresh: "\(topic.lastID)", .accept: "text/html"]
        for _ in 1...5 { _ = try await client.get("/birds?as=guest", headers: refresh) }
        #expect(renderings.withLock { $0 } == 1)
        _ = try await client.get("/birds?as=guest")  // a person's own request
        _ = try await client.get("/birds", headers: refresh)  // one who shares with nobody
        _ = try await client.get("/birds?as=member", headers: refresh)
        for field: (HTTPField.Name, String) in [
            (.cookie, "session=a"), (.authorization, "Bearer a"), (.accept, "application/json"),
            (.acceptLanguage, "de"), (HTTPField.Name("Host") ?? .from, "other.example"),
        ] {
            var fields = refresh
            fields[field.0] = field.1
            _ = try await client.get("/birds?as=guest", headers: fields)
        }
        #expect(renderings.withLock { $0 } == 9)
        add("Bob")
        let page = try await client.get("/birds?as=guest", headers: refresh)
        #expect(page.text.contains("Bob"))
        #expect(renderings.withLock { $0 } == 10)
        // The viewer knows of an event that has not arrived here: whatever there is may be older.
        var ahead = refresh
        ahead[.liveRefresh] = "\(topic.lastID + 1)"
        for _ in 1...2 { _ = try await client.get("/birds?as=guest", headers: ahead) }
        #expect(renderings.withLock { $0 } == 12)
    }

    // MARK: Patches

    @Test func `fragments change, come, and go`() async throws {
        let live = try LivePage(templates: makeTemplates(), fragments: ["row"])
        let client = try client { routes in
            birds(routes)
            routes.live(Self.all, on: live)
        }
        let page = try await client.live("/birds")
        try await live.append(View("row", Row(id: 7, name: "Bob")), to: "birds", news: "Bob is here.")
        try await live.prepend(View("row", Row(id: 8, name: "Cy & <i>")), to: "birds")
        try await live.patch("bird-7", View("row", Row(id: 7, name: "Rob")))
        try await live.append(View("row", Row(id: 7, name: "Robin")), to: "birds")  // a second time
        for _ in 1...4 { try await page.next() }
        #expect(page.text(of: "birds") == "Cy & <i> Ann Robin")
        #expect(page.outerHTML(of: "bird-8") == #"<li id="bird-8">Cy &amp; &lt;i&gt;</li>"#)
        #expect(page.news == ["Bob is here."])
        try await live.remove("bird-8")
        try await live.replace("bird-7", with: View("row", Row(id: 7, name: "Kim")))
        try await live.remove("nothing")
        for _ in 1...3 { try await page.next() }
        #expect(page.text(of: "birds") == "Ann Kim")
        try await live.visit("/birds/7")
        try await page.next()
        #expect(page.visited == "/birds/7")
    }

    @Test(arguments: [
        (
            "several",
            "The view several cannot be a fragment of a live page: it has 2 root elements: put all of it in one."
        ),
        (
            "nameless",
            "The view nameless cannot be a fragment of a live page: its root element has no id: give <li> one."
        ),
        ("bare", "The view bare cannot be a fragment of a live page: name it among the page's fragments."),
        (
            "row",
            #"The view row cannot be a fragment of a live page: its root element has the id "bird-7" and not "bird-8"."#
        ),
    ])
    func `a view that cannot be a fragment is an error, and nothing is sent`(view: String, message: String) async throws
    {
        let topic = Topic<LiveEvent>()
        let live = try LivePage(templates: makeTemplates(), fragments: ["row", "several", "nameless"], topic: topic)
        let before = topic.lastID
        let error = await #expect(throws: LiveFragmentError.self) {
            try await live.patch("bird-8", View(view, Row(id: 7, name: "Bob")))
        }
        #expect(error?.description == message)
        #expect(topic.lastID == before)
    }

    // MARK: The start

    @Test func `a live route without a page stops the start`() throws {
        let error = #expect(throws: StartError.self) {
            try Application { routes in
                routes.live(Self.all, on: topic, file: "App/Birds.swift", line: 7)
            }
        }
        #expect(
            "\(try #require(error))"
                == "The live page /birds, declared at App/Birds.swift:7, has no route: "
                + "declare routes.get for the same path."
        )
    }

    @Test func `an application without live pages has no route of theirs`() async throws {
        let client = TestClient(
            try Application(templates: Templates(sources: ["a": "b"])) { $0.get(Path("/")) { _ in View("a", [0]) } })
        #expect(client.application.routes.count == 1)
        #expect(try await client.get("/_live/events").status == .notFound)
    }

    @Test func `the script is found by the element of the page, and kept for good`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.get(Path("/plain")) { _ in View("birds", ListPage(names: [])) }
            routes.live(Self.all, on: topic)
        }
        let html = try await client.get("/birds").text
        let path = try #require(html.firstMatch(of: /<script src="([^"]+)" data-after="\d+" defer><\/script>/)?.1)
        let script = try await client.get(String(path))
        #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(script.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(try await client.get("/plain").text.contains("<script src=\"\(path)\" defer></script>"))
    }

    @Test func `a test that follows a page which is not live is told what to do`() async throws {
        let client = try client { birds($0) }
        let error = await #expect(throws: (any Error).self) { try await client.live("/birds") }
        #expect(
            "\(try #require(error))"
                == "/birds is not a live page: declare routes.live, and put {{liveScript}} into its layout")
    }
}
