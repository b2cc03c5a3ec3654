import RoostTesting
import Testing

@testable import Roost

/// A type's rules hold wherever a value of it is decoded, also inside the standard library's containers.
@Suite("Rules of decoded values", .quietLog, .timeLimit(.minutes(5)))
struct RequestRulesTests {
    private struct Nest: Codable, Sendable, Validatable {
        var tree: String

        mutating func validate(_ check: inout Validation) { check("tree", &tree, .trimmed, .required, .length(...5)) }
    }

    private static func faults<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> [String] {
        let request = try Request(
            .post, "/", headers: [.contentType: "application/json"], body: Body(Array(json.utf8)))
        do {
            _ = try request.decode(type)
            return []
        } catch let error as HTTPError {
            return error.parts.map { "\($0.pointer): \($0.message)" }
        }
    }

    @Test func `a list's elements are checked, each by its number`() throws {
        #expect(
            try Self.faults([Nest].self, #"[{"tree":"oak"},{"tree":" "},{"tree":"magnolia"}]"#) == [
                "/1/tree: Must not be empty.", "/2/tree: Must have at most 5 characters.",
            ])
        #expect(try Self.faults([[Nest]].self, #"[[],[{"tree":""}]]"#) == ["/1/0/tree: Must not be empty."])
        #expect(try Self.faults([Nest].self, "[]") == [])
    }

    @Test func `an optional value is checked if it is there`() throws {
        #expect(try Self.faults(Nest?.self, #"{"tree":""}"#) == ["/tree: Must not be empty."])
        #expect(try Self.faults(Nest?.self, "null") == [])
        #expect(try Self.faults([Nest?].self, #"[null,{"tree":""}]"#) == ["/1/tree: Must not be empty."])
    }

    @Test func `a dictionary's values are checked, each by its key`() throws {
        #expect(
            try Self.faults([String: Nest].self, #"{"a/b":{"tree":""},"c":{"tree":"oak"}}"#) == [
                "/a~1b/tree: Must not be empty."
            ])
        #expect(try Self.faults([Int: Nest].self, #"{"7":{"tree":""}}"#) == ["/7/tree: Must not be empty."])
    }

    @Test func `the change that a rule makes is kept`() throws {
        let body = Body(Array(#"{"a":[{"tree":" oak "}]}"#.utf8))
        let request = try Request(.post, "/", headers: [.contentType: "application/json"], body: body)
        #expect(try request.decode([String: [Nest]].self)["a"]?.first?.tree == "oak")
    }

    @Test func `a message of a WebSocket is checked`() async throws {
        let client = try TestClient { routes in
            routes.webSocket(Path("/nests")) { socket, _ in
                for try await message in socket {
                    try await socket.send(json: socket.decode(Nest.self, from: message))
                }
            }
        }
        let socket = try await client.webSocket("/nests")
        try await socket.send(#"{"tree":" oak "}"#)
        #expect(try await socket.receive() == .text(#"{"tree":"oak"}"#))
        try await socket.send(#"{"tree":" "}"#)
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .invalidData)
    }
}
