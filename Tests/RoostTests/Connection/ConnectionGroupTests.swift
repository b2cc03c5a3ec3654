import Glibc
import Logging
import Testing

@testable import Roost

/// The state that the connections of a loop share.
@Suite("A loop's connections", .timeLimit(.minutes(5)))
struct ConnectionGroupTests {
    private struct Silent: Responder {
        func respond(to request: Request) async throws -> Response { Response(.ok) }
    }

    @Test func `the memory of a large response is given back within a second`() throws {
        let group = ConnectionGroup(
            loop: try EventLoop(),
            responder: Silent(),
            limits: ServerConfiguration().connectionLimits,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let connection = Connection(-1, from: .local, in: group)
        connection.output.append([UInt8](repeating: 0, count: 1_000_000))
        group.tick(0)
        #expect(group.output.capacity == TurnOutput.size)
    }

    @Test func `thousands of connections are looked at in several turns`() throws {
        let group = ConnectionGroup(of: try Probe.application(), on: try EventLoop())
        let count = 2 * ConnectionRound.size + 10
        var ends: [Int32] = []
        defer { for end in ends { close(end) } }
        for _ in 0..<count {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
            ends.append(pair[0])
            group.add(pair[1], from: .local)
        }
        // A last response is waited for no longer than this.
        for connection in Array(group.connections.values) { connection.state.postpone(to: 1) }
        group.tick(0)
        let closing = { group.connections.values.count { $0.state.phase == .lingering } }
        #expect(closing() == ConnectionRound.size)
        group.loop.run({})
        #expect(closing() == count)
        _ = group.closeAll()
    }

    @Test func `what many bodies took is given back once when they are gone`() {
        let memory = MemoryBudget(.max)
        #expect(!memory.takeRelief())
        var leases = (0..<100).map { _ in MemoryLease(1 << 20, of: memory) }
        #expect(!memory.takeRelief())
        leases.removeLast(20)
        #expect(!memory.takeRelief())
        leases.removeLast(60)
        #expect(memory.takeRelief() && !memory.takeRelief())
        leases = []
        #expect(!memory.takeRelief())
    }
}
