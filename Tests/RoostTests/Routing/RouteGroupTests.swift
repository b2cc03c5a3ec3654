import Roost
import RoostTesting
import Testing

@Suite("Groups of routes", .timeLimit(.minutes(5)))
struct RouteGroupTests {
    /// Leaves its name on the request as it passes, and on the response as it comes back.
    private struct Mark: Middleware {
        enum Key: RequestKey { typealias Value = String }

        let name: String

        func respond(to request: Request, next: Next) async throws -> Response {
            var request = request
            request[Key.self] = (request[Key.self] ?? "") + name
            var response = try await next(request)
            response.headers.append(.server, name)
            return response
        }
    }

    private struct Posts: Controller {
        func routes(_ routes: Routes) {
            routes.get(Path.root / "posts" / Int.self) { request, id in "\(request[Mark.Key.self] ?? "") \(id)" }
        }
    }

    private struct Last: Responder {
        func respond(to request: Request) async throws -> Response { .text(request[Mark.Key.self] ?? "none") }
    }

    private static func client() throws -> TestClient {
        try TestClient(middleware: [Mark(name: "1"), Mark(name: "2")]) { routes in
            routes.get(.root) { request in request[Mark.Key.self] ?? "none" }
            routes.group(Path.root / "admin", middleware: [Mark(name: "3"), Mark(name: "4")]) { admin in
                admin.get(.root) { request in request[Mark.Key.self] ?? "none" }
                admin.group(Path.root / "deep" / "er", middleware: [Mark(name: "5")]) { $0.add(Posts()) }
                admin.group { $0.get(Path.root / "plain") { request in request[Mark.Key.self] ?? "none" } }
                admin.get(Path.root / "fails") { _ -> Response in throw HTTPError(.conflict) }
            }
            routes.group(middleware: [Mark(name: "6")]) { group in
                group.get(Path.root / "beside") { request in
                    await Task.yield()
                    return request[Mark.Key.self] ?? "none"
                }
                group.fallback(Last())
            }
        }
    }

    @Test(arguments: [
        ("/", "12", "2, 1"),
        ("/admin", "1234", "4, 3, 2, 1"),
        ("/admin/plain", "1234", "4, 3, 2, 1"),
        ("/admin/deep/er/posts/7", "12345 7", "5, 4, 3, 2, 1"),
        ("/beside", "126", "6, 2, 1"),
        ("/nowhere", "126", "6, 2, 1"),
    ])
    func `middleware runs from the outside in and back, for the group's routes only`(
        path: String,
        inward: String,
        outward: String
    ) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status == .ok)
        #expect(response.text == inward)
        #expect(response.headers[.server] == outward)
    }

    @Test func `what the router says itself has only the application's middleware around it`() async throws {
        let client = try TestClient(middleware: [Catching(), Mark(name: "1")]) { routes in
            routes.group(Path.root / "admin", middleware: [Mark(name: "2")]) { admin in
                admin.get(Path.root / "a") { _ in "a" }
            }
        }
        #expect(try await client.get("/admin").status == .notFound)
        #expect(try await client.request(.post, "/admin/a").status == .methodNotAllowed)
        #expect(try await client.request(.options, "/admin/a").headers[.server] == "1")
        #expect(try await client.get("/admin/a").headers[.server] == "2, 1")
    }

    /// Answers with an error's status.
    private struct Catching: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            do { return try await next(request) } catch let error as HTTPError { return Response(error.status) }
        }
    }

    @Test func `a prefix is for all of a group's routes`() async throws {
        let client = try Self.client()
        for path in ["/plain", "/posts/7", "/admin/posts/7", "/deep/er/posts/7", "/admin/"] {
            #expect(try await client.get(path).headers[.server] == "6, 2, 1", "\(path)")
        }
    }
}
