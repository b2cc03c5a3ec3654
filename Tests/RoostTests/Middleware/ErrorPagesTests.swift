import Roost
import RoostTesting
import Testing

@Suite("Pages for errors", .timeLimit(.minutes(5)))
struct ErrorPagesTests {
    private struct Secret: Error, CustomStringConvertible {
        let description = "the password is 123456\nforged line"
    }

    private static let browser: Headers = [.accept: "text/html"]

    private static func client(
        _ log: LogLines = LogLines(),
        explains: Bool = false,
        page: (@Sendable (ErrorPage, Request) throws -> Response)? = nil
    ) throws -> TestClient {
        let pages =
            if let page {
                ErrorPages(.page(page), logger: log.logger, explains: explains)
            } else {
                ErrorPages(logger: log.logger, explains: explains)
            }
        return try TestClient(log: log, middleware: [RequestIDs(), pages]) { routes in
            routes.get(Path("/known")) { _ -> Response in throw HTTPError(.conflict, "Try <b>again</b>.") }
            routes.get(Path("/bare")) { _ -> Response in throw HTTPError(.gone) }
            routes.get(Path("/headers")) { _ -> Response in
                var error = HTTPError(.serviceUnavailable, headers: [.retryAfter: "7"])
                error.headers.append(.setCookie, "a=b")
                error.headers.append(.setCookie, "c=d")
                throw error
            }
            routes.get(Path("/secret/{name}", String.self)) { _, _ -> Response in throw Secret() }
        }
    }

