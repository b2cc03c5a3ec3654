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
        } catch let mistake as ConfigurationMistake {
            return mistake.description
        }
    }

    private static let users = Path.root / "users"

    @Test func `two of one path end the start, naming both places`() throws {
        let text = try Self.mistake { routes in
            routes.get(Self.users, file: "Site/One.swift", line: 12) { _ in "one" }
            routes.get(Path.root / "other", file: "Site/One.swift", line: 13) { _ in "other" }
            routes.get(Self.users, file: "Site/Two.swift", line: 34) { _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("GET /users"))
        #expect(sentence.contains("Site/One.swift:12"))
        #expect(sentence.contains("Site/Two.swift:34"))
    }

    @Test func `segments that differ only in how a letter is composed are two`() async throws {
        let letters = ["\u{E9}", "e\u{301}"]
        let client = try TestClient { routes in
            for letter in letters { routes.get(Path.root / letter) { _ in "\(letter.utf8.count)" } }
        }
        #expect(try await client.get("/%C3%A9").text == "2")
        #expect(try await client.get("/e%CC%81").text == "3")
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

    @Test func `parameters of other types are the same path`() throws {
        let text = try Self.mistake { routes in
            routes.get(Self.users / Int.self / "posts", file: "One.swift", line: 1) { _, _ in "one" }
            routes.get(Self.users / String.self / "posts", file: "Two.swift", line: 2) { _, _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("GET /users/:/posts"))
        #expect(sentence.contains("One.swift:1") && sentence.contains("Two.swift:2"))
    }

    @Test func `a group's prefix counts`() throws {
        let text = try Self.mistake { routes in
            routes.group(Self.users) { $0.get(Path.root / "new", file: "One.swift", line: 1) { _ in "one" } }
            routes.get(Self.users / "new", file: "Two.swift", line: 2) { _ in "two" }
        }
        let sentence = try #require(text)
        #expect(sentence.contains("One.swift:1") && sentence.contains("Two.swift:2"))
    }

    @Test func `paths that only look alike do not collide`() throws {
        let text = try Self.mistake { routes in
            routes.get(Self.users / String.self) { _, _ in "parameter" }
            routes.get(Self.users / ":") { _ in "literal" }
            routes.get(Self.users / "new" / "form") { _ in "two segments" }
            routes.get(Self.users / "new/form") { _ in "one segment" }
            routes.post(Self.users / String.self) { _, _ in "another method" }
            routes.get(Self.users) { _ in "shorter" }
            routes.get(Self.users / "") { _ in "with a slash" }
        }
        #expect(text == nil)
    }
}
