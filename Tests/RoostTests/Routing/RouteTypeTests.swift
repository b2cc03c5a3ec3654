import FoundationEssentials
import Roost
import RoostTesting
import Testing

@Suite("The types of parameters in matching", .timeLimit(.minutes(5)))
struct RouteTypeTests {
    private enum Period: String, PathParameter {
        case day
        case week
    }

    private static let id = "0f8fad5b-d9cb-469f-a165-70867728950e"

    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.get(Path("/a/{id}", Int.self)) { _, id in "a \(id)" }
            routes.get(Path("/{name}/b", String.self)) { _, name in "\(name) b" }
            routes.get(Path("/things/{name}", String.self)) { _, name in "text \(name)" }
            routes.get(Path("/things/{period}", Period.self)) { _, period in "period \(period)" }
            routes.get(Path("/things/{id}", UUID.self)) { _, id in "id \(id.uuidString.lowercased())" }
            routes.get(Path("/things/{number}", Int.self)) { _, number in "number \(number)" }
            routes.get(Path("/things/{number}.json", Int.self)) { _, number in "json \(number)" }
            routes.get(Path("/things/img-{name}.png", String.self)) { _, name in "picture \(name)" }
            routes.get(Path("/files/{path}", RemainingPath.self)) { _, path in path.segments.joined(separator: "|") }
            routes.get(Path("/files/first")) { _ in "literal" }
            routes.delete(Path("/n/{number}", Int8.self)) { _, number in "deleted \(number)" }
            routes.get(Path("/{number}", UInt16.self)) { _, number in "root \(number)" }
            routes.fallback { _ in "fallback" }
        }
    }

    @Test(arguments: [
        ("/a/7", "a 7"),
        ("/a/b", "a b"),
        ("/things/7", "number 7"),
        ("/things/007", "text 007"),
        ("/things/week", "period week"),
        ("/things/month", "text month"),
        ("/things/\(id)", "id \(id)"),
        ("/things/\(id.uppercased())", "id \(id)"),
        ("/things/7.json", "json 7"),
        ("/things/x.json", "text x.json"),
        ("/things/.json", "text .json"),
        ("/things/img-a%20b.png", "picture a b"),
        ("/things/img-.png", "text img-.png"),
        ("/files/a/b%2Fc/d.txt", "a|b/c|d.txt"),
        ("/files/first", "literal"),
        ("/files/first/x", "first|x"),
        ("/files/", ""),
        ("/files", "fallback"),
        ("/65535", "root 65535"),
        ("/65536", "fallback"),
        ("/style.css", "fallback"),
    ])
    func `a segment goes to the narrowest type of which it is a value`(path: String, text: String) async throws {
        #expect(try await Self.client().get(path).text == text)
    }

    @Test(arguments: ["/n/abc", "/n/128", "/n/-129"])
    func `a path whose parameter is not a value of its type is unknown to every method`(path: String) async throws {
        let client = try TestClient { routes in
            routes.delete(Path("/n/{number}", Int8.self)) { _, number in "deleted \(number)" }
        }
        #expect(try await client.request(.delete, path).status == .notFound)
        #expect(try await client.get(path).status == .notFound)
        #expect(try await client.get("/n/-128").status == .methodNotAllowed)
        #expect(try await client.request(.delete, "/n/-128").text == "deleted -128")
    }

    @Test func `a rest may be empty, also at the root, where no other route has the path`() async throws {
        let client = try TestClient { routes in
            routes.get(Path("/{path}", RemainingPath.self)) { _, path in "\(path.segments)" }
            routes.group(Path("/group")) { group in
                group.get(Path("/{path}", RemainingPath.self)) { _, path in "group \(path.segments)" }
            }
            routes.get(Path("/{name}", String.self)) { _, name in "name \(name)" }
            routes.post(Path("/")) { _ in "posted" }
        }
        for (path, text) in [
            ("/", #"[""]"#), ("/?a=b", #"[""]"#), ("//", #"["", ""]"#), ("/a", "name a"), ("/a/", #"["a", ""]"#),
            ("/group/", #"group [""]"#),
        ] {
            #expect(try await client.get(path).text == text)
        }
        #expect(try await client.head("/").status == .ok)
        #expect(try await client.post("/").text == "posted")
        #expect(try await client.delete("/").headers[.allow] == "GET, HEAD, OPTIONS, POST")
        let other = try TestClient { routes in
            routes.get(Path("/{path}", RemainingPath.self)) { _, path in "\(path.segments)" }
            routes.get(Path("/")) { _ in "root" }
        }
        #expect(try await other.get("/").text == "root")
    }

    @Test func `URLs are made with what stands around parameters`() {
        #expect(Path("/things/{number}.json", Int.self).url(7) == "/things/7.json")
        #expect(Path("/files/{path}", RemainingPath.self).url(RemainingPath(["a b", "c/d"])) == "/files/a%20b/c%2Fd")
        let user = Path("/users/{id}", Int.self)
        let post = user.appending(Path("/posts/{post}", String.self))
        #expect(post.url(3, "x") == "/users/3/posts/x")
        #expect(user.appending("/delete").url(3) == "/users/3/delete")
        #expect(post.description == "/users/{id}/posts/{post}")
    }
}
