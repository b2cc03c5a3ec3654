import Glibc
import Testing

@testable import Roost

@Suite("What a connection has received", .timeLimit(.minutes(5)))
struct ReceivedInputTests {
    @Test func `nothing takes no memory, even when a read has found nothing`() throws {
        let application = try Probe.application()
        let group = ConnectionGroup(of: application, on: try EventLoop())
        var ends: [Int32] = [-1, -1]
        try #require(
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0
        )
        defer { close(ends[0]) }
        let connection = Connection(ends[1], from: .local, in: group)
        connection.ready(.readable)
        #expect(connection.state.phase == .receiving)
        #expect(connection.input.bytes == nil)
        connection.close()
    }
}
