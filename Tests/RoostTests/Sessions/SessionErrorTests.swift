import HTTPTypes
import Roost
import RoostTesting
import Testing

/// Sessions of requests that end in an error, wherever the error becomes a response.
@Suite("Sessions and errors", .timeLimit(.minutes(5)))
struct SessionErrorTests {
    private struct Oops: Error {}

    /// An error of another layer that knows what it means to the client.
    private struct Taken: ResponseError {
        var httpError: HTTPError? { HTTPError(.conflict, headers: [.retryAfter: "7"]) }
    }

    private struct Outage: Error {}

    /// A store that knows every token, and fails to save anything.
    private struct FailingStore: SessionStore {
        func values(for token: String) async throws -> [String: String]? { ["a": "before"] }
        func save(_ values: [String: String], for token: String) async throws { throw Outage() }
        func update(_ values: [String: String], for token: String) async throws { throw Outage() }
        func remove(_ token: String) async throws { throw Outage() }
    }

    /// The form that every token has.
    private static let token = String(repeating: "0a", count: 16)

    private let store = MemorySessionStore()
    private let log = LogLines()

    private func client(errorPagesOutside: Bool, _ store: (any SessionStore)? = nil) throws -> TestClient {
        let pages = ErrorPages(logger: log.logger)
        let sessions = Sessions(store ?? self.store, isHTTPS: false)
        let middleware: [any Middleware] = errorPagesOutside ? [pages, sessions] : [sessions, pages]
        return try TestClient(middleware: middleware) { routes in
            routes.get(Path("/get")) { request in try await request.session["a"] ?? "none" }
            routes.get(Path("/set/{name}/{id}", String.self, Int.self)) { request, value, status -> Response in
                try await request.session["a"] = value
                if status == 200 { return .text("set") }
                if status == 0 { throw Oops() }
                throw HTTPError(.init(code: status), headers: [.retryAfter: "7"])
            }
            routes.get(Path("/take/{name}", String.self)) { request, value -> Response in
                try await request.session["a"] = value
                throw Taken()
            }
            routes.get(Path("/answer/{name}/{id}", String.self, Int.self)) { request, value, status in
                try await request.session["a"] = value
                return Response(.init(code: status))
            }
            routes.get(Path("/renew/{id}", Int.self)) { request, status -> Response in
                try await request.session.renew()
                throw HTTPError(.init(code: status))
            }
            routes.get(Path("/end")) { request -> Response in
                try await request.session.end()
                return Response(.noContent)
            }
            routes.get(Path("/end/{id}", Int.self)) { request, status -> Response in
                try await request.session.end()
                if status >= 500 { try await request.session["a"] = "after" }
                if status == 0 { throw Oops() }
                throw HTTPError(.init(code: status))
            }
        }
    }

    @Test(arguments: [true, false], [400, 404, 422, 429])
    func `changes before a handler refuses the client are saved`(isOutside: Bool, status: Int) async throws {
        let client = try client(errorPagesOutside: isOutside)
        let first = try await client.get("/set/begun/\(status)")
        #expect(first.status.code == status)
        #expect(first.headers[.retryAfter] == "7")
        #expect(first.headers[.cacheControl] == "no-store")
        #expect(client.cookie("session") != nil)
        #expect(try await client.get("/get").text == "begun")
        let token = client.cookie("session")
        let second = try await client.get("/set/changed/\(status)")
        #expect(second.headers[.setCookie] == nil)
        #expect(try await client.get("/get").text == "changed")
        #expect(client.cookie("session") == token)
        _ = try await client.get("/renew/\(status)")
        #expect(client.cookie("session") != token)
        #expect(try await client.get("/get").text == "changed")
        #expect(store.count == 1)
    }

    @Test(arguments: [true, false], ["/set/changed/0", "/set/changed/500", "/set/changed/503", "/answer/changed/500"])
    func `changes before it fails are not: half of its work may be missing`(
        isOutside: Bool,
        path: String
    ) async throws {
        let client = try client(errorPagesOutside: isOutside)
        let failed = try await client.get(path)
        #expect(failed.status.code >= 500)
        #expect(failed.headers[.setCookie] == nil)
        #expect(store.count == 0)
        _ = try await client.get("/set/before/200")
        _ = try await client.get(path)
        #expect(try await client.get("/get").text == "before")
    }

    @Test(arguments: [true, false], [0, 404, 500])
    func `an end is an end, whatever happens afterwards`(isOutside: Bool, status: Int) async throws {
        let client = try client(errorPagesOutside: isOutside)
        _ = try await client.get("/set/before/200")
        let token = try #require(client.cookie("session"))
        _ = try await client.get("/end/\(status)")
        #expect(store.count == 0)
        #expect(try await client.get("/get", headers: [.cookie: "session=\(token)"]).text == "none")
    }

