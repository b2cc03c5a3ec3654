import Roost
import RoostTesting
import Testing

@Suite("Finding a route", .timeLimit(.minutes(5)))
struct RouteMatchingTests {
    private static func client() throws -> TestClient {
        try TestClient { routes in
            let users = Path("/users")
            routes.get(Path("/")) { _ in "root" }
            routes.get(users) { _ in "users" }
            routes.get(Path("/users/new")) { _ in "new" }
            routes.get(Path("/users/{name}", String.self)) { _, name in "user \(name)" }
            routes.post(Path("/users/{name}", String.self)) { _, name in "post \(name)" }
            routes.post(Path("/users/only-post")) { _ in "posted" }
            routes.get(Path("/users/new/help")) { _ in "help" }
            routes.get(Path("/users/{name}/posts", String.self)) { _, name in "posts of \(name)" }
            routes.get(Path("/a/b/c")) { _ in "a b c" }
            routes.get(Path("/a/{name}/d", String.self)) { _, one in "a :\(one) d" }
            routes.get(Path("/{name}/b/e", String.self)) { _, one in ":\(one) b e" }
            routes.get(Path("/{name}/{name2}/f", String.self, String.self)) { _, one, two in ":\(one) :\(two) f" }
            routes.get(Path("/slash/")) { _ in "slash" }
            routes.get(Path("/x%20y/käse/a%2Fb/:")) { _ in "odd" }
        }
    }

    @Test(arguments: [
        ("/", "root"),
        ("/?a=b", "root"),
        ("/users", "users"),
        ("/users?page=2", "users"),
        ("/users/new", "new"),
        ("/users/newer", "user newer"),
        ("/users/ne", "user ne"),
        ("/users/New", "user New"),
        ("/users/new/help", "help"),
        ("/users/new/posts", "posts of new"),
        ("/users/posts/posts", "posts of posts"),
        ("/slash/", "slash"),
    ])
    func `a literal segment is preferred to a parameter, which takes anything else`(
        path: String,
        answer: String
    ) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status == .ok)
        #expect(response.text == answer)
    }

    @Test(arguments: [
        ("/a/b/c", "a b c"),
        ("/a/b/d", "a :b d"),
        ("/a/x/d", "a :x d"),
        ("/a/b/e", ":a b e"),
        ("/x/b/e", ":x b e"),
        ("/a/b/f", ":a :b f"),
        ("/x/y/f", ":x :y f"),
    ])
    func `a branch without a match is abandoned, with what it captured`(path: String, answer: String) async throws {
        #expect(try await Self.client().get(path).text == answer)
    }

    @Test(arguments: ["/a/b/g", "/a", "/a/b", "/a/b/c/d", "/users/new/help/more", "/users/x/y", "/slash", "/x"])
    func `a path that no way leads to is 404`(path: String) async throws {
        #expect(try await Self.client().get(path).status == .notFound)
    }

    @Test func `a literal that lacks the method gives way to a parameter that has it`() async throws {
        let client = try Self.client()
        #expect(try await client.request(.post, "/users/new").text == "post new")
        #expect(try await client.request(.post, "/users/only-post").text == "posted")
        #expect(try await client.get("/users/only-post").text == "user only-post")
        #expect(try await client.head("/users/only-post").headers[.contentLength] == "\("user only-post".count)")
    }

    @Test(arguments: ["//", "/users/", "/users//", "//users", "/users//posts", "/users/x//posts", "/slash//", "/a//d"])
    func `an empty segment is not a parameter, and is not skipped`(path: String) async throws {
        #expect(try await Self.client().get(path).status == .notFound)
    }

    @Test(arguments: [
        ("/%75sers", "users"),
        ("/users/n%65w", "new"),
        ("/%75%73%65%72%73/%6e%65%77/%68%65%6C%70", "help"),
        ("/x%20y/k%C3%A4se/a%2Fb/:", "odd"),
        ("/x%20y/k%c3%a4se/a%2fb/%3A", "odd"),
        ("/users/a%2Fb", "user a/b"),
        ("/users/a%2fb/posts", "posts of a/b"),
        ("/users/new%2Fhelp", "user new/help"),
        ("/users/a+b", "user a+b"),
        ("/users/%2B", "user +"),
        ("/users/100%25", "user 100%"),
        ("/users/%2525", "user %25"),
        ("/users/%3F%23", "user ?#"),
        ("/users/%F0%9F%98%80", "user 😀"),
        ("/users/%FF", "user \u{FFFD}"),
        ("/users/%20", "user  "),
    ])
    func `escapes are decoded within their segment`(path: String, answer: String) async throws {
        #expect(try await Self.client().get(path).text == answer)
    }

    @Test(arguments: ["/users%2Fnew", "/x+y/k%C3%A4se/a%2Fb/:", "/x%20y/k%C3%A4se/a/b/:", "/users/new%2Fhelp/more"])
    func `an encoded slash separates nothing, and a plus is not a space`(path: String) async throws {
        #expect(try await Self.client().get(path).status == .notFound)
    }

    @Test func `a thousand routes are all found`() async throws {
        let client = try TestClient { routes in
            for number in 0..<1000 {
                routes.get(Path("/route\(number)/{id}", Int.self)) { _, value in "\(number) \(value)" }
            }
        }
        let requests = (0..<1000).map { "GET /route\($0)/\($0 + 7) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
        let connection = try await client.connection(sending: requests)
        for number in 0..<1000 { #expect(try await connection.readResponse().text == "\(number) \(number + 7)") }
        #expect(try await client.get("/route1000/1").status == .notFound)
        #expect(try await client.get("/route/1").status == .notFound)
    }
}
