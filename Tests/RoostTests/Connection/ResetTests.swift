import Glibc
import Synchronization
import Testing

@testable import Roost

/// Clients whose last bytes and reset both come before the loop looks, so that it is told of bytes only.
@Suite("Resets behind the last bytes", .timeLimit(.minutes(5)))
struct ResetTests {
    private let group: ConnectionGroup
    private let handlers: Handlers
    private let client: StandingClient

    /// Handlers that wait, with the number of waits that have begun, and of those that have failed.
    private final class Handlers: Sendable {
        let waits = Mutex((begun: 0, failed: 0))

        func wait(_ body: () async throws -> Void) async throws {
            waits.withLock { $0.begun += 1 }
            do {
                try await body()
            } catch {
                waits.withLock { $0.failed += 1 }
                throw error
            }
        }
    }

    init() throws {
        let handlers = Handlers()
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/waits")) { _ in
                try await handlers.wait { try await EventLoop.current?.sleep(for: .seconds(3600)) }
                return "nobody reads this"
            }
            routes.post(Path("/reads"), body: .streamed) { request in
                try await handlers.wait { _ = try await request.body.collect(upTo: 10) }
                return "nobody reads this"
            }
            routes.webSocket(Path("/socket")) { socket, _ in
                try await handlers.wait { for try await _ in socket {} }
            }
        }
        self.handlers = handlers
        group = ConnectionGroup(of: application, on: try EventLoop())
        client = try StandingClient(in: group)
        client.connection.start()
    }

    /// A client sends something, then its last bytes with a reset behind them, and then a second passes.
    private func resets(after last: [UInt8], sent first: String = "") {
        let client = client
        group.loop.run(
            // It leaves the first response unread, so that its end is a reset.
            { client.send(get("/") + first) },
            {
                client.send(last)
                client.leave()
            },
            { client.connection.lookForClient() })
        #expect(client.connection.state.phase == .closed)
    }

    private func expectFailedWait() {
        let waits = handlers.waits.withLock { $0 }
        #expect(waits.begun == 1 && waits.failed == 1)
    }

    private static let headOfPost = "POST /reads HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"

    @Test(arguments: [get("/waits"), headOfPost, headOfPost + "x"])
    func `a handler that begins to wait is cancelled`(request: String) {
        resets(after: Array(request.utf8))
        expectFailedWait()
    }

    @Test func `so is one that waits for the rest of a body`() {
        resets(after: Array("x".utf8), sent: Self.headOfPost)
        expectFailedWait()
    }

    @Test func `so is one whose client has sent much ahead`() {
        let ahead = String(repeating: "a", count: ConnectionGroup.readSize - 100)
        resets(after: Array(ahead.utf8.prefix(1_000)), sent: get("/waits") + ahead)
        expectFailedWait()
    }

    @Test func `so is one that waits for the next message of a WebSocket`() {
        resets(after: FrameWire.text("x"), sent: handshake("/socket"))
        expectFailedWait()
    }

    @Test func `the rest of a head is not waited for`() {
        resets(after: Array("GET / HTTP/1.1\r\nHo".utf8))
    }
}
