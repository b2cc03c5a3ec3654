import Synchronization
import Testing

@testable import Roost

/// A WebSocket whose handshake came behind requests whose responses its client does not take.
@Suite("A WebSocket behind unread responses", .timeLimit(.minutes(5)))
struct WebSocketBehindResponsesTests {
    private final class Seen: Sendable {
        let words = Mutex<[String]>([])

        func note(_ word: String) { words.withLock { $0.append(word) } }
    }

    @Test(arguments: [false, true], [false, true])
    func `its handler is cancelled when the client leaves`(waits: Bool, reads: Bool) throws {
        let seen = Seen()
        let handler: @Sendable (WebSocket) async throws -> Void = { socket in
            seen.note("begins")
            defer { seen.note(Task.isCancelled ? "cancelled" : "ends") }
            if reads { for try await _ in socket {} }
            try await EventLoop.current?.sleep(for: .seconds(3600))
        }
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/large")) { _ in String(repeating: "l", count: 40_000) }
            if waits {
                routes.get(Path("/socket")) { request async throws -> Response in
                    try Response.webSocket(to: request, use: handler)
                }
            } else {
                routes.webSocket(Path("/socket")) { socket, _ in try await handler(socket) }
            }
        }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let client = try StandingClient(in: group, socketTakes: 4096)
        client.connection.start()
        group.loop.run(
            { client.send(get("/large") + handshake("/socket")) },
            // Some of the response is taken, so that the handler begins; not all of the rest.
            {
                while seen.words.withLock({ $0.isEmpty }), client.received ?? 0 > 0 {
                    client.connection.ready(.writable)
                }
            },
            { client.leave() },
            {})
        let words = seen.words.withLock { $0 }
        // One that reads learns of it there, unless it has not come to read.
        #expect(words == ["begins", "cancelled"] || words.isEmpty || reads && words == ["begins", "ends"])
        #expect(group.connections.isEmpty || client.connection.state.phase == .closed)
    }
}
