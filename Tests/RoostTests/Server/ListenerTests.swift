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
        let (client, result) = connectClient(to: bound)
        try #require(result == 0)
        return (sockets[0], client, bound)
    }

    /// A client's socket, and what `connect` returned on it; it does not wait.
    private func connectClient(to server: SocketAddress) -> (socket: Int32, result: Int32) {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(server.port).bigEndian
        target.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        let result = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // On this machine a handshake is over when `connect` returns, even if that says that it has only begun.
        var state = pollfd(fd: client, events: Int16(POLLOUT), revents: 0)
        return (client, result == 0 || poll(&state, 1, 0) == 1 ? 0 : -1)
    }

    @Test func `no connection begins between the last accept and the close`() throws {
        let group = ConnectionGroup(of: try Probe.application(), on: try EventLoop())
        let (listening, first, address) = try sockets()
        let late = Mutex<[(socket: Int32, result: Int32)]>([])
        let listener = Listener(listening, group, ConnectionRoom(10), isOwn: true, batch: 8) { socket in
            let accepted = SocketAddress.accept(from: socket)
            guard accepted.0 < 0 else { return accepted }
            let code = errno
            let client = connectClient(to: address)
            late.withLock { $0.append(client) }
            errno = code
            return accepted
        }
        listener.stop()
        let results = late.withLock { $0.map(\.result) }
        #expect(group.count == 1)
        #expect(results == [-1])
        for client in late.withLock({ $0 }) { close(client.socket) }
        close(first)
        _ = group.closeAll()
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
        let time = ContinuousClock().measure { group.loop.run({}, {}, {}, {}, {}, {}) }
        let calls = failing.calls.withLock { $0 }
        #expect(calls >= 64)
        // The loop runs for some milliseconds only, unless the machine is busy, and a rest takes fifty.
        let rests = Int(time / .milliseconds(50)) + 1
        #expect(calls <= 64 * (rests + 1))
        listener.stop()
        #expect(failing.calls.withLock { $0 } <= calls + 128)
        #expect(lines.all.count { $0.contains("Cannot accept clients") } == 1)
    }

    @Test func `a socket that the system cannot watch at first is watched later`() throws {
        let lines = LogLines()
        let group = ConnectionGroup(of: try Probe.application(logger: lines.logger), on: try EventLoop())
        let (listening, client, _) = try sockets()
        defer { close(client) }
        // Epoll refuses it.
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let listener = Listener(descriptor, group, ConnectionRoom(10), isOwn: true, batch: 8) { socket in
            group.loop.stop()
            return SocketAddress.accept(from: socket)
        }
        #expect(lines.all.count { $0.contains("Cannot accept clients: epoll_ctl") } == 1)
        try #require(dup2(listening, descriptor) == descriptor)
        close(listening)
        group.loop.run()
        #expect(group.count == 1)
        listener.stop()
        _ = group.closeAll()
    }
}
