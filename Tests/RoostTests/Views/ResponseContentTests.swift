import Glibc
import Roost
import RoostTesting
import Testing

/// Responses whose content is made after they have been returned.
@Suite("Responses of several kinds", .timeLimit(.minutes(5)))
struct ResponseContentTests {
    private struct Page: Encodable { var name = "<Ada>" }

    /// A custom responder of an application.
    private struct Own: Responder {
        func respond(to request: Request) async throws -> Response { .view("page", Page(), status: .notFound) }
    }

    private struct Answering: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            request.query["waiting"] == nil ? try await next(request) : .view("page", Page(), status: .accepted)
        }
    }

    private struct AnsweringAtOnce: Filter {
        func before(_ request: inout Request) -> Response? {
            request.query["before"] == nil ? nil : .json(Page(), status: .accepted)
        }

        func after(_ response: inout Response, to request: Request) {
            if request.query["after"] != nil { response = .view("page", Page(), status: .accepted) }
        }

        func recover(from error: any Error, in request: Request) throws -> Response {
            guard let error = error as? HTTPError else { throw error }
            return .view("page", Page(), status: error.status)
        }
    }

    private static func client(_ middleware: [any Middleware] = []) throws -> TestClient {
        let templates = try Templates(sources: ["page": "<p>{{name}}</p>"])
        return TestClient(
            try Application(templates: templates, middleware: middleware) { routes in
                routes.get(Path("/kinds/{kind}", String.self)) { _, kind -> Response in
                    switch kind {
                    case "json": return .json(Page(), status: .created, headers: [.location: "/7"])
                    case "view": return .view("page", Page(), status: .accepted, headers: [.eTag: "\"1\""])
                    case "text": return .text("käse")
                    case "redirect": return .redirect(to: "/kinds/text")
                    case "file": return try .file("/proc/self/comm", headers: [.eTag: "\"1\""])
                    case "none": return try .file("/nowhere/at-all.css")
                    case "folder": return try .file("/proc")
                    case "changed":
                        var response = Response.json(Page())
                        response.headers[.contentType] = "text/x"
                        response.status = .conflict
                        return response
                    case "own-json": return .json(Page(), headers: [.contentType: "application/vnd.own+json"])
                    case "own-view": return .view("page", Page(), headers: [.contentType: "application/xhtml+xml"])
                    case "own-file": return try .file("/proc/self/comm", headers: [.contentType: "text/x"])
                    case "nan": return .json(Double.nan)
                    default: throw HTTPError(.badRequest)
                    }
                }
                routes.get(Path("/types")) { request in
                    try await request.negotiate([
                        .csv: { Response(.ok, "text/csv", Body("name\nAda\n")) },
                        .json: { .json(Page()) },
                        MediaType("application", "vnd.roost+json"): { .text("own") },
                    ])
                }
                routes.get(Path("/values/json")) { _ in JSON(Page(), headers: [.contentType: "application/x"]) }
                routes.get(Path("/values/view")) { _ in View("page", Page(), headers: [.contentType: "text/x"]) }
                routes.fallback(Own())
            }
        )
    }

    @Test(
        arguments: [
            ("json", 201, "application/json", #"{"name":"<Ada>"}"#, "/7"),
            ("view", 202, "text/html; charset=utf-8", "<p>&lt;Ada&gt;</p>", nil),
            ("text", 200, "text/plain; charset=utf-8", "käse", nil),
            ("redirect", 303, nil, "", "/kinds/text"),
            ("none", 404, nil, "", nil),
            ("folder", 404, nil, "", nil),
            ("changed", 409, "application/json", #"{"name":"<Ada>"}"#, nil),
            ("nan", 500, nil, "", nil),
        ] as [(String, Int, String?, String, String?)])
    func `one handler makes all of them`(
        kind: String, code: Int, type: String?, body: String, location: String?
    ) async throws {
        let response = try await Self.client().get("/kinds/" + kind)
        #expect(response.status.code == code)
        #expect(response.headers[.contentType] == type)
        #expect(response.headers[.location] == location)
        #expect(response.text == body)
    }

    @Test func `fields and status are the response's own, the type is the content's`() async throws {
        let client = try Self.client()
        #expect(try await client.get("/kinds/view").headers[.eTag] == "\"1\"")
    }

    @Test(arguments: [
        ("/kinds/own-json", "application/vnd.own+json"), ("/kinds/own-view", "application/xhtml+xml"),
        ("/kinds/own-file", "text/x"), ("/values/json", "application/x"), ("/values/view", "text/x"),
    ])
    func `a type that is given with the content is its type`(path: String, type: String) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status == .ok)
        #expect(response.headers[values: .contentType] == [type])
    }

    @Test func `a file that has no size is sent as it was when it was opened`() async throws {
        // Such a file of the kernel reports a size of 0.
        let response = try await Self.client().get("/kinds/file")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/octet-stream")
        #expect(response.headers[.eTag] == "\"1\"")
    }

    @Test func `middleware makes them, too`() async throws {
        for middleware in [[Answering(), AnsweringAtOnce()], [AnsweringAtOnce(), Answering()]] as [[any Middleware]] {
            let client = try Self.client(middleware)
            for query in ["waiting", "after"] {
                let response = try await client.get("/kinds/text?" + query)
                #expect(response.status == .accepted && response.text == "<p>&lt;Ada&gt;</p>", "\(query)")
            }
            #expect(try await client.get("/kinds/text?before").text == #"{"name":"<Ada>"}"#)
            let refusal = try await client.get("/kinds/unknown")
            #expect(refusal.status == .badRequest && refusal.text == "<p>&lt;Ada&gt;</p>")
        }
    }

    @Test func `so does the fallback for unknown paths`() async throws {
        let response = try await Self.client().get("/nowhere")
        #expect(response.status == .notFound && response.text == "<p>&lt;Ada&gt;</p>")
    }

    private static let preferences: [(accept: String?, type: String?)] = [
        (nil, "text/csv"), ("*/*", "text/csv"), ("application/json", "application/json"),
        ("application/json, text/csv;q=0.5", "application/json"), ("text/*", "text/csv"),
        ("APPLICATION/VND.roost+json, */*;q=0.1", "text/plain; charset=utf-8"), ("image/png", nil),
    ]

    @Test(arguments: preferences)
    func `offers of any type are taken in the application's order`(accept: String?, type: String?) async throws {
        let headers: Headers = accept.map { [.accept: $0] } ?? [:]
        let response = try await Self.client().get("/types", headers: headers)
        #expect(response.status == (type == nil ? .notAcceptable : .ok))
        #expect(response.headers[.contentType] == type)
        #expect(response.headers[.vary] == (type == nil ? nil : "Accept"))
    }
}
