import Roost
import RoostTesting
import Testing

@Suite("Methods of a path", .timeLimit(.minutes(5)))
struct RouteMethodTests {
    private static func client() throws -> TestClient {
        let purge = try #require(HTTPRequest.Method("PURGE"))
        return try TestClient { routes in
            routes.get(Path("/")) { _ in "root" }
            routes.get(Path("/read")) { _ in "read" }
            routes.post(Path("/write")) { _ in "written" }
            routes.put(Path("/all")) { _ in "put" }
            routes.patch(Path("/all")) { _ in "patched" }
            routes.delete(Path("/all")) { _ in "deleted" }
            routes.on(purge)(Path("/all")) { _ in "purged" }
            routes.on(.options)(Path("/own")) { _ in "my own options" }
            routes.on(.head)(Path("/own")) { _ in Response(.ok, headers: [.eTag: "\"head\""]) }
            routes.get(Path("/own")) { _ in Response(.ok, headers: [.eTag: "\"get\""]) }
            routes.get(Path("/x/y")) { _ in "literal" }
            routes.delete(Path("/x/{name}", String.self)) { _, _ in "parameter" }
        }
    }

    @Test(arguments: [
        ("GET", "/read", "read"),
        ("POST", "/write", "written"),
        ("PUT", "/all", "put"),
        ("PATCH", "/all", "patched"),
        ("DELETE", "/all", "deleted"),
        ("PURGE", "/all", "purged"),
        ("OPTIONS", "/own", "my own options"),
    ])
    func `each method has its route`(method: String, path: String, answer: String) async throws {
        let method = try #require(HTTPRequest.Method(method))
        #expect(try await Self.client().request(method, path).text == answer)
    }

    @Test(arguments: [
        ("POST", "/read", "GET, HEAD, OPTIONS"),
        ("BREW", "/read", "GET, HEAD, OPTIONS"),
        ("get", "/read", "GET, HEAD, OPTIONS"),
        ("GET", "/write", "OPTIONS, POST"),
        ("HEAD", "/write", "OPTIONS, POST"),
        ("GET", "/all", "DELETE, OPTIONS, PATCH, PURGE, PUT"),
        ("PUT", "/own", "GET, HEAD, OPTIONS"),
        ("PUT", "/x/y", "DELETE, GET, HEAD, OPTIONS"),
        ("GET", "/x/1", "DELETE, OPTIONS"),
        ("TRACE", "/", "GET, HEAD, OPTIONS"),
    ])
    func `another method is 405, with the methods that exist`(
        method: String,
        path: String,
        allow: String
    ) async throws {
        let response = try await Self.client().request(try #require(HTTPRequest.Method(method)), path)
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == allow)
    }

    @Test(arguments: [
        ("/read", "GET, HEAD, OPTIONS"),
        ("/write", "OPTIONS, POST"),
        ("/", "GET, HEAD, OPTIONS"),
        ("/x/y", "DELETE, GET, HEAD, OPTIONS"),
        ("*", "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PURGE, PUT"),
    ])
    func `OPTIONS gets the methods of a path, and with an asterisk those of the server`(
        target: String,
        allow: String
    ) async throws {
        let response = try await Self.client().request(.options, target)
        #expect(response.status == .noContent)
        #expect(response.headers[.allow] == allow)
        #expect(response.body.isEmpty)
    }

    @Test func `OPTIONS with an asterisk is a request neither for the root nor for a fallback`() async throws {
        let client = try TestClient { routes in
            routes.on(.options)(Path("/")) { _ in "root" }
            routes.fallback(Teapot())
        }
        #expect(try await client.request(.options, "/").text == "root")
        #expect(try await client.request(.options, "*").status == .noContent)
        #expect(try await client.request(.options, "/x").status == .teapot)
    }

    @Test(arguments: ["GET", "HEAD", "POST", "OPTIONS", "BREW"])
    func `an unknown path is 404 for every method`(method: String) async throws {
        let response = try await Self.client().request(try #require(HTTPRequest.Method(method)), "/nowhere")
        #expect(response.status == .notFound)
        #expect(response.headers[.allow] == nil)
    }

    @Test func `HEAD gets GET's response without its body, unless it has its own route`() async throws {
        let client = try Self.client()
        let head = try await client.head("/read")
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == "4")
        #expect(head.headers[.contentType] == (try await client.get("/read").headers[.contentType]))
        #expect(head.body.isEmpty)
        #expect(try await client.head("/own").headers[.eTag] == "\"head\"")
        #expect(try await client.get("/own").headers[.eTag] == "\"get\"")
    }

    private struct Teapot: Responder {
        func respond(to request: Request) async throws -> Response { Response(.teapot) }
    }

    @Test func `the fallback handles what no path matches, and nothing else`() async throws {
        let client = try TestClient { routes in
            routes.get(Path("/known")) { _ in "known" }
            routes.get(Path("/number/{id}", Int.self)) { _, _ in "number" }
            routes.fallback(Teapot())
        }
        #expect(try await client.get("/known").status == .ok)
        #expect(try await client.get("/unknown").status == .teapot)
        #expect(try await client.get("/known/").status == .teapot)
        #expect(try await client.request(.post, "/known").status == .methodNotAllowed)
        #expect(try await client.get("/number/x").status == .teapot)
    }
}

extension HTTPResponse.Status {
    fileprivate static let teapot = HTTPResponse.Status(code: 418, reasonPhrase: "I'm a teapot")
}
