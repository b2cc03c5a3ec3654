import Roost
import RoostTesting
import Testing

@Suite("Patterns of other frameworks", .timeLimit(.minutes(5)))
struct OtherPatternTests {
    private static func mistake(_ routes: (Routes) throws -> Void) throws -> String {
        do {
            _ = try Application(configuration: ServerConfiguration(), logger: LogLines().logger, routes: routes)
            return ""
        } catch let mistake as StartError {
            return mistake.description
        }
    }

    @Test(arguments: [
        ("/users/:id", "has :id; a parameter is written {id}"),
        ("/users/<id>", "has <id>; a parameter is written {id}"),
        ("/users/[id]", "has [id]; a parameter is written {id}"),
        ("/files/*", "has *; the rest of a path is written"),
        ("/files/**", "has **; the rest of a path is written"),
        ("/users?page=1", "a handler reads request.query"),
        ("/users#top", "a handler reads request.query"),
    ])
    func `a segment that would match only itself stops the start`(pattern: String, sentence: String) throws {
        let text = try Self.mistake { $0.get(Path(pattern)) { _ in "" } }
        #expect(text.contains("Path(\"\(pattern)\") ") && text.contains(sentence), "\(text)")
    }

    @Test(arguments: [
        ("/files/{p...}", "has {p...}; the rest of a path is written"),
        ("/files/{p*}", "has {p*}; the rest of a path is written"),
        ("/files/{id?}", "declare a route for each of the two paths"),
        ("/files/{id:int}", "a parameter's type is written after the path"),
        ("/search?q={q}", "a handler reads request.query"),
        ("/users/{id}?tab=1", "a handler reads request.query"),
        ("/users/{id}#top", "a handler reads request.query"),
    ])
    func `a parameter that says more stops the start`(pattern: String, sentence: String) throws {
        let text = try Self.mistake { $0.get(Path(pattern, String.self)) { _, _ in "" } }
        #expect(text.contains(sentence), "\(text)")
    }

    @Test func `such a text can still be routed, percent-encoded, and a colon alone`() async throws {
        let client = try TestClient { routes in
            for path in ["/%3Aid", "/%3Cid%3E", "/%2A", "/a%3Fb%23", "/:", "/a:b", "/*.css"] {
                routes.get(Path(path)) { _ in path }
            }
        }
        #expect(try await client.get("/:id").text == "/%3Aid")
        #expect(try await client.get("/%3Cid%3E").text == "/%3Cid%3E")
        #expect(try await client.get("/*").text == "/%2A")
        #expect(try await client.get("/a%3Fb%23").text == "/a%3Fb%23")
        for path in ["/:", "/a:b", "/*.css"] { #expect(try await client.get(path).text == path) }
    }
}
