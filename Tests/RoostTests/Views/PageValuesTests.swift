import HTTPTypes
import Roost
import RoostTesting
import Testing

/// The values that every page shows beside its own.
@Suite("Values for every page", .timeLimit(.minutes(5)))
struct PageValuesTests {
    private struct Page: Encodable, Sendable {
        var text = "own"
    }

    private struct Values: Encodable, Sendable {
        var visitor: String?
        var text = "given"
        var unused = "unused"
    }

    /// The same, written by itself.
    private struct HotValues: Encodable, Sendable, SelfWriting {
        let visitor: String?

        func write(to fields: inout Fields) {
            fields.add("visitor", visitor)
            fields.add("text", "given")
        }
    }

    private struct HotPage: SelfWriting {
        func write(to fields: inout Fields) { fields.add("text", "hot") }
    }

    private struct Secret: Error, CustomStringConvertible { let description = "the store is down" }

    private static let browser: Headers = [.accept: "text/html"]

    private static func templates() throws -> Templates {
        let layout = "{{#visitor}}<b>{{.}}</b>{{/visitor}}{{^visitor}}Sign in{{/visitor}} {{$content}}{{/content}}"
        return try Templates(sources: [
            "layout": layout,
            "page": "{{<layout}}{{$content}}{{text}}{{/content}}{{/layout}}",
            "error": "{{<layout}}{{$content}}{{status}} {{text}}{{/content}}{{/layout}}",
            "broken": "{{<layout}}{{$content}}{{nothing}}{{/content}}{{/layout}}",
        ])
    }

    /// Returns the visitor of a request's session; it waits, as the store of sessions may.
    @Sendable private static func visitor(_ request: Request) async throws -> any Encodable & Sendable {
        await Task.yield()
        let session = try await request.session
        return Values(visitor: session["visitor"])
    }

