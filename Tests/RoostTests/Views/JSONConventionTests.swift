import FoundationEssentials
import HTTPTypes
import Roost
import RoostTesting
import Testing

/// One JSON convention for an application, and others for its groups and routes.
@Suite("JSON conventions", .timeLimit(.minutes(5)))
struct JSONConventionTests {
    private struct Note: Codable, Equatable {
        var noteText: String
        var writtenAt: Date
        var readAt: Date?
    }

    private static let convention = JSONCoder(keys: .snakeCase, dates: .iso8601WithMilliseconds, nils: .null)
    private static let note = Note(noteText: "Hi", writtenAt: Date(timeIntervalSince1970: 0.5))
    private static let own = #"{"note_text":"Hi","written_at":"1970-01-01T00:00:00.500Z","read_at":null}"#
    private static let plain = #"{"noteText":"Hi","writtenAt":"1970-01-01T00:00:00Z"}"#

    /// Middleware that responds itself, before a handler is asked, or after.
    private struct Answering: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            request.query["answer"] == nil ? try await next(request) : .json(JSONConventionTests.note)
        }
    }

    private struct AnsweringAtOnce: Filter {
        func after(_ response: inout Response, to request: Request) {
            if request.query["after"] != nil { response = .json(JSONConventionTests.note) }
        }
    }

    private static func client(json: JSONCoder? = convention) throws -> TestClient {
        let logger = LogLines().logger
        let middleware: [any Middleware] = [AnsweringAtOnce(), Answering(), ErrorPages(logger: logger)]
        let application = try Application(logger: logger, json: json, middleware: middleware) { routes in
            routes.get(Path("/value")) { _ in JSON(note) }
            routes.get(Path("/response")) { _ in Response.json(note) }
            routes.get(Path("/late")) { _ async throws -> Response in
                await Task.yield()
                return .json(note)
            }
            routes.get(Path("/negotiated")) { request in request.negotiate(json: note, html: View("none", note)) }
            routes.get(Path("/route/plain")) { _ in Response.json(note, using: JSONCoder()) }
            routes.get(Path("/route/pretty")) { _ in JSON([1], using: JSONCoder(layout: .pretty)) }
            routes.post(Path("/echo")) { request in try JSON(request.decode(Note.self)) }
            routes.post(Path("/route/echo")) { request in
                try JSON(request.decode(Note.self, using: JSONCoder()), using: JSONCoder())
            }
            routes.get(Path("/depth")) { request in "\(request.jsonCoder.maximumDepth)" }
            routes.group(Path("/old"), middleware: [JSONConvention(JSONCoder(maximumDepth: 3))]) { routes in
                routes.get(Path("/value")) { _ in JSON(note) }
                routes.post(Path("/echo")) { request in try Response.json(request.decode(Note.self)) }
                routes.post(Path("/list")) { request in "\(try request.decode([[[[Int]]]].self).count)" }
                routes.fallback { _ in Response.json(note, status: .notFound) }
            }
        }
        return TestClient(application)
    }

    @Test(arguments: ["/value", "/response", "/late", "/negotiated", "/value?answer", "/value?after"])
    func `an application's convention holds for all its responses`(path: String) async throws {
        let response = try await Self.client().get(path)
        #expect(response.text == Self.own)
        #expect(response.headers[.contentType] == "application/json")
    }

    @Test func `without a convention, JSON is plain`() async throws {
        #expect(try await Self.client(json: nil).get("/value").text == Self.plain)
        #expect(try await Self.client(json: nil).get("/depth").text == "128")
    }

    @Test func `bodies are read, and a test writes and reads, by the same convention`() async throws {
        let client = try Self.client()
        let response = try await client.post("/echo", json: Self.note)
        #expect(response.text == Self.own)
        #expect(try response.json(Note.self) == Self.note)
        let json: Headers = [.contentType: "application/json"]
        let refused = try await client.request(.post, "/echo", headers: json, body: Array(#"{"note_text":""}"#.utf8))
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text.contains("#/written_at"))
    }

    @Test func `a group has its own, for its handlers, bodies and fallback`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/old/value").text == Self.plain)
        #expect(try await client.get("/old/nowhere").text == Self.plain)
        let json: Headers = [.contentType: "application/json"]
        let body = Array(Self.plain.utf8)
        #expect(try await client.request(.post, "/old/echo", headers: json, body: body).text == Self.plain)
        let deep = try await client.request(.post, "/old/list", headers: json, body: Array("[[[[1]]]]".utf8))
        #expect(deep.status == .badRequest)
    }

    @Test func `a route has its own`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/route/plain").text == Self.plain)
        #expect(try await client.get("/route/pretty").text == "[\n  1\n]")
        let json: Headers = [.contentType: "application/json"]
        let body = Array(Self.plain.utf8)
        #expect(try await client.request(.post, "/route/echo", headers: json, body: body).text == Self.plain)
    }
}
