import FoundationEssentials
import Logging
import Roost
import RoostTesting
import Testing

@Suite("Routes that collide", .timeLimit(.minutes(5)))
struct RouteCollisionTests {
    private static func mistake(_ routes: (Routes) throws -> Void) throws -> String? {
        do {
            _ = try Application(configuration: ServerConfiguration(), logger: LogLines().logger, routes: routes)
            return nil
        } catch let mistake as StartError {
            return mistake.description
        }
    }

    private static let users = Path("/users")

    @Test func `two of one path stop the start, naming both places`() throws {
        let text = try Self.mistake { routes in
            routes.get(Self.users, file: "Site/One.swift", line: 12) { _ in "one" }
            routes.get(Path("/other"), file: "Site/One.swift", line: 13) { _ in "other" }
            routes.get(Self.users, file: "Site/Two.swift", line: 34) { _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("GET /users"))
        #expect(sentence.contains("Site/One.swift:12"))
        #expect(sentence.contains("Site/Two.swift:34"))
    }

    @Test func `the place is that of the declaration`() throws {
        let line = #line + 2
        let text = try Self.mistake { routes in
            routes.get(Self.users) { _ in "one" }
            routes.get(Self.users) { _ in
                await Task.yield()
                return "two"
            }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("RoostTests/RouteCollisionTests.swift:\(line)"))
        #expect(sentence.contains("RoostTests/RouteCollisionTests.swift:\(line + 1)"))
    }

    @Test func `types that are tried at the same time collide, and types with an order do not`() throws {
        let text = try Self.mistake { routes in
            routes.get(Path("/users/{id}/posts", Int.self), file: "One.swift", line: 1) { _, _ in "one" }
            routes.get(Path("/users/{number}/posts", Int64.self), file: "Two.swift", line: 2) { _, _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("GET /users/{id}/posts and GET /users/{number}/posts"))
        #expect(sentence.contains("One.swift:1") && sentence.contains("Two.swift:2"))
        let none = try Self.mistake { routes in
            routes.get(Path("/users/{id}", Int.self)) { _, _ in "one" }
            routes.get(Path("/users/{id}", UUID.self)) { _, _ in "two" }
            routes.get(Path("/users/{name}", String.self)) { _, _ in "three" }
            routes.get(Path("/users/{name}.json", String.self)) { _, _ in "four" }
            routes.get(Path("/users/{rest}", RemainingPath.self)) { _, _ in "five" }
        }
        #expect(none == nil)
    }

    @Test func `segments that differ only in how a letter is composed are different`() async throws {
        let letters = ["\u{E9}", "e\u{301}"]
        let client = try TestClient { routes in
            for letter in letters { routes.get(Path("/\(letter)")) { _ in "\(letter.utf8.count)" } }
        }
        #expect(try await client.get("/%C3%A9").text == "2")
        #expect(try await client.get("/e%CC%81").text == "3")
    }

    @Test func `a group's prefix counts`() throws {
        let text = try Self.mistake { routes in
            routes.group(Self.users) { $0.get(Path("/new"), file: "One.swift", line: 1) { _ in "one" } }
            routes.get(Path("/users/new"), file: "Two.swift", line: 2) { _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("One.swift:1") && sentence.contains("Two.swift:2"))
    }

    @Test func `paths that only look alike do not collide`() throws {
        let text = try Self.mistake { routes in
            routes.get(Path("/users/{name}", String.self)) { _, _ in "parameter" }
            routes.get(Path("/users/:")) { _ in "literal" }
            routes.get(Path("/users/new/form")) { _ in "two segments" }
            routes.get(Path("/users/new%2Fform")) { _ in "one segment" }
            routes.post(Path("/users/{name}", String.self)) { _, _ in "another method" }
            routes.get(Self.users) { _ in "shorter" }
            routes.get(Path("/users/")) { _ in "with a slash" }
        }
        #expect(text == nil)
    }
}
