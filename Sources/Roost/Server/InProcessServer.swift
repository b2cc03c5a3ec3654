internal import CLinux
import Glibc
package import Logging

/// The server without a network, for tests: real loop, real connections, real bytes, over pairs of connected sockets
/// that only this process knows. Nothing listens, so any number of them run side by side, and time stands still until
/// ``passSecond()``.
package final class InProcessServer: Sendable {
    private let loops: EventLoopGroup
    private let worker: Worker

    /// Begins to answer.
    package init(
        _ configuration: ServerConfiguration,
        _ responder: any Responder,
        logger: Logger
    ) async throws {
        try configuration.validate()
        signal(SIGPIPE, SIG_IGN)
        loops = try EventLoopGroup(count: 1)
        worker = Worker(loops.loops[0], responder, configuration, logger)
    }

    deinit { loops.abandon() }

    /// The client's end of a new connection, a non-blocking socket that the caller closes.
    package func connect() async throws -> Int32 {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemError("socketpair")
        }
        await worker.adopt(ends[1])
        return ends[0]
    }

    /// Lets a second go by on the server's clock.
    package func passSecond() async {
        await worker.tick()
    }

    /// How many clients are connected.
    package func connectionCount() async -> Int { await worker.connectionCount() }

    /// Drains as on SIGTERM; time passes only by ``passSecond()``.
    package func drain() async { await worker.drain(timeout: 30) }
}
