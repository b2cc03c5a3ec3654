import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 6265 §5: the test client's cookies", .timeLimit(.minutes(5)))
struct TestClientCookieTests {
    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.post(Path("/shop/set")) { request in
                var response = Response(.noContent)
                for field in try request.form()[values: "cookie"] { response.headers.append(.setCookie, field) }
                return response
            }
            for path in ["/", "/shop", "/shop/cart", "/shopping"] {
                routes.get(Path(path)) { request in request.headers[.cookie] ?? "none" }
            }
        }
    }

    private static func set(_ cookies: String..., on client: TestClient) async throws {
        _ = try await client.post("/shop/set", form: Form(cookies.map { ("cookie", $0) }))
    }

    @Test func `are sent to their path and what is below it`() async throws {
        let client = try Self.client()
        try await Self.set("a=1; Path=/shop", "b=2; Path=/", on: client)
        #expect(try await client.get("/").text == "b=2")
        #expect(try await client.get("/shop").text == "a=1; b=2")
        #expect(try await client.get("/shop/cart?x=/").text == "a=1; b=2")
        #expect(try await client.get("/shopping").text == "b=2")
    }

    @Test func `without a path belong to the folder of the request`() async throws {
        let client = try Self.client()
        try await Self.set("a=1", on: client)
        #expect(try await client.get("/shop/cart").text == "a=1")
        #expect(try await client.get("/").text == "none")
    }

    @Test func `of one name and two paths are two`() async throws {
        let client = try Self.client()
        try await Self.set("a=1; Path=/", "a=2; Path=/shop", on: client)
        #expect(try await client.get("/shop").text == "a=2; a=1")
        try await Self.set("a=; Path=/shop; Max-Age=0", on: client)
        #expect(try await client.get("/shop").text == "a=1")
        #expect(client.cookie("a") == "1")
    }

    @Test(arguments: [
        "a=; Max-Age=0", "a=; Max-Age=-1", "a=; max-age=-99999999999999999999",
        "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Path=/shop",
    ])
    func `are removed by an end in the past`(field: String) async throws {
        let client = try Self.client()
        try await Self.set("a=1; Path=/shop", "b=2; Path=/shop", on: client)
        try await Self.set(field, on: client)
        #expect(try await client.get("/shop").text == "b=2")
    }

    @Test func `end when their time has passed`() async throws {
        let client = try Self.client()
        try await Self.set(
            "a=1; Path=/; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "b=2; Path=/; Max-Age=x", on: client)
        try await client.pass(.seconds(9))
        #expect(try await client.get("/").text == "a=1; b=2")
        try await client.pass(.seconds(1))
        #expect(try await client.get("/").text == "b=2")
        #expect(client.cookie("a") == nil)
    }

    @Test func `come with WebSockets, refused ones and event streams, and go with them`() async throws {
        let client = try TestClient { routes in
            routes.get(Path("/socket")) { request in
                var response = try Response.webSocket(to: request) { _ in }
                response.headers.append(.setCookie, "socket=\(request.headers[.cookie] ?? "none")")
                return response
            }
            routes.get(Path("/refused")) { _ in Response(.forbidden, headers: [.setCookie: "refused=1"]) }
            routes.get(Path("/events")) { request in
                let sent =
                    "\(request.authority), \(request.headers[values: .accept]), \(request.headers[.cookie] ?? "")"
                var response = Response.events { events in
                    try await events.send(ServerSentEvent(sent))
                }
                response.headers.append(.setCookie, "events=1")
                return response
            }
        }
        await #expect(throws: WebSocketRefused.self) { try await client.webSocket("/refused") }
        #expect(client.cookie("refused") == "1")
        _ = try await client.webSocket("/socket")
        #expect(client.cookie("socket") == "refused=1")
        _ = try await client.webSocket("/socket", headers: [.cookie: "own"])
        #expect(client.cookie("socket") == "own")
        let events = try await client.events("/events")
        #expect(try await events.next()?.data == "localhost, [\"text/event-stream\"], refused=1; socket=own")
        #expect(try await events.next() == nil)
        #expect(client.cookie("events") == "1")
        var headers: Headers = [.accept: "text/*", .cookie: "own"]
        headers["Host"] = "example.com"
        let other = try await client.events("/events", headers: headers).next()
        #expect(other?.data == "example.com, [\"text/*\"], own")
    }
}
