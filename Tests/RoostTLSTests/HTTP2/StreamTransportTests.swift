import Logging
import Testing

@testable import Roost

/// A stream as what the bytes of a WebSocket's connection pass through, with a client that takes what the test takes.
@Suite("Streams with bytes in both directions", .timeLimit(.minutes(5)))
struct StreamTransportTests {
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

    private static func take(_ count: Int, from transport: StreamTransport) -> Int {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { room in
            guard case .bytes(let unsent, _) = transport.unsent(upTo: room.count) else { return 0 }
            return transport.take(into: UnsafeMutableBufferPointer(rebasing: room[..<unsent])) ? unsent : 0
        }
    }

    @Test func `what has been read does not count, even if there is always more`() {
        let body = StreamBody(in: group)
        let piece = [UInt8](repeating: 1, count: 16 << 10)
        for _ in 0..<7 { piece.withUnsafeBufferPointer { body.receive($0) } }
        let before = group.memory.count
        for _ in 0..<10_000 {
            piece.withUnsafeBufferPointer { body.receive($0) }
            let count = withUnsafeTemporaryAllocation(byteCount: piece.count, alignment: 1) { body.read(into: $0) }
            #expect(count == piece.count)
        }
        #expect(group.memory.count == before && body.hasMore)
    }

    @Test func `what has passed is let go of`() {
        let transport = StreamTransport(exchange)
        let piece = [UInt8](repeating: 1, count: 1000)
        var (written, taken) = (0, 0)
        for _ in 0..<1000 {
            if case .bytes(let count) = piece.withUnsafeBufferPointer({ transport.write($0) }) { written += count }
            taken += Self.take(900, from: transport)
            #expect(transport.output.count == written - taken)
            #expect(transport.output.count <= 16 * 1024)
        }
        #expect(written > 800_000)
    }

    @Test func `a client that has finished does not keep its loop busy`() throws {
        let connection = try connection(through: StreamTransport(exchange), sends: 100_000)
        #expect(!connection.hasTakenOutput)
        connection.endSession()
        exchange.requestEnds()
        connection.ready(.readable)
        // It would be reported as readable in every turn.
        #expect(connection.socket.interest == .writable)
        connection.close()
    }

    @Test func `what is not taken counts in the memory of clients`() {
        let transport = StreamTransport(exchange)
        let memory = MemoryBudget(40_000)
        _ = [1, 2, 3].withUnsafeBufferPointer { transport.write($0) }
        #expect(transport.countMemory(memory))
        #expect(memory.count == 16 * 1024)
        let other = StreamTransport(exchange)
        _ = [1, 2, 3].withUnsafeBufferPointer { other.write($0) }
        #expect(!other.countMemory(memory))
        #expect(Self.take(3, from: transport) == 3)
        #expect(memory.count == 0)
        #expect(other.countMemory(memory))
    }

    // MARK: The end

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
