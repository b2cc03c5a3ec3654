import Glibc
import Logging
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Accepting clients", .timeLimit(.minutes(5)))
struct ListenerTests {
    /// Counts calls, each of which fails.
    private final class Failing: Sendable {
        let calls = Mutex(0)
        let code: Int32

        init(_ code: Int32) { self.code = code }

        func accept() -> (Int32, SocketAddress)? {
            calls.withLock { $0 += 1 }
            errno = code
            return nil
        }
    }

    /// A listening socket at which a client waits.
    private func sockets() throws -> (listening: Int32, client: Int32, SocketAddress) {
        let address = try #require(try SocketAddress.resolve(host: "127.0.0.1", port: 0).first)
        let (bound, sockets) = try ListeningSocket.bind(address, count: 1, isShared: true)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(bound.port).bigEndian
        target.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return (sockets[0], client, address)
    }

    @Test(arguments: [EINVAL, EBADF, EOPNOTSUPP, ECONNABORTED])
    func `an error that lasts is logged once, and the loop does not spin on it`(code: Int32) throws {
        let lines = LogLines()
        let application = try Probe.application(logger: lines.logger)
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let (listening, client, address) = try sockets()
        defer { close(client) }
        let failing = Failing(code)
        let listener = Listener(listening, group, ConnectionRoom(10), isOwn: true, batch: 8) { _ in
            failing.accept() ?? (-1, address)
        }
        group.loop.run({}, {}, {}, {}, {}, {})
        #expect(failing.calls.withLock { $0 } >= 64)
        // The loop runs for some milliseconds only, and a rest takes fifty.
        #expect(failing.calls.withLock { $0 } <= 128)
        listener.stop()
        #expect(failing.calls.withLock { $0 } <= 256)
        #expect(lines.all.count { $0.contains("Cannot accept clients") } == 1)
    }
}