    @Test(arguments: [true, false])
    func `a refusal by another layer saves the changes, and is logged unchanged`(isOutside: Bool) async throws {
        let client = try client(errorPagesOutside: isOutside)
        let response = try await client.get("/take/begun")
        #expect(response.status == .conflict)
        #expect(response.headers[.retryAfter] == "7")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(log.all == ["127.0.0.1 GET /take/begun: Taken()"])
        #expect(try await client.get("/get").text == "begun")
    }

    @Test(arguments: [
        ("/set/x/404", 404, "7", "404"), ("/take/x", 409, "7", "Taken()"), ("/end/0", 500, nil, "Oops()"),
    ])
    func `a store that fails too does not hide the handler's error`(
        path: String,
        status: Int,
        retryAfter: String?,
        text: String
    ) async throws {
        let client = try client(errorPagesOutside: true, FailingStore())
        let response = try await client.get(path, headers: [.cookie: "session=\(Self.token)"])
        #expect(response.status.code == status)
        #expect(response.headers[.retryAfter] == retryAfter)
        #expect(response.headers[.setCookie] == nil)
        #expect(log.all.count == 1)
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("127.0.0.1 GET \(path): \(text)"), "\(line)")
        #expect(line.contains("Outage()"), "\(line)")
    }

    @Test(arguments: [nil, "http://localhost:5173"])
    func `a store that fails is an error in the log, also beside a client's mistake`(origin: String?) async throws {
        let shared = CORS(origins: ["http://localhost:5173"])
        let sessions = Sessions(FailingStore(), isHTTPS: false)
        let client = try TestClient(middleware: [ErrorPages(logger: log.logger), shared, sessions]) { routes in
            routes.get(Path("/")) { request async throws -> Response in
                try await request.session["a"] = "after"
                throw Taken()
            }
        }
        var headers: Headers = [.cookie: "session=\(Self.token)"]
        headers[.origin] = origin
        #expect(try await client.get("/", headers: headers).status == .conflict)
        let lines = log.allWithLevels
        #expect(lines.count == 1 && lines[0].hasPrefix("error 127.0.0.1 GET /: Taken(); "), "\(lines)")
    }

    @Test(arguments: [true, false], ["/end", "/end/404", "/end/503"])
    func `an ended session is taken away, even if the store fails`(isOutside: Bool, path: String) async throws {
        let client = try client(errorPagesOutside: isOutside, FailingStore())
        let response = try await client.get(path, headers: [.cookie: "session=\(Self.token)"])
        // Where the error is a response already, the store's own error replaces it.
        #expect(response.status.code == (path == "/end" || !isOutside ? 500 : Int(path.suffix(3))))
        let cookies = response.headers[values: .setCookie]
        #expect(cookies.count == 1 && cookies[0].hasPrefix("session=;") && cookies[0].contains("Max-Age=0"))
    }

    /// A store that cannot be reached.
    private struct AbsentStore: SessionStore {
        private static let error = HTTPError(.serviceUnavailable, "Soon.", headers: [.retryAfter: "2"])

        func values(for token: String) async throws -> [String: String]? { ["a": "before"] }
        func save(_ values: [String: String], for token: String) async throws { throw Self.error }
        func update(_ values: [String: String], for token: String) async throws { throw Self.error }
        func remove(_ token: String) async throws { throw Self.error }
    }

    @Test(arguments: [
        (HTTPRequest.Method.post, "/order", nil, "This may have been done, or not. Look before you try again."),
        (.post, "/order/end", nil, "This may have been done, or not. Look before you try again."),
        (.get, "/order", "2", "Soon."), (.post, "/refuse", "2", "Soon."),
    ])
    func `who may have changed something is not told to try again`(
        method: HTTPRequest.Method, path: String, retryAfter: String?, text: String
    ) async throws {
        let sessions = Sessions(AbsentStore(), isHTTPS: false)
        let client = try TestClient(middleware: [ErrorPages(logger: log.logger), sessions]) { routes in
            routes.get(Path("/order"), use: Self.order)
            routes.post(Path("/order"), use: Self.order)
            routes.post(Path("/refuse")) { request in
                try await request.session["a"] = "after"
                return Response(.conflict)
            }
            routes.post(Path("/order/end")) { request in
                try await request.session.end()
                return Response(.noContent)
            }
        }
        let headers: Headers = [.cookie: "session=\(Self.token)", .accept: "text/plain"]
        let response = try await client.request(method, path, headers: headers)
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == retryAfter)
        #expect(response.text.contains(text))
        #expect(response.headers.contains(.setCookie) == path.hasSuffix("end"))
    }

    private static func order(_ request: Request) async throws -> Response {
        try await request.session["a"] = "after"
        return Response(.noContent)
    }

    @Test func `a store that fails after a success is the error`() async throws {
        let client = try client(errorPagesOutside: true, FailingStore())
        let response = try await client.get("/set/x/200", headers: [.cookie: "session=\(Self.token)"])
        #expect(response.status == .internalServerError)
        #expect(log.all == ["127.0.0.1 GET /set/x/200: Outage()"])
    }
}
