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
}
