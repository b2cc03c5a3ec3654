import Roost
import RoostTesting
import Testing

/// Tests that give up waiting, and what comes after that.
@Suite("A wait that is cancelled", .timeLimit(.minutes(5)))
struct CancelledWaitTests {
    private let topic = Topic<String>()
    /// Holds up a stream before its first event.
    private let gate = Latch()

    private func client() throws -> TestClient {
        TestClient(
            try Application(middleware: []) { routes in
                routes.events(Path("/events")) { _, events in
                    let messages = topic.subscribe()
                    try await events.send(ServerSentEvent("open"))
                    for try await message in messages { try await events.send(ServerSentEvent(message.event)) }
                }
                routes.events(Path("/late")) { _, events in
                    await gate.wait()
                    try await events.send(ServerSentEvent("open"))
                }
                routes.webSocket(Path("/socket")) { socket, _ in
                    let messages = topic.subscribe()
                    try await socket.send("open")
                    for try await message in messages { try await socket.send(message.event) }
                }
            })
    }

    /// Begins a wait, and gives it up.
    private func giveUp(_ wait: @escaping @Sendable () async throws -> Void) async {
        let begun = Latch()
        let waiting = Task {
            begun.open()
            try await wait()
        }
        await begun.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `leaves the next event to the next wait`() async throws {
        let events = try await client().events("/events")
        #expect(try await events.next()?.data == "open")
        for number in 1...5 {
            await giveUp { _ = try await events.next() }
            topic.publish("\(number)")
            #expect(try await events.next()?.data == "\(number)")
        }
        events.close()
    }

    @Test func `leaves the next message to the next wait`() async throws {
        let socket = try await client().webSocket("/socket")
        #expect(try await socket.receive() == .text("open"))
        for number in 1...5 {
            await giveUp { _ = try await socket.receive() }
            topic.publish("\(number)")
            #expect(try await socket.receive() == .text("\(number)"))
        }
        socket.reset()
    }

    @Test func `leaves the beginning of a stream to the next wait`() async throws {
        let events = try await client().events("/late")
        await giveUp { _ = try await events.next() }
        gate.open()
        #expect(try await events.next()?.data == "open")
        events.close()
    }
}
