import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("Groups of routes", .timeLimit(.minutes(5)))
struct RouteGroupTests {
    /// Leaves its name on the request on its way in, and on the response on its way out.
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
            routes.get(Path("/posts/{id}", Int.self)) { request, id in "\(request[Mark.Key.self] ?? "") \(id)" }
        }
    }

    private struct Last: Responder {
        func respond(to request: Request) async throws -> Response { .text(request[Mark.Key.self] ?? "none") }
    }

    private static func client() throws -> TestClient {
        try TestClient(middleware: [Mark(name: "1"), Mark(name: "2")]) { routes in
            routes.get(Path("/")) { request in request[Mark.Key.self] ?? "none" }
            routes.group(Path("/admin"), middleware: [Mark(name: "3"), Mark(name: "4")]) { admin in
                admin.get(Path("/")) { request in request[Mark.Key.self] ?? "none" }
                admin.group(Path("/deep/er"), middleware: [Mark(name: "5")]) { $0.add(Posts()) }
                admin.group(middleware: []) { $0.get(Path("/plain")) { request in request[Mark.Key.self] ?? "none" } }
                admin.get(Path("/fails")) { _ -> Response in throw HTTPError(.conflict) }
            }
            routes.group(middleware: [Mark(name: "6")]) { group in
                group.get(Path("/beside")) { request in
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

    @Test(arguments: [
        (HTTPRequest.Method.get, "/admin", "2, 1"),
        (.get, "/admin/nowhere/at/all", "2, 1"),
        (.post, "/admin/a", "2, 1"),
        (.options, "/admin/a", "2, 1"),
        (.get, "/admin/a", "2, 1"),
        (.get, "/administration", "1"),
        (.post, "/beside", "3, 1"),
        (.get, "/nowhere", "1"),
    ])
    func `a group's middleware also runs where no route under its prefix matches`(
        method: HTTPRequest.Method,
        path: String,
        marks: String
    ) async throws {
        let client = try TestClient(middleware: [Mark(name: "1")]) { routes in
            routes.group(Path("/admin"), middleware: [Mark(name: "2"), Catching()]) { admin in
                admin.get(Path("/a")) { _ in "a" }
            }
            routes.group(middleware: [Mark(name: "3"), Catching()]) { $0.get(Path("/beside")) { _ in "beside" } }
            routes.fallback { _ in "fallback" }
        }
        #expect(try await client.request(method, path).headers[.server] == marks)
    }

    @Test func `a preflight request is for the group of the method that it asks about`() async throws {
        let client = try TestClient { routes in
            routes.group(middleware: [Mark(name: "read")]) { $0.get(Path("/a")) { _ in "a" } }
            routes.group(middleware: [Mark(name: "write")]) { $0.post(Path("/a")) { _ in "a" } }
        }
        let asked = try await client.request(.options, "/a", headers: [.accessControlRequestMethod: "POST"])
        #expect(asked.headers[.server] == "write")
        #expect(asked.headers[.allow] == "GET, HEAD, OPTIONS, POST")
        #expect(try await client.request(.options, "/a").headers[.server] == "read")
    }

    @Test func `a fallback responds under its prefix, the deepest first`() async throws {
        let client = try TestClient { routes in
            routes.group(Path("/api")) { api in
                api.get(Path("/users")) { _ in "users" }
                api.group(Path("/v2")) { $0.fallback { _ in "v2" } }
                api.fallback { request in
                    await Task.yield()
                    return Response(.notFound, headers: [.server: "api"], body: Body(request.path))
                }
            }
            routes.fallback(Last())
        }
        #expect(try await client.get("/api/users").text == "users")
        #expect(try await client.get("/api/nobody").text == "/api/nobody")
        #expect(try await client.get("/api/nobody").headers[.server] == "api")
        #expect(try await client.get("/api/v2/x").text == "v2")
        #expect(try await client.get("/apis").text == "none")
    }

    @Test func `a second fallback at one place stops the start`() {
        #expect {
            try TestClient { routes in
                routes.group(Path("/api")) { $0.fallback(file: "One.swift", line: 1) { _ in "one" } }
                routes.group(Path("/api")) { $0.fallback(file: "Two.swift", line: 2) { _ in "two" } }
            }
        } throws: { error in
            let text = "\(error)"
            return text.contains("/api") && text.contains("One.swift:1") && text.contains("Two.swift:2")
        }
    }

    @Test func `a path with parameters is followed by others, whose values come behind its own`() async throws {
        let team = Path("/teams/{team}", Int.self)
        let day = team.appending(Path("/years/{year}/{day}", Int.self, Int.self))
        let members = team.appending("/members")
        let client = try TestClient { routes in
            routes.group(middleware: [Mark(name: "1")]) { routes in
                routes.get(team) { _, team in "team \(team)" }
                routes.get(members) { _, team in "members of \(team)" }
                routes.post(day) { _, team, year, day in "\(team)-\(year)-\(day)" }
            }
        }
        #expect(try await client.get("/teams/7").text == "team 7")
        #expect(try await client.get("/teams/7/members").text == "members of 7")
        let response = try await client.request(.post, "/teams/7/years/2026/3")
        #expect(response.text == "7-2026-3" && response.headers[.server] == "1")
        #expect(try await client.get("/teams/x").status == .notFound)
    }

    @Test func `what a controller or a group throws stops the start`() {
        struct Failing: Controller {
            func routes(_ routes: Routes) throws { throw HTTPError(.conflict, "not today") }
        }
        #expect(throws: HTTPError.self) { try TestClient { $0.add(Failing()) } }
        #expect(throws: HTTPError.self) {
            _ = try Application { routes in try routes.group(Path("/a")) { _ in throw HTTPError(.conflict) } }
        }
    }

    /// Responds with the status of an error.
    private struct Catching: Middleware {
        func respond(to request: Request, next: Next) async throws -> Response {
            do { return try await next(request) } catch let error as HTTPError { return Response(error.status) }
        }
    }

    @Test(arguments: [
        ("/plain", "6, 2, 1"),
        ("/posts/7", "6, 2, 1"),
        ("/deep/er/posts/7", "6, 2, 1"),
        ("/admin/posts/7", "6, 4, 3, 2, 1"),
        ("/admin/deep/er/x", "6, 5, 4, 3, 2, 1"),
    ])
    func `a prefix is for all of a group's routes, and unknown paths are for the fallback around it`(
        path: String,
        marks: String
    ) async throws {
        #expect(try await Self.client().get(path).headers[.server] == marks)
    }
}
