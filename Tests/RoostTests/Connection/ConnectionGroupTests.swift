import Logging
import Testing

@testable import Roost

/// What the connections of a loop share.
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
}
