import Glibc
import Synchronization
import Testing

@testable import Roost

/// When a loop learns that a socket can be read, in turns that the test counts.
@Suite("What the loop is told of a socket", .timeLimit(.minutes(5)))
struct RequestOrderTests {
    private let group: ConnectionGroup
    private let handled: Handled

    private final class Handled: Sendable {
        let names = Mutex<[String]>([])
        /// What is done while the first request is handled.
        let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
    }

    init() throws {
        let handled = Handled()
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/{name}", String.self)) { _, name in
                handled.names.withLock { $0.append(name) }
                handled.meanwhile.withLock { $0.take() }?()
                return "ok"
            }
        }
        self.handled = handled
        group = ConnectionGroup(
            loop: try EventLoop(),
            responder: application,
            limits: ServerConfiguration().connectionLimits,
            logger: application.logger
        )
    }

    private var names: [String] { handled.names.withLock { $0 } }

    /// Runs the loop for some turns, which are more than enough.
    private func runTurns() {
        Self.goOn(30, on: group.loop)
        group.loop.run()
    }

    private static func goOn(_ turns: Int, on loop: EventLoop) {
        guard turns > 0 else { return loop.stop() }
        loop.execute { goOn(turns - 1, on: loop) }
    }

    /// So long that the responses to many take less room than the requests.
    private static let longRequest = get("/" + String(repeating: "a", count: 1_000))

    private static func send(_ text: String, on socket: Int32) {
        #expect(write(socket, text, text.utf8.count) == text.utf8.count)
    }

    @Test func `requests are handled in the order in which they came, not in that of their connections`() throws {
        let clients = [try StandingClient(in: group), try StandingClient(in: group)]
        let sockets = clients.map(\.descriptor)
        for client in clients { client.connection.start() }
        handled.meanwhile.withLock {
            $0 = {
                Self.send(get("/second"), on: sockets[1])
                Self.send(get("/third"), on: sockets[0])
            }
        }
        Self.send(get("/first"), on: sockets[0])
        runTurns()
        #expect(names == ["first", "second", "third"])
    }

    @Test func `what is more than one read takes is all read`() throws {
        let client = try StandingClient(in: group)
        client.connection.start()
        let request = Self.longRequest
        let count = 4 * ConnectionGroup.readSize / request.utf8.count
        Self.send(String(repeating: request, count: count), on: client.descriptor)
        runTurns()
        #expect(names.count == count)
    }

    @Test(arguments: [0, ConnectionGroup.readSize])
    func `the end behind the last bytes is noticed`(ahead: Int) throws {
        let client = try StandingClient(in: group)
        client.connection.start()
        let request = Self.longRequest
        Self.send(String(repeating: request, count: 1 + ahead / request.utf8.count), on: client.descriptor)
        shutdown(client.descriptor, Int32(SHUT_WR))
        runTurns()
        #expect(client.connection.phase == .closed)
        #expect(client.received ?? 0 > 100)
    }
}
