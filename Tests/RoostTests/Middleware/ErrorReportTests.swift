import Roost
import RoostTesting
import Testing

/// The page that a browser gets in development after an unexpected error.
@Suite("The report of an unexpected error", .timeLimit(.minutes(5)))
struct ErrorReportTests {
    private struct Disk: Error, CustomStringConvertible { let description = "the disk <b>is</b> full" }
    private struct Outer: Error, CustomStringConvertible {
        let description = "the order could not be kept"
        let underlying: any Error
    }
    private enum Kinds: Error { case failed(reason: any Error, attempts: Int) }

    private static let browser: Headers = [.accept: "text/html"]

    private static func client(_ log: LogLines, explains: Bool = true, hasPage: Bool = true) throws -> TestClient {
        let page: ErrorPages.Format = .page { error, _ in .html("own page \(error.status)") }
        let pages =
            hasPage
            ? ErrorPages(page, logger: log.logger, explains: explains)
            : ErrorPages(logger: log.logger, explains: explains)
        return TestClient(
            try Application(logger: log.logger, middleware: [RequestIDs(), pages]) { routes in
                routes.get(Path("/orders/{id}/{kind}", Int.self, String.self)) { _, _, _ -> Response in
                    throw Outer(underlying: Kinds.failed(reason: Disk(), attempts: 3))
                }
                routes.get(Path("/known")) { _ -> Response in throw HTTPError(.conflict, "Try again.") }
                routes.get(Path("/template")) { _ in View("none", ["a": 1]) }
            })
    }

    @Test func `it has the error with those inside it, the route and its parameters, and the id`() async throws {
        let log = LogLines()
        let response = try await Self.client(log).get("/orders/7/a%3Cb", headers: Self.browser)
        #expect(response.status == .internalServerError)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        for part in [
            "Outer", "the order could not be kept", "Kinds", "Disk", "the disk &lt;b&gt;is&lt;/b&gt; full",
            "GET /orders/{id}/{kind}", "ErrorReportTests.swift:", "id = 7, kind = a&lt;b",
            response.headers[.requestID] ?? "?",
        ] { #expect(response.text.contains(part), "\(part)") }
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasSuffix(" \(response.headers[.requestID] ?? "?")") == true)
    }

    @Test func `secrets of fields and of the query are left out`() async throws {
        var headers = Self.browser
        headers[.authorization] = "Bearer hunter2"
        headers[.cookie] = "session=hunter2"
        headers[.userAgent] = "Browser 7"
        headers["X-API-Key"] = "hunter2"
        let path = "/orders/7/x?access_token=hunter2&password=hunter2&otp=hunter2&page=4711"
        let response = try await Self.client(LogLines()).get(path, headers: headers)
        #expect(!response.text.contains("hunter2"))
        #expect(response.text.contains("Browser 7") && response.text.contains("4711"))
        #expect(response.text.contains("access_token") && response.text.contains("X-API-Key"))
    }

    @Test func `an error that was meant has the site's own page`() async throws {
        let response = try await Self.client(LogLines()).get("/known", headers: Self.browser)
        #expect(response.status == .conflict && response.text == "own page 409")
    }

    @Test func `a program gets problem details`() async throws {
        let response = try await Self.client(LogLines()).get("/orders/7/x")
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text.contains("the order could not be kept"))
    }

    @Test(arguments: [true, false])
    func `in production nobody gets any of it`(hasPage: Bool) async throws {
        let log = LogLines()
        let client = try Self.client(log, explains: false, hasPage: hasPage)
        for headers in [Self.browser, [:], [.accept: "text/plain"]] {
            let response = try await client.get("/orders/7/x", headers: headers)
            #expect(response.status == .internalServerError)
            for secret in ["disk", "Disk", "order could", "Outer", "Kinds", ".swift"] {
                #expect(!response.text.contains(secret), "\(secret)")
            }
        }
        #expect(log.all.count == 3)
    }
}
