import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// The right to get the events of a page.
extension LivePagesTests {
    private struct Gate: Filter {
        func before(_ request: inout Request) throws -> Response? {
            guard request.headers[.authorization] == nil else { return nil }
            throw HTTPError(.unauthorized)
        }
    }

    @Test func `a stream passes the middleware of its page, wherever it is declared`() async throws {
        let client = try client { routes in
            routes.live(Self.all, on: topic)
            routes.group(middleware: [Gate()]) { birds($0) }
        }
        let events = try await client.events("/_live/events?page=/birds&after=\(topic.lastID)")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
        #expect(try await events.next() == nil)
        let page = try await client.live("/birds", headers: [.authorization: "Bearer x"])
        add("Bob")
        try await page.next()
        #expect(page.text(of: "birds") == "Ann Bob")
    }

    @Test(arguments: [HTTPResponse.Status.serviceUnavailable, .tooManyRequests])
    func `a failure that passes is no refusal`(status: HTTPResponse.Status) async throws {
        let client = try client { routes in
            routes.get(Self.all) { _ in "birds" }
            routes.live(Self.all) { _ in throw HTTPError(status) }
        }
        #expect(try await client.get("/_live/events?page=/birds&after=1").status == status)
    }

    @Test(arguments: [["flaky", "birds"], ["birds", "flaky"], ["flaky", "birds", "flaky"]], [true, false])
    func `a page that fails now keeps no other from being followed`(pages: [String], isExpected: Bool) async throws {
        struct Oops: Error {}
        let flaky = Path("/flaky")
        let client = try client { routes in
            birds(routes)
            routes.live(Self.all, on: topic)
            routes.get(flaky) { _ in "flaky" }
            routes.live(flaky) { _ in
                guard isExpected else { throw Oops() }
                throw HTTPError(.serviceUnavailable)
            }
        }
        let query = pages.map { "page=/\($0)&after=\(topic.lastID)" }.joined(separator: "&")
        let events = try await client.events("/_live/events?\(query)")
        add("Bob")
        let place = try #require(pages.firstIndex(of: "birds"))
        #expect(try await events.next()?.data == "\(place).0\n{\"action\":\"refresh\"}")
    }

    @Test func `a page whose sources are not known now is not shown, since it would never change`() async throws {
        let status = SharedValue(HTTPResponse.Status.serviceUnavailable)
        let client = try client { routes in
            routes.get(Self.all) { _ in "birds" }
            routes.live(Self.all) { _ in throw HTTPError(status.withLock { $0 }) }
        }
        #expect(try await client.get("/birds").status == .serviceUnavailable)
        status.withLock { $0 = .notFound }
        #expect(try await client.get("/birds").text == "birds")
    }

    @Test func `a stream counts as one request, whatever pages it follows`() async throws {
        let client = try client(middleware: [RateLimit(3, per: .hours(1))]) { routes in
            birds(routes)
            routes.live(Self.all, on: topic)
        }
        let pages = [String](repeating: "page=/birds&after=1", count: 8).joined(separator: "&")
        let events = try await client.events("/_live/events?\(pages)")
        #expect(try await events.next() != nil)
        #expect(try await client.get("/birds").headers["RateLimit-Remaining"] == "1")
    }

    @Test func `a limit around a group counts each stream that opens pages in it`() async throws {
        let client = try client { routes in
            routes.group(middleware: [RateLimit(2, per: .hours(1)), Gate()]) { birds($0) }
            routes.live(Self.all, on: topic)
        }
        let both = try await client.events("/_live/events?page=/birds&after=1&page=/birds&after=1")
        for place in 0...1 { #expect(try await both.next()?.data == "\(place)\n{\"action\":\"gone\"}") }
        let one = try await client.events("/_live/events?page=/birds&after=1")
        #expect(try await one.next()?.data == "0\n{\"action\":\"gone\"}")
        // Whoever tries keys at the gate gets no more tries by a stream than by the page.
        let key: Headers = [.authorization: "Bearer x"]
        for path in ["/_live/events?page=/birds&after=1", "/birds"] {
            #expect(try await client.get(path, headers: key).status == .tooManyRequests, "\(path)")
        }
    }

    @Test func `a client with larger fields than usual follows a page, if the server takes them`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumHeaderSize = 64 << 10
        configuration.maximumHeaderCount = 200
        let client = TestClient(
            try Application(configuration: configuration, templates: makeTemplates(), middleware: []) { routes in
                birds(routes)
                routes.live(Self.all, on: topic)
            })
        var headers: Headers = [:]
        let name = try #require(HTTPField.Name("Filler"))
        for _ in 0..<160 { headers.append(name, String(repeating: "x", count: 256)) }
        let events = try await client.events("/_live/events?page=/birds&after=x", headers: headers)
        #expect(try await events.next()?.data == "0.0\n{\"action\":\"refresh\"}")
    }

