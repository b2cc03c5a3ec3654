import Synchronization
import Testing

@testable import Roost

/// Two tasks that read one body, one after the other.
@Suite("Readers of a body", .timeLimit(.minutes(5)))
struct BodyReaderTests {
    @Test func `one that is cancelled when it has its bytes does not end the wait of the next one`() throws {
        let first = Mutex<Task<Int, any Error>?>(nil)
        let result = Mutex("")
        let application = try Application(middleware: []) { routes in
            routes.on(.post)(Path("/"), body: .streamed) { request in
                @Sendable func read() async throws -> Int {
                    for try await chunk in request.body.chunks { return chunk.count }
                    return 0
                }
                let reader = Task(executorPreference: EventLoop.current) { try await read() }
                first.withLock { $0 = reader }
                let counts = [try await reader.value, try await read()]
                result.withLock { $0 = "\(counts)" }
                return "done"
            }
        }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let client = try StandingClient(in: group)
        client.connection.start()
        group.loop.run(
            { client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n") },
            {
                // The cancellation reaches the loop in its next turn; by then the other one waits.
                first.withLock { $0 }?.cancel()
                client.ask("he")
            },
            { client.send("llo") })
        #expect(result.withLock { $0 } == "[2, 3]")
    }
}
