import Logging
import Testing

@testable import Roost

/// The end of a WebSocket's connection on a stream, as the stream's client learns of it.
@Suite("The end of streams with bytes in both directions", .timeLimit(.minutes(5)))
struct StreamTransportEndTests {
    private struct Silent: Responder {
        func respond(to request: Request) async throws -> Response { Response(.ok) }
    }

    private final class Carrier: StreamCarrier {
        let fields = FieldPairs()
        var overdue = 0

        func send(endsStream: Bool, on exchange: StreamExchange) {}
        func sendContinue(to exchange: StreamExchange) {}
        func goOn(_ exchange: StreamExchange) {}
        func reset(_ exchange: StreamExchange) {}
        func isOverdue(_ exchange: StreamExchange) { overdue += 1 }
        func used(_ count: Int, of exchange: StreamExchange) {}
        func isOver(_ exchange: StreamExchange) {}
    }

    private final class Upgrade: ProtocolUpgrade {
        var connection: Connection?
        func begin(on connection: Connection) { self.connection = connection }
    }

    private let group: ConnectionGroup
    private let carrier = Carrier()
    private let exchange: StreamExchange

    init() throws {
        group = ConnectionGroup(
            loop: try EventLoop(), responder: Silent(), limits: ServerConfiguration().connectionLimits,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        exchange = StreamExchange(1, hasBody: true, on: Connection(-1, from: .local, in: group), by: carrier)
    }

    /// A connection that has sent a number of bytes, of which the client has taken none.
    private func connection(through transport: StreamTransport, sends count: Int) throws -> Connection {
        let upgrade = Upgrade()
        transport.speak(upgrade, in: group, for: exchange)
        let connection = try #require(upgrade.connection)
        connection.output.append([UInt8](repeating: 1, count: count))
        connection.sendIfFull()
        group.output.send()
        return connection
    }

    @Test func `one that is cut off while it has more to send is reset at once`() throws {
        let connection = try connection(through: StreamTransport(exchange), sends: 100_000)
        #expect(!connection.hasTakenOutput && carrier.overdue == 0)
        connection.close()
        #expect(carrier.overdue == 1)
    }

    @Test func `one that has sent everything ends in good order`() throws {
        let transport = StreamTransport(exchange)
        let connection = try connection(through: transport, sends: 1000)
        #expect(connection.hasTakenOutput)
        connection.close()
        #expect(carrier.overdue == 0)
        guard case .bytes(1000, isEnd: true) = transport.unsent(upTo: 5000) else {
            Issue.record("The rest is not there.")
            return
        }
    }
}
