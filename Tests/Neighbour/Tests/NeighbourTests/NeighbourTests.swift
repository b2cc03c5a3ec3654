import Neighbour
import RoostTesting
import Testing

// The example of `Middleware`, whose users have nothing but what is public.
struct Timing: Middleware {
    func respond(to request: Request, next: Next) async throws -> Response {
        let start = ContinuousClock.now
        var response = try await next(request)
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        response.headers["Server-Timing"] = "total;dur=\(milliseconds)"
        return response
    }
}

@Suite("Other people's middleware and controllers", .quietLog, .timeLimit(.minutes(5)))
struct NeighbourTests {
    private static func application(_ middleware: [any Middleware] = []) throws -> Application {
        struct Broken: Error {}
        return try Application(middleware: Application.standardMiddleware() + middleware) { routes in
            routes.add(StatusController(["database": {}, "mail": {}]))
            routes.group(Path("/broken")) { $0.add(StatusController(["database": { throw Broken() }])) }
            routes.get(Path("/old/{name}", String.self)) { _, name in
                guard name == "who" else { return .json(["name": name], status: .notFound) }
                return .redirect(to: "/who")
            }
            routes.get(Path("/who")) { request in request.tenant?.name ?? "nobody" }
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `a controller of another package has its routes`(transport: TestClient.Transport) async throws {
        let client = TestClient(try Self.application(), over: transport)
        let fine = try await client.get("/status")
        #expect(fine.status == .ok && fine.text == #"{"failed":[]}"#)
        let broken = try await client.get("/broken/status")
        #expect(broken.status == .serviceUnavailable && broken.text == #"{"failed":["database"]}"#)
        try await client.stop()
    }

    @Test func `a closure returns responses without their type`() async throws {
        let client = TestClient(try Self.application())
        #expect(try await client.get("/old/who").headers[.location] == "/who")
        #expect(try await client.get("/old/what").text == #"{"name":"what"}"#)
    }

    @Test func `a middleware that never waits stops requests before they are handled`() async throws {
        let network = try #require(IPNetwork("192.0.2.0/24"))
        let maintenance = Maintenance(exempting: [network])
        let application = try Self.application([maintenance])
        let client = TestClient(application)
        #expect(try await client.get("/status").status == .ok)
        maintenance.set(true)
        let response = try await client.get("/status")
        #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "300")
        #expect(response.text.contains("The site is being worked on."))
        let colleague = TestClient(application, peer: .tcp(try #require(IPAddress("192.0.2.7")), port: 1))
        #expect(try await colleague.get("/status").status == .ok)
    }

    @Test func `a middleware that waits sees the response`() async throws {
        let response = try await TestClient(try Self.application([Timing()])).get("/who")
        let value = response.headers["Server-Timing"] ?? ""
        #expect(value.hasPrefix("total;dur=") && Double(value.dropFirst("total;dur=".count)) != nil, "\(value)")
    }

    @Test func `a middleware that waits hands on what it has found`() async throws {
        let application = try Self.application([Tenants { $0 == "nest" }])
        let client = TestClient(application, host: "nest.localhost")
        let response = try await client.get("/who")
        #expect(response.text == "nest" && response.headers[.vary] == "Host")
        #expect(try await TestClient(application, host: "other.localhost").get("/who").status == .notFound)
    }
}
