import Roost
import RoostTesting
import Testing

/// Closures whose result is written with a leading dot, which does not say its type.
@Suite("Closures that return responses", .timeLimit(.minutes(5)))
struct ResponseClosureTests {
    private struct Nest: Codable, Sendable, Equatable { var id: Int }

    private static func find(_ id: Int) async throws -> Nest? {
        await Task.yield()
        return id < 3 ? Nest(id: id) : nil
    }

    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.get(Path("/waiting/{id}", Int.self)) { _, id in
                guard let nest = try await Self.find(id) else { return .redirect(to: "/missing") }
                return .json(nest)
            }
            routes.get(Path("/immediate/{id}", Int.self)) { _, id in
                guard id < 3 else { return .redirect(to: "/missing") }
                return .json(Nest(id: id))
            }
            routes.get(Path("/old")) { _ in .redirect(to: "/missing") }
            routes.post(Path("/waiting"), Nest.self) { _, nest in
                guard let found = try await Self.find(nest.id) else { return .redirect(to: "/missing") }
                return .json(found)
            }
            routes.post(Path("/immediate"), Nest.self) { _, nest in
                guard nest.id < 3 else { return .redirect(to: "/missing") }
                return .json(nest)
            }
            let nests = routes.resource(Resource("/nests", Int.self))
            nests.show { _, id in
                guard let nest = try await Self.find(id) else { return .redirect(to: "/missing") }
                return .json(nest)
            }
            nests.index { _ in .redirect(to: "/missing") }
        }
    }

    @Test func `a closure may redirect, or return JSON`() async throws {
        let client = try Self.client()
        for path in ["/waiting/1", "/immediate/1", "/nests/1"] {
            #expect(try await client.get(path).text == #"{"id":1}"#, "\(path)")
        }
        for path in ["/waiting/7", "/immediate/7", "/nests/7", "/old", "/nests"] {
            let response = try await client.get(path)
            #expect(response.status == .seeOther && response.headers[.location] == "/missing", "\(path)")
        }
    }

    @Test func `so may one with an input`() async throws {
        let client = try Self.client()
        for path in ["/waiting", "/immediate"] {
            #expect(try await client.post(path, json: Nest(id: 1)).text == #"{"id":1}"#, "\(path)")
            #expect(try await client.post(path, json: Nest(id: 7)).status == .seeOther, "\(path)")
        }
    }
}