    /// Refuses by the path, around everything.
    private struct Wall: Filter {
        func before(_ request: inout Request) throws -> Response? {
            request.path.hasPrefix("/birds") ? Response(.forbidden) : nil
        }
    }

    @Test func `the middleware of the application guards a page's events as it guards the page`() async throws {
        let client = try client(middleware: [Wall()]) { routes in
            birds(routes)
            routes.live(Self.all, on: topic)
        }
        let events = try await client.events("/_live/events?page=/birds&after=\(topic.lastID)")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
    }

    @Test(arguments: [true, false])
    func `a stream ends with the session that its page asks for`(isOfApplication: Bool) async throws {
        let sessions = Sessions(MemorySessionStore(), isHTTPS: false)
        struct NeedsName: Middleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                guard try await request.session["name"] != nil else { throw HTTPError(.unauthorized) }
                return try await next(request)
            }
        }
        let client = try client(middleware: isOfApplication ? [sessions] : []) { routes in
            routes.group(middleware: isOfApplication ? [] : [sessions]) { routes in
                routes.post(Path("/in")) { request in
                    try await request.session["name"] = "Ann"
                    return "in"
                }
                routes.post(Path("/out")) { request in
                    try await request.session.end()
                    return "out"
                }
                routes.group(middleware: [NeedsName()]) { birds($0) }
            }
            routes.live(Self.all, on: topic)
        }
        _ = try await client.post("/in")
        let page = try await client.live("/birds")
        add("Bob")
        try await page.next()
        #expect(page.text(of: "birds") == "Ann Bob")
        _ = try await client.post("/out")
        try await page.waitForEnd()
        try await page.reconnect()
        try await page.next()
        #expect(page.isRefused)
    }

    @Test(arguments: ["/other", "/birds/7", "//", "*", "/birds%0d%0aX: y", "http://example.com/birds", "/_live/events"])
    func `a page that is not live is refused`(page: String) async throws {
        let client = try liveClient()
        let query = Form([("page", page), ("after", "1")]).urlEncoded
        let events = try await client.events("/_live/events?\(query)")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
    }

    @Test func `a stream runs no handler of a page that is not live`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.get(Path("/owls")) { [self] _ in
                renderings.withLock { $0 += 1 }
                return View("birds", ListPage(names: []))
            }
            routes.live(Self.all, on: topic)
        }
        let events = try await client.events("/_live/events?page=/owls&after=1")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
        #expect(renderings.withLock { $0 } == 0)
    }

    @Test(arguments: ["", "page=/birds", "page=/birds&after=1&page=/birds"])
    func `a stream names its pages, each with a position`(query: String) async throws {
        let client = try liveClient()
        #expect(try await client.get("/_live/events?\(query)").status == .badRequest)
        let many = (0...16).map { "page=/birds&after=\($0)" }.joined(separator: "&")
        #expect(try await client.get("/_live/events?\(many)").status == .badRequest)
    }

    @Test(arguments: ["/_live/events?page=/birds&after=1", "/%5Flive/events?page=%2Fbirds&after=1"])
    func `a stream is no page, however its address is written`(page: String) async throws {
        let client = try liveClient()
        let query = Form([("page", page), ("after", "1")]).urlEncoded
        let events = try await client.events("/_live/events?\(query)")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
        #expect(try await events.next() == nil)
    }

    @Test func `a page that follows nothing does not end the stream of others`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.get(Self.one) { _, id in "\(id)" }
            routes.live(Self.all, on: topic)
            routes.live(Self.one) { _, _ in [] }
        }
        let now = topic.lastID
        let events = try await client.events("/_live/events?page=/birds/1&after=&page=/birds&after=\(now)")
        #expect(try await events.next()?.data == "0\n{\"action\":\"gone\"}")
        add("Bob")
        #expect(try await events.next()?.data == "1.0\n{\"action\":\"refresh\"}")
    }

    @Test func `groups whose names look the same in Unicode share nothing`() async throws {
        let client = try client { routes in
            birds(routes)
            routes.live(Self.all, on: topic, sharedBy: { $0.headers["Team"] })
        }
        for team in ["\u{E9}", "e\u{301}", "\u{E9}"] {
            let name = try #require(HTTPField.Name("Team"))
            _ = try await client.get(
                "/birds", headers: [.liveRefresh: "\(topic.lastID)", .accept: "text/html", name: team])
        }
        #expect(renderings.withLock { $0 } == 2)
    }
}
