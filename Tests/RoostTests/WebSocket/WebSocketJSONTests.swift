import RoostTesting
import Testing

@testable import Roost

/// JSON over WebSockets, and what a handler's error says to the client.
@Suite("WebSockets: JSON and errors", .quietLog, .timeLimit(.minutes(5)))
struct WebSocketJSONTests {
    private struct Bird: Codable, Equatable {
        var commonName: String
        var wingSpan: Int?
    }

    private func client() throws -> TestClient {
        TestClient(
            try Application(json: JSONCoder(keys: .snakeCase)) { routes in
                routes.webSocket(Path("/birds")) { socket, _ in
                    for try await message in socket {
                        var bird = try socket.decode(Bird.self, from: message)
                        bird.wingSpan = 95
                        try await socket.send(json: bird)
                    }
                }
                routes.webSocket(Path("/plain")) { socket, _ in
                    for try await message in socket {
                        let bird = try socket.decode(Bird.self, from: message, using: JSONCoder())
                        try await socket.send(json: bird, using: JSONCoder())
                    }
                }
                routes.webSocket(Path("/errors/{status}", Int.self)) { _, _, status in
                    throw HTTPError(.init(code: status), "What is wrong.")
                }
            })
    }

    @Test func `it is written and read as the application's other JSON`() async throws {
        let socket = try await client().webSocket("/birds")
        try await socket.send(#"{"common_name":"owl"}"#)
        #expect(try await socket.receive() == .text(#"{"common_name":"owl","wing_span":95}"#))
        try await socket.send(.binary(Array(#"{"common_name":"jay"}"#.utf8)))
        #expect(try await socket.receive()?.text?.contains("jay") == true)
    }

    @Test func `or as the handler says`() async throws {
        let socket = try await client().webSocket("/plain")
        try await socket.send(#"{"commonName":"owl"}"#)
        #expect(try await socket.receive() == .text(#"{"commonName":"owl"}"#))
    }

    @Test(arguments: [#"{"common_name":"#, "{}", "[]", #"{"common_name":7}"#])
    func `a message that does not fit ends the WebSocket with 1007`(text: String) async throws {
        let socket = try await client().webSocket("/birds")
        try await socket.send(text)
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .invalidData)
        #expect(socket.closed?.reason.isEmpty == false)
    }

    @Test(arguments: [(400, 1007), (422, 1007), (403, 1008), (429, 1008), (503, 1013), (500, 1011)])
    func `an error's status becomes a code, with its message`(status: Int, code: UInt16) async throws {
        let socket = try await client().webSocket("/errors/\(status)")
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code.rawValue == code)
        #expect(socket.closed?.reason == "What is wrong.")
    }
}
