import Glibc
import Synchronization
import Testing

@testable import Roost

/// The turns, which the test counts, in which a loop learns that a socket can be read.
@Suite("What the loop is told of a socket", .timeLimit(.minutes(5)))
struct RequestOrderTests {
    private let group: ConnectionGroup
    private let handled: Handled

    private final class Handled: Sendable {
        let names = Mutex<[String]>([])
        /// The work that is done while the first request is handled.
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
        group = ConnectionGroup(of: application, on: try EventLoop())
    }

    private var names: [String] { handled.names.withLock { $0 } }

    /// So long that its response is much shorter than the request.
    private static let longRequest = get("/" + String(repeating: "a", count: 1_000))

    @Test func `requests are handled in the order in which they came, not in that of their connections`() throws {
        let clients = [try StandingClient(in: group), try StandingClient(in: group)]
        for client in clients { client.connection.start() }
        handled.meanwhile.withLock {
            $0 = {
                clients[1].send(get("/second"))
                clients[0].send(get("/third"))
            }
        }
        group.loop.run({ clients[0].send(get("/first")) })
        #expect(names == ["first", "second", "third"])
    }

    @Test func `what does not fit into one read is still read completely`() throws {
        let client = try StandingClient(in: group)
        client.connection.start()
        let request = Self.longRequest
        let count = 4 * ConnectionGroup.readSize / request.utf8.count
        group.loop.run({ client.send(String(repeating: request, count: count)) })
        #expect(names.count == count)
    }

    @Test(arguments: [0, ConnectionGroup.readSize])
    func `the end behind the last bytes is noticed`(ahead: Int) throws {
        let client = try StandingClient(in: group)
        client.connection.start()
        let request = Self.longRequest
        group.loop.run({
            client.send(String(repeating: request, count: 1 + ahead / request.utf8.count))
            shutdown(client.descriptor, Int32(SHUT_WR))
        })
        #expect(client.connection.state.phase == .closed)
        #expect(client.received ?? 0 > 100)
    }
}
