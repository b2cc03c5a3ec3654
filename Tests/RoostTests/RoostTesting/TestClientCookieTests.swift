import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 6265 §5: the test client's cookies", .timeLimit(.minutes(5)))
struct TestClientCookieTests {
    private static func client(host: String = "localhost") throws -> TestClient {
        try TestClient(host: host) { routes in
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

    @Test func `a test sets one beside those of responses`() async throws {
        let client = try Self.client()
        try await Self.set("a=1; Path=/", on: client)
        client.setCookie("theme", "dark")
        #expect(try await client.get("/shop").text == "a=1; theme=dark")
        #expect(client.cookie("theme") == "dark")
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

    @Test(arguments: [
        ("__Secure-a=1; Path=/shop", false), ("__secure-a=1; Path=/; HttpOnly", false),
        ("__Secure-a=1; Path=/shop; Secure", true), ("__SECURE-a=1; secure=", true),
        ("__Host-a=1; Path=/", false), ("__Host-a=1; Path=/shop; Secure", false), ("__host-a=1; Secure", false),
        ("__Host-a=1; Path=/; Secure; Domain=nest.example", false), ("__Host-a=1; Path=/; Secure", true),
        ("__HOST-a=1; secure; path=/; HttpOnly", true), ("__Hosts-a=1", true),
    ])
    func `have the attributes that their name promises`(field: String, isKept: Bool) async throws {
        let client = try Self.client(host: "nest.example")
        try await Self.set(field, on: client)
        #expect((try await client.get("/shop").text == "none") == !isKept)
    }

    @Test func `are not removed by one that is refused`() async throws {
        let client = try Self.client()
        try await Self.set("__Host-a=1; Path=/; Secure", on: client)
        try await Self.set("__Host-a=; Path=/; Max-Age=0", on: client)
        #expect(client.cookie("__Host-a") == "1")
        try await Self.set("__Host-a=; Path=/; Secure; Max-Age=0", on: client)
        #expect(client.cookie("__Host-a") == nil)
    }

    @Test(arguments: [
        ("owls.nest.example", true), ("nest.example", true), (".Nest.Example", true), ("", true),
        ("example", false), (".example", false), ("other.example", false), ("s.nest.example", false),
        ("my.owls.nest.example", false), ("owls.nest.example:3000", false), (".", false),
    ])
    func `have a domain to which their host belongs`(domain: String, isKept: Bool) async throws {
        let client = try Self.client(host: "Owls.nest.example:3000")
        try await Self.set("a=1; Path=/; Domain=\(domain)", on: client)
        #expect((client.cookie("a") == "1") == isKept)
    }

    @Test func `have an address as their domain only if that is their host`() async throws {
        let client = try Self.client(host: "127.0.0.1")
        try await Self.set("a=1; Path=/; Domain=127.0.0.1", "b=1; Path=/; Domain=0.0.1", on: client)
        #expect(try await client.get("/").text == "a=1")
    }

    @Test func `belong to the host that the request names`() async throws {
        let client = try Self.client()
        let form = Form([("cookie", "a=1; Path=/; Domain=nest.example")])
        var headers: Headers = [:]
        headers["Host"] = "owls.nest.example"
        _ = try await client.post("/shop/set", form: form)
        #expect(client.cookie("a") == nil)
        _ = try await client.post("/shop/set", form: form, headers: headers)
        #expect(client.cookie("a") == "1")
    }

    @Test func `set by a test may have the names that HTTPS gives them`() async throws {
        let client = try Self.client()
        for name in ["__Host-session", "__Secure-session", "session"] {
            client.setCookie(name, "1")
            #expect(client.cookie(name) == "1")
        }
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