    @Test(arguments: [nil, "*/*", "application/json", "application/problem+json", "image/png", "text/html;q=0"])
    func `a program gets problem details`(accept: String?) async throws {
        let response = try await Self.client().get("/known", headers: accept.map { [.accept: $0] } ?? [:])
        #expect(response.status == .conflict)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.vary] == "Accept")
        let id = try #require(response.headers[.requestID])
        #expect(
            response.text
                == #"{"title":"Conflict","status":409,"detail":"Try <b>again</b>.","request_id":"\#(id)"}"#
        )
    }

    @Test func `a client that asks for plain text gets it`() async throws {
        let client = try Self.client()
        let response = try await client.get("/known", headers: [.accept: "text/plain"])
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(response.text == "409 Conflict\n\nTry <b>again</b>.\n")
        #expect(try await client.get("/bare", headers: [.accept: "text/plain"]).text == "410 Gone\n")
    }

    @Test func `a browser gets a page, in which a message is text`() async throws {
        let client = try Self.client()
        let response = try await client.get("/known", headers: Self.browser)
        #expect(response.status == .conflict)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        #expect(response.text.contains("409 Conflict"))
        #expect(response.text.contains("Try &lt;b&gt;again&lt;/b&gt;."))
        #expect(try await client.get("/bare", headers: Self.browser).text.contains("<h1>410 Gone</h1></html>"))
    }

    @Test(arguments: [[:], browser])
    func `an unexpected error is logged once with its id, and the client is not told`(headers: Headers) async throws {
        let log = LogLines()
        let response = try await Self.client(log).get("/secret/x%0Aforged", headers: headers)
        #expect(response.status == .internalServerError)
        #expect(!response.text.contains("password"))
        #expect(log.all.count == 1)
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("127.0.0.1 GET /secret/x%0Aforged: the password is 123456"))
        #expect(line.hasSuffix(" " + (response.headers[.requestID] ?? "?")))
        #expect(!line.contains("\n"))
    }

    /// A handler whose own child was cancelled, by itself; the client waits for a response.
    @Test(arguments: ["/now", "/later", "/session"])
    func `a cancellation of the handler's own is an error like any other`(path: String) async throws {
        let log = LogLines()
        let around: [any Middleware] = [
            RequestIDs(), SecurityHeaders(isHTTPS: false), ErrorPages(logger: log.logger, explains: false),
            Sessions(MemorySessionStore(), isHTTPS: true),
        ]
        let client = try TestClient(log: log, middleware: around) { routes in
            routes.get(Path("/now")) { _ -> Response in throw CancellationError() }
            routes.get(Path("/later")) { _ async throws -> Response in
                let child = Task {
                    await Latch().wait()
                    try Task.checkCancellation()
                }
                child.cancel()
                try await child.value
                return Response()
            }
            routes.get(Path("/session")) { request async throws -> Response in
                try await request.session["a"] = "b"
                throw CancellationError()
            }
        }
        let response = try await client.get(path)
        #expect(response.status == .internalServerError)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        let id = try #require(response.headers[.requestID])
        #expect(log.all == ["127.0.0.1 GET \(path): CancellationError() \(id)"])
    }

    @Test func `the log does not show the query, which may hold secrets`() async throws {
        let log = LogLines()
        _ = try await Self.client(log).get("/secret/x?token=hunter2")
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasPrefix("127.0.0.1 GET /secret/x: the password is 123456") ?? false, "\(log.all)")
    }

    @Test(arguments: [[:], browser])
    func `in development the client is told`(headers: Headers) async throws {
        let response = try await Self.client(explains: true).get("/secret/x", headers: headers)
        #expect(response.text.contains("the password is 123456"))
    }

    @Test func `an error that was meant is not logged`() async throws {
        let log = LogLines()
        #expect(try await Self.client(log).get("/known").status == .conflict)
        #expect(log.all.isEmpty)
    }

    /// An error of another layer, in whose text is what a visitor typed.
    private struct Refusal: ResponseError, CustomStringConvertible {
        let httpError: HTTPError?
        let description = "hunter2 is there"
    }

    private static let refusals: [(HTTPError?, [String])] = [
        (HTTPError(.conflict, "This is taken."), ["info 127.0.0.1 GET /: hunter2 is there"]),
        (HTTPError(.conflict, "hunter2 is there"), []),
        (HTTPError(.unprocessableContent, parts: [.init("/name", "hunter2 is there")]), []),
        (HTTPError(.serviceUnavailable, "hunter2 is there"), ["error 127.0.0.1 GET /: hunter2 is there"]),
        (nil, ["error 127.0.0.1 GET /: hunter2 is there"]),
    ]

    @Test(arguments: refusals)
    func `a client's mistake is no error in the log, and what the client is told is not in it`(
        meant: HTTPError?, lines: [String]
    ) async throws {
        let log = LogLines()
        let pages = ErrorPages(logger: log.logger, explains: false)
        let client = try TestClient(log: log, middleware: [pages]) { routes in
            routes.get(Path("/")) { _ -> Response in throw Refusal(httpError: meant) }
        }
        #expect(try await client.get("/").status == meant?.status ?? .internalServerError)
        #expect(log.allWithLevels == lines)
    }

    @Test(arguments: [[:], browser])
    func `an error's fields are kept`(headers: Headers) async throws {
        let client = try Self.client()
        let response = try await client.get("/headers", headers: headers)
        #expect(response.headers[.retryAfter] == "7")
        #expect(response.headers[values: .setCookie] == ["a=b", "c=d"])
        #expect(try await client.request(.post, "/known", headers: headers).headers[.allow] == "GET, HEAD, OPTIONS")
    }

    @Test func `an application's page is shown to browsers, with the error's status`() async throws {
        let client = try Self.client { error, request in
            Response.html("\(error.status) \(error.title) \(error.message ?? "-") \(request.path)")
        }
        let response = try await client.get("/bare", headers: Self.browser)
        #expect(response.status == .gone)
        #expect(response.text == "410 Gone - /bare")
        #expect(try await client.get("/bare").headers[.contentType] == "application/problem+json")
        #expect(try await client.head("/bare", headers: Self.browser).status == .gone)
    }

    @Test func `a page that itself fails is logged, and a plain one takes its place`() async throws {
        let log = LogLines()
        let client = try Self.client(log) { _, _ in throw Secret() }
        let response = try await client.get("/known", headers: Self.browser)
        #expect(response.status == .conflict)
        #expect(response.text.contains("<h1>409 Conflict</h1>"))
        #expect(log.all.count == 1)
        #expect(log.all.allSatisfy { !$0.contains("\n") })
    }
}
