import Roost
import RoostTesting
import Testing

@Suite("What handlers may return", .timeLimit(.minutes(5)))
struct NegotiationTests {
    private struct Page: Encodable { var name = "<Ada>" }

    private static func client() throws -> TestClient {
        let templates = try Templates(sources: ["page": "<p>{{name}}</p>"])
        return try TestClient(templates: templates) { routes in
            routes.get(Path("/")) { request in request.negotiate(json: Page(), html: View("page", Page())) }
            routes.get(Path("/made")) { request in
                request.negotiate(status: .created, json: Page(), html: View("page", Page(), status: .accepted))
            }
            routes.get(Path("/prefers")) { request in "\(request.prefersPage)" }
            routes.get(Path("/view")) { _ in View("page", Page(), status: .accepted) }
            routes.get(Path("/unknown")) { _ in View("nowhere", Page()) }
            routes.get(Path("/json")) { _ in JSON([1, 2], status: .created, headers: [.location: "/7"]) }
            routes.get(Path("/own-type")) { _ in JSON([1], headers: [.contentType: "text/plain", .eTag: "\"1\""]) }
            routes.get(Path("/no-json")) { _ in JSON([Double.nan]) }
            routes.get(Path("/text")) { _ in "käse" }
            routes.get(Path("/status")) { _ in HTTPResponse.Status.accepted }
            routes.get(Path("/any/{id}", Int.self)) { _, kind in
                kind == 0 ? .text("text") : Response.redirect(to: "/text")
            }
        }
    }

    @Test(arguments: [
        (nil, "application/json", #"{"name":"<Ada>"}"#),
        ("*/*", "application/json", #"{"name":"<Ada>"}"#),
        ("application/json", "application/json", #"{"name":"<Ada>"}"#),
        ("text/html", "text/html; charset=utf-8", "<p>&lt;Ada&gt;</p>"),
        ("text/html,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8", "<p>&lt;Ada&gt;</p>"),
    ])
    func `a client gets the form that it prefers, and Vary tells caches`(
        accept: String?,
        type: String,
        body: String
    ) async throws {
        let client = try Self.client()
        let headers: Headers = accept.map { [.accept: $0] } ?? [:]
        let response = try await client.get("/", headers: headers)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == type)
        #expect(response.headers[.vary] == "Accept")
        #expect(response.text == body)
        let isPage = type.hasPrefix("text/html")
        #expect(try await client.get("/made", headers: headers).status == (isPage ? .accepted : .created))
        #expect(try await client.get("/prefers", headers: headers).text == "\(isPage)")
    }

    @Test func `behind compression, one line says all that a page depends on`() async throws {
        let templates = try Templates(sources: ["page": "<p>{{name}}</p>"])
        let middleware: [any Middleware] = [
            Compression(minimumSize: 1), Sessions(MemorySessionStore(), isHTTPS: false),
        ]
        let client = try TestClient(templates: templates, middleware: middleware) { routes in
            routes.get(Path("/")) { request in
                _ = try await request.session
                return request.negotiate(json: Page(), html: View("page", Page()))
            }
        }
        let response = try await client.get("/", headers: [.accept: "text/html"])
        #expect(response.headers[values: .vary] == ["Accept, Cookie, Accept-Encoding"])
    }

    @Test func `a representation that does not exist is 406`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/", headers: [.accept: "image/png"]).status == .notAcceptable)
        #expect(try await client.get("/prefers", headers: [.accept: "image/png"]).text == "false")
    }

    @Test(arguments: [
        ("/view", 202, "text/html; charset=utf-8", "<p>&lt;Ada&gt;</p>"),
        ("/json", 201, "application/json", "[1,2]"),
        ("/own-type", 200, "text/plain", "[1]"),
        ("/text", 200, "text/plain; charset=utf-8", "käse"),
        ("/status", 202, nil, ""),
        ("/any/0", 200, "text/plain; charset=utf-8", "text"),
        ("/any/1", 303, nil, ""),
        ("/unknown", 500, nil, ""),
        ("/no-json", 500, nil, ""),
    ])
    func `a value becomes a response`(path: String, code: Int, type: String?, body: String) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status.code == code)
        #expect(response.headers[.contentType] == type)
        #expect(response.text == body)
    }

    @Test func `JSON keeps the fields that it was given`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/json").headers[.location] == "/7")
        #expect(try await client.get("/own-type").headers[.eTag] == "\"1\"")
    }

    @Test func `a view without templates is a mistake that is logged`() async throws {
        let log = LogLines()
        let client = try TestClient(log: log) { $0.get(Path("/")) { _ in View("page", Page()) } }
        #expect(try await client.get("/").status == .internalServerError)
        #expect(log.all.count == 1 && log.all[0].contains("page"))
    }
}
