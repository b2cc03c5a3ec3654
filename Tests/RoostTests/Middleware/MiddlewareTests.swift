import Logging
import Roost
import RoostTesting
import Testing

@Suite("The chain of middleware", .timeLimit(.minutes(5)))
struct MiddlewareTests {
    private struct Oops: Error {}

    /// Notes on a log when it is entered and left, and how.
    private struct Noting: Middleware {
        let name: String
        let log: LogLines

        func respond(to request: Request, next: Next) async throws -> Response {
            log.logger.info("in \(name)")
            do {
                let response = try await next(request)
                log.logger.info("out \(name)")
                return response
            } catch {
                log.logger.info("error \(name)")
                throw error
            }
        }
    }

    /// Responds itself below `/stop`, and turns every error into a response.
    private struct Deciding: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            if request.path == "/stop" { return .text("stopped") }
            do { return try await next(request) } catch is Oops { return .text("caught") }
        }
    }

    @Test(arguments: [
        ("/", "answer", ["in 1", "in 2", "out 2", "out 1"]),
        ("/stop", "stopped", ["in 1", "out 1"]),
        ("/now", "caught", ["in 1", "in 2", "error 2", "out 1"]),
        ("/later", "caught", ["in 1", "in 2", "error 2", "out 1"]),
    ])
    func `the first is the outermost; one may respond itself or catch what the rest throws`(
        path: String,
        answer: String,
        steps: [String]
    ) async throws {
        let log = LogLines()
        let middleware: [any Middleware] = [Noting(name: "1", log: log), Deciding(), Noting(name: "2", log: log)]
        let client = try TestClient(middleware: middleware) { routes in
            routes.get(Path("/")) { _ in "answer" }
            routes.get(Path("/now")) { _ -> Response in throw Oops() }
            routes.get(Path("/later")) { _ -> Response in
                await Task.yield()
                throw Oops()
            }
        }
        #expect(try await client.get(path).text == answer)
        #expect(log.all == steps)
    }

    @Test(arguments: [false, true])
    func `security headers are set unless the response has set them`(isHTTPS: Bool) async throws {
        let frame = try #require(HTTPField.Name("X-Frame-Options"))
        let client = try TestClient(middleware: [SecurityHeaders(isHTTPS: isHTTPS)]) { routes in
            routes.get(Path("/")) { _ in "plain" }
            routes.get(Path("/own")) { _ in
                Response(headers: [frame: "SAMEORIGIN", .contentSecurityPolicy: "default-src 'none'"])
            }
        }
        let plain = try await client.get("/").headers
        #expect(plain[values: .contentSecurityPolicy] == [SecurityHeaders.contentSecurityPolicy])
        #expect(plain[values: frame] == ["DENY"])
        #expect(plain[.xContentTypeOptions] == "nosniff")
        #expect((plain[.strictTransportSecurity] != nil) == isHTTPS)
        let own = try await client.get("/own").headers
        #expect(own[values: .contentSecurityPolicy] == ["default-src 'none'"])
        #expect(own[values: frame] == ["SAMEORIGIN"])
        #expect(own[.xContentTypeOptions] == "nosniff")
    }

    @Test(arguments: ["max-age=300", nil] as [String?])
    func `browsers are told to stay on HTTPS as the program says`(value: String?) async throws {
        let headers = SecurityHeaders(isHTTPS: true, strictTransportSecurity: value)
        let client = try TestClient(middleware: [headers]) { routes in routes.get(Path("/")) { _ in "plain" } }
        #expect(try await client.get("/").headers[.strictTransportSecurity] == value)
    }

    @Test(
        arguments: [
            (["Origin": "https://app.example"], true),
            (["Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"], true),
            (["Origin": "https://app.example", "Sec-Fetch-Site": "same-site"], true),
            (["Origin": "http://app.example"], false),
            (["Origin": "https://app.example:8443"], false),
            (["Origin": "https://app.example.evil"], false),
            (["Origin": "https://APP.example"], false),
            (["Origin": "https://app.example, https://app.example"], false),
            (["Origin": "HTTP://localhost"], false),
            (["Origin": "https://evil-localhost"], false),
            (["Origin": "https://evil.localhost"], false),
            (["Origin": "https://localhost.evil"], false),
            (["Origin": "https://evil@localhost"], false),
            (["Origin": "https://https://localhost"], false),
            (["Origin": "https://"], false),
            (["Origin": "https://localhos"], false),
            (["Origin": "https://ocalhost"], false),
            (["Origin": "https://localhost/"], false),
            (["Origin": "https://locaſhost"], false),
            (["Origin": ""], false),
            (["Origin": "http://LOCALHOST"], true),
            (["Origin": "https://localhost"], true),
            (["Origin": "https://localhost", "Host": "localhost:443"], true),
            (["Origin": "http://localhost", "Host": "localhost:80"], true),
            (["Origin": "http://localhost:80", "Host": "localhost:80"], true),
            (["Origin": "http://localhost:8080", "Host": "localhost:80"], false),
            (["Origin": "http://localhost", "Host": "localhost:443"], false),
            (["Origin": "https://localhost", "Host": "localhost:8443"], false),
            (["Sec-Fetch-Site": "same-origin"], true),
            (["Sec-Fetch-Site": "none"], true),
            (["Sec-Fetch-Site": "same-site"], false),
            (["Sec-Fetch-Site": "cross-site"], false),
            (["Sec-Fetch-Site": "Same-Origin"], false),
            (["Sec-Fetch-Site": ""], false),
            (["Sec-Fetch-Site": "same-origin, none"], false),
            ([:], true),
        ] as [([String: String], Bool)]
    )
    func `only pages of trusted origins can change things`(fields: [String: String], isAllowed: Bool) async throws {
        var headers: Headers = [:]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        let protection = CrossOriginProtection(trustedOrigins: ["https://app.example"])
        let client = try TestClient(middleware: [protection]) { routes in
            routes.get(Path("/")) { _ in "read" }
            for method in [HTTPRequest.Method.post, .put, .delete] { routes.on(method)(Path("/")) { _ in "changed" } }
        }
        for method in [HTTPRequest.Method.post, .put, .delete] {
            #expect(try await client.request(method, "/", headers: headers).status == (isAllowed ? .ok : .forbidden))
        }
        for method in [HTTPRequest.Method.get, .head] {
            #expect(try await client.request(method, "/", headers: headers).status == .ok)
        }
    }
}
