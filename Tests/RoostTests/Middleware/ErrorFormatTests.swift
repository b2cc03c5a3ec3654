import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Errors in an application's or a group's own format.
@Suite("Formats of errors", .timeLimit(.minutes(5)))
struct ErrorFormatTests {
    /// RealWorld's: `{"errors":{"body":["…"]}}`.
    private struct Errors: Encodable {
        let errors: [String: [String]]

        init(_ error: HTTPError) {
            let parts = Dictionary(grouping: error.parts, by: \.name).mapValues { $0.map(\.message) }
            errors = parts.isEmpty ? ["body": [error.message ?? error.status.reasonPhrase]] : parts
        }
    }

    private struct Taken: ResponseError, CustomStringConvertible {
        let description = "unique constraint violated"
        var httpError: HTTPError? { HTTPError(.conflict, "The name is taken.") }
    }

    private struct Secret: Error {}
    private struct Unencodable: Encodable { let value = Double.nan }

    private static let browser: Headers = [.accept: "text/html"]
    private static let parts = HTTPError(
        .unprocessableContent, "Two fields are wrong.",
        at: ["/user/email": "is taken", "/user/name": "is empty", "/user/email": "is too long"],
        headers: [.retryAfter: "7"])

    private static func declare(_ routes: Routes) {
        routes.get(Path("/parts")) { _ -> Response in throw parts }
        routes.get(Path("/late")) { _ async throws -> Response in
            await Task.yield()
            throw parts
        }
        routes.get(Path("/taken")) { _ -> Response in throw Taken() }
        routes.get(Path("/secret")) { _ -> Response in throw Secret() }
    }

    private static let format: @Sendable (HTTPError, Request) throws -> Response = { error, _ in .json(Errors(error)) }

    /// An application whose API has a format of its own, and whose pages do not.
    private static func client(_ log: LogLines = LogLines()) throws -> TestClient {
        try TestClient(log: log, middleware: [RequestIDs(), ErrorPages(logger: log.logger)]) { routes in
            declare(routes)
            routes.group(Path("/api"), middleware: [ErrorPages(.json(format), logger: log.logger, explains: false)]) {
                declare($0)
            }
        }
    }

    @Test func `the pointer of a part is a URI fragment, whatever the client has called it`() throws {
        let error = HTTPError(.unprocessableContent, "Wrong.", at: ["/größe/0/a~1b c%/\u{301}x": "is not known"])
        #expect(ProblemDetails(error).errors?.map(\.pointer) == ["#/gr%C3%B6%C3%9Fe/0/a~1b%20c%25/%CC%81x"])
    }

    @Test func `what a format or an error varies by is kept`() async throws {
        let format = ErrorPages(.json { error, _ in .json(Errors(error), headers: [.vary: "Accept-Language"]) })
        let client = try TestClient(middleware: [format]) { routes in
            routes.get(Path("/one")) { _ -> Response in throw HTTPError(.conflict) }
            routes.get(Path("/two")) { _ -> Response in throw HTTPError(.conflict, headers: [.vary: "Origin, accept"]) }
        }
        #expect(try await client.get("/one").headers[values: .vary] == ["Accept-Language", "Accept"])
        #expect(try await client.get("/two").headers[values: .vary] == ["Origin, accept", "Accept-Language"])
    }

    @Test(arguments: ["/parts", "/late"])
    func `problem details have a pointer for each wrong part`(path: String) async throws {
        let response = try await Self.client().get(path)
        let id = try #require(response.headers[.requestID])
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.retryAfter] == "7")
        #expect(
            response.text
                == #"{"title":"Unprocessable Content","status":422,"detail":"Two fields are wrong.","#
                + #""request_id":"\#(id)","#
                + ##""errors":[{"pointer":"#/user/email","detail":"is taken"},{"pointer":"#/user/name","##
                + ##""detail":"is empty"},{"pointer":"#/user/email","detail":"is too long"}]}"##
        )
    }

    @Test(arguments: ["/api/parts", "/api/late"])
    func `a group has its own format`(path: String) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.headers[.retryAfter] == "7")
        let errors = try response.json([String: [String: [String]]].self)["errors"]
        #expect(errors == ["email": ["is taken", "is too long"], "name": ["is empty"]])
    }

    @Test func `it applies to requests that match no route of the group`() async throws {
        let client = try Self.client()
        let unknown = try await client.get("/api/nowhere")
        #expect(unknown.status == .notFound)
        #expect(unknown.text == #"{"errors":{"body":["Not Found"]}}"#)
        let other = try await client.request(.delete, "/api/parts")
        #expect(other.status == .methodNotAllowed)
        #expect(other.headers[.allow] == "GET, HEAD, OPTIONS")
        #expect(other.text.hasPrefix(#"{"errors":{"body":["DELETE is not allowed here;"#))
        #expect(try await client.get("/nowhere").headers[.contentType] == "application/problem+json")
    }

    @Test func `without a page, browsers get the format too`() async throws {
        let response = try await Self.client().get("/api/nowhere", headers: Self.browser)
        #expect(response.headers[.contentType] == "application/json")
        let log = LogLines()
        let both = ErrorPages(
            .page { error, _ in .html("page \(error.status)") }, .json(Self.format), logger: log.logger)
        let client = try TestClient(middleware: [both]) { _ in }
        #expect(try await client.get("/", headers: Self.browser).text == "page 404")
        #expect(try await client.get("/").text == #"{"errors":{"body":["Not Found"]}}"#)
        #expect(try await client.get("/", headers: [.accept: "text/plain"]).text == "404 Not Found\n")
    }

    @Test func `any other error is translated or kept secret, and logged`() async throws {
        let log = LogLines()
        let client = try Self.client(log)
        #expect(try await client.get("/api/taken").text == #"{"errors":{"body":["The name is taken."]}}"#)
        #expect(try await client.get("/api/secret").text == #"{"errors":{"body":["Internal Server Error"]}}"#)
        #expect(log.all.count == 2)
        #expect(log.all[0].contains("unique constraint violated"))
        #expect(log.all[1].contains("Secret"))
    }

    @Test(arguments: [true, false])
    func `when the format itself fails, that is logged, and problem details are sent`(isLate: Bool) async throws {
        let log = LogLines()
        let pages = ErrorPages(
            .json { _, _ in
                guard isLate else { throw Secret() }
                return .json(Unencodable())
            }, logger: log.logger)
        let response = try await TestClient(log: log, middleware: [pages]) { _ in }.get("/nowhere")
        #expect(response.status == .notFound)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.text == #"{"title":"Not Found","status":404}"#)
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains("the error page itself failed: ") == true)
    }

    @Test func `any error says what it means to a client`() {
        #expect(HTTPError(converting: Self.parts)?.parts == Self.parts.parts)
        #expect(HTTPError(converting: Taken())?.status == .conflict)
        #expect(HTTPError(converting: Secret()) == nil)
    }

    @Test(arguments: [
        ("/user/email", "email"), ("", ""), ("/a~1b~01", "a/b~1"), ("/items/0", "0"), ("name", "name"),
        ("/a~1\u{301}b", "a/\u{301}b"),
    ])
    func `a part's name is the last of its pointer`(pointer: String, name: String) {
        #expect(HTTPError.Part(pointer, "").name == name)
    }

    @Test func `an error can be made into a response directly`() async throws {
        let client = try TestClient { routes in
            routes.get(Path("/")) { _ in Response.problem(Self.parts, requestID: "7") }
        }
        let response = try await client.get("/")
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.retryAfter] == "7")
        #expect(response.text.contains(#""request_id":"7""#))
    }
}