    private struct Blocking: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            request.query["blocked"] == nil ? try await next(request) : .view("page", Page(), status: .forbidden)
        }
    }

    private struct BlockingAtOnce: Filter {
        func before(_ request: inout Request) throws -> Response? {
            if request.query["refused"] != nil { throw HTTPError(.forbidden) }
            return request.query["before"] == nil ? nil : .view("page", Page(), status: .forbidden)
        }

        func after(_ response: inout Response, to request: Request) {
            if request.query["after"] != nil { response = .view("page", Page(), status: .forbidden) }
        }
    }

    /// Notes the size of the content that a page has at this point.
    private struct Counting: Filter {
        func after(_ response: inout Response, to request: Request) {
            response.headers["X-Count"] = response.body.count.map { "\($0)" } ?? "unknown"
        }
    }

    private static func client(
        _ log: LogLines = LogLines(),
        errors: String = "error",
        explains: Bool = false,
        values: @escaping @Sendable (Request) async throws -> any Encodable & Sendable = visitor
    ) throws -> TestClient {
        let pages = ErrorPages(.page { error, _ in .view(errors, error) }, logger: log.logger, explains: explains)
        let application = try Application(
            logger: log.logger, templates: try templates(), pageValues: values,
            middleware: [pages, Sessions(MemorySessionStore(), isHTTPS: false), BlockingAtOnce()]
        ) { routes in
            routes.get(Path("/sign-in/{name}", String.self)) { request, name in
                try await request.session["visitor"] = name
                return "welcome"
            }
            routes.group(middleware: [Counting()]) { routes in
                routes.get(Path("/view")) { _ in View("page", Page()) }
                routes.get(Path("/hot")) { _ in View("page", HotPage()) }
                routes.get(Path("/response")) { _ in Response.view("page", Page(), status: .accepted) }
                routes.get(Path("/late")) { _ async throws -> View in
                    await Task.yield()
                    return View("page", Page())
                }
                routes.get(Path("/negotiated")) { $0.negotiate(json: Page(), html: View("page", Page())) }
                routes.get(Path("/json")) { _ in JSON(Page()) }
                routes.get(Path("/broken")) { _ in View("broken", Page()) }
            }
            routes.group(Path("/waiting"), middleware: [Blocking()]) { routes in
                routes.get(Path("/view")) { _ in View("page", Page()) }
                routes.get(Path("/unknown")) { _ -> Response in throw HTTPError(.notFound) }
                routes.fallback { _ in View("page", Page(), status: .gone) }
            }
        }
        return TestClient(application)
    }

    @Test(arguments: [
        "/view", "/response", "/late", "/negotiated", "/waiting/view", "/waiting/nowhere", "/waiting/view?blocked",
        "/view?before", "/json?after", "/late?after",
    ])
    func `a page shows them beside its own`(path: String) async throws {
        let client = try Self.client()
        #expect(try await client.get(path, headers: Self.browser).text == "Sign in own")
        _ = try await client.get("/sign-in/Ann")
        let response = try await client.get(path, headers: Self.browser)
        #expect(response.text == "<b>Ann</b> own")
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        // Whose page it is was asked of the session.
        #expect(response.headers[.cacheControl] == "no-store")
    }

    private enum Who: RequestKey { typealias Value = String }

    /// Gives a request its user, as a guard does.
    private struct Naming: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            var request = request
            request[Who.self] = "Ann"
            return try await next(request)
        }
    }

    @Test func `a page shows what the guard around it knows`() async throws {
        let application = try Application(
            templates: try Self.templates(), pageValues: { Values(visitor: $0[Who.self]) }, middleware: []
        ) { routes in
            for (prefix, middleware) in [("guarded", [Naming()]), ("open", [])] {
                routes.group(Path("/\(prefix)"), middleware: middleware) { group in
                    group.get(Path("/late")) { _ async throws -> View in
                        await Task.yield()
                        return View("page", Page())
                    }
                    group.get(Path("/now")) { _ in View("page", Page()) }
                }
            }
        }
        let client = TestClient(application)
        for path in ["late", "now"] {
            #expect(try await client.get("/guarded/\(path)").text == "<b>Ann</b> own")
            #expect(try await client.get("/open/\(path)").text == "Sign in own")
        }
    }

    @Test func `middleware around a page sees its content`() async throws {
        for path in ["/view", "/response", "/late"] {
            let response = try await Self.client().get(path)
            #expect(response.headers["X-Count"] == "11")
        }
    }

    @Test func `types that write themselves show them, and can be these values`() async throws {
        let client = try Self.client { _ in HotValues(visitor: "Bo") }
        #expect(try await client.get("/hot").text == "<b>Bo</b> hot")
        #expect(try await client.get("/view").text == "<b>Bo</b> own")
        #expect(try await Self.client().get("/hot").text == "Sign in hot")
    }

    @Test(arguments: ["/nowhere", "/waiting/unknown", "/view?refused"])
    func `an error page has them`(path: String) async throws {
        let client = try Self.client()
        let status = path == "/view?refused" ? 403 : 404
        let visited = try await client.get(path, headers: Self.browser)
        #expect(visited.status.code == status)
        #expect(visited.text == "Sign in \(status) given")
        _ = try await client.get("/sign-in/Ann")
        let response = try await client.get(path, headers: Self.browser)
        #expect(response.status.code == status)
        #expect(response.text == "<b>Ann</b> \(status) given")
        #expect(response.headers[.cacheControl] == "no-store")
    }

    private struct Marking: Filter {
        let name: String

        func after(_ response: inout Response, to request: Request) {
            response.headers.append(.via, "\(name) \(response.body.count ?? -1)")
        }
    }

    @Test(arguments: ["/view", "/late", "/nowhere", "/fails"])
    func `each middleware runs once, around the page that has been made`(path: String) async throws {
        let logger = LogLines().logger
        let pages = ErrorPages(.page { error, _ in .view("error", error) }, logger: logger)
        let application = try Application(
            logger: logger, templates: try Self.templates(), pageValues: { _ in Values() },
            middleware: [Marking(name: "outer"), pages, Marking(name: "inner")]
        ) { routes in
            routes.get(Path("/view")) { _ in View("page", Page()) }
            routes.get(Path("/late")) { _ async throws -> View in
                await Task.yield()
                return View("page", Page())
            }
            routes.get(Path("/fails")) { _ async throws -> View in
                await Task.yield()
                throw HTTPError(.conflict)
            }
        }
        let response = try await TestClient(application).get(path, headers: Self.browser)
        let isError = ["/nowhere", "/fails"].contains(path)
        let count = response.body.count
        let expected = (isError ? [] : ["inner \(count)"]) + ["outer \(count)"]
        #expect(response.headers[values: .via] == expected)
    }

    @Test func `a message is shown once, on an error page too`() async throws {
        let log = LogLines()
        let application = try Application(
            logger: log.logger, templates: try Self.templates(),
            pageValues: { request in
                let session = try await request.session
                defer { session["message"] = nil }
                return Values(visitor: session["message"])
            },
            middleware: [
                Sessions(MemorySessionStore(), isHTTPS: false),
                ErrorPages(.page { error, _ in .view("error", error) }, logger: log.logger),
            ]
        ) { routes in
            routes.get(Path("/save")) { request in
                try await request.session["message"] = "Saved"
                return "saved"
            }
        }
        let client = TestClient(application)
        _ = try await client.get("/save")
        #expect(try await client.get("/nowhere", headers: Self.browser).text == "<b>Saved</b> 404 given")
        #expect(try await client.get("/nowhere", headers: Self.browser).text == "Sign in 404 given")
    }

    @Test func `they are not made for a response without a page`() async throws {
        let client = try Self.client { _ in throw Secret() }
        #expect(try await client.get("/json").text == #"{"text":"own"}"#)
        #expect(try await client.get("/negotiated").text == #"{"text":"own"}"#)
        #expect(try await client.get("/nowhere").headers[.contentType] == "application/problem+json")
    }

    @Test func `when they fail, so does the page, and a plain one is shown`() async throws {
        let log = LogLines()
        let client = try Self.client(log) { _ in throw Secret() }
        let response = try await client.get("/view", headers: Self.browser)
        #expect(response.status == .internalServerError)
        #expect(response.text.contains("<h1>500 Internal Server Error</h1>"))
        #expect(log.all.count == 2)
        #expect(log.all.first?.contains("GET /view: the store is down") == true)
        #expect(log.all.last?.contains("the error page itself failed: the store is down") == true)
    }

    @Test(arguments: ["/nowhere", "/waiting/unknown"])
    func `an error page whose template fails is logged, and a plain one is shown`(path: String) async throws {
        let log = LogLines()
        let response = try await Self.client(log, errors: "broken").get(path, headers: Self.browser)
        #expect(response.status == .notFound)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.text.contains("<h1>404 Not Found</h1>"))
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("the error page itself failed: ") == true)
        let explained = try await Self.client(errors: "broken", explains: true).get(path, headers: Self.browser)
        #expect(explained.status == .notFound)
        #expect(explained.text.contains("<code>broken.mustache:1:"))
    }

    @Test func `a page whose template fails is an error with a page`() async throws {
        let response = try await Self.client().get("/broken", headers: Self.browser)
        #expect(response.status == .internalServerError)
        #expect(response.text == "Sign in 500 given")
    }

    @Test func `their samples are checked with the samples of pages`() throws {
        let page = View("page", Page())
        let error = View("error", ErrorPage(status: 404, title: "Not Found"))
        let templates = try Templates(sources: [
            "page": "{{#visitor}}{{.}}{{/visitor}}{{^visitor}}-{{/visitor}} {{text}}", "error": "{{visitor}}{{status}}",
        ])
        try templates.check([page, error], pageValues: [Values(visitor: "Ann"), Values()])
        let unseen = #expect(throws: TemplateErrors.self) {
            try templates.check([page, error], pageValues: [Values(visitor: "Ann")])
        }
        #expect(unseen?.errors.count == 1)
        #expect(throws: TemplateErrors.self) { try templates.check([page, error]) }
    }
}
