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

    @Test func `a prefix has parameters, whose values the handlers get first`() async throws {
        let client = try TestClient { routes in
            routes.group(Path("/teams/{team}", Int.self)) { team in
                team.get(Path("/")) { _, team in "team \(team)" }
                team.get(Path("/members/{member}", String.self)) { _, team, member in
                    await Task.yield()
                    return "member \(member) of \(team)"
                }
                team.group(Path("/years/{year}", Int.self)) { year in
                    year.post(Path("/{day}", Int.self)) { _, place, day in "\(place.0)-\(place.1)-\(day)" }
                }
                team.fallback { request in "nothing at \(request.path)" }
            }
            routes.group(Path("/{a}/{b}/{c}", Int.self, Int.self, Int.self)) { numbers in
                numbers.get(Path("/sum")) { _, values in "\(values.0 + values.1 + values.2)" }
            }
        }
        #expect(try await client.get("/teams/7").text == "team 7")
        #expect(try await client.get("/teams/7/members/ada").text == "member ada of 7")
        #expect(try await client.request(.post, "/teams/7/years/2026/3").text == "7-2026-3")
        #expect(try await client.get("/teams/7/x").text == "nothing at /teams/7/x")
        #expect(try await client.get("/teams/x").status == .notFound)
        #expect(try await client.get("/1/2/3/sum").text == "6")
    }

    @Test func `a prefix of two parameters may be written in the call`() async throws {
        let client = try TestClient { routes in
            routes.group(Path("/{year}/{month}", Int.self, String.self)) { month in
                month.get(Path("/{day}", Int.self)) { _, month, day in "\(month.0) \(month.1) \(day)" }
            }
        }
        #expect(try await client.get("/2026/may/3").text == "2026 may 3")
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
