import Glibc
import Testing

@testable import Roost

@Suite("Sockets that listen", .timeLimit(.minutes(5)))
struct ListeningSocketTests {
    private static func option(_ level: Int32, _ name: Int32, of socket: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, level, name, &value, &size) == 0 ? value : -1
    }

    /// A connection inherits the options of the listening socket, which saves calls for each connection.
    @Test(arguments: [1, 2], [false, true])
    func `an accepted connection inherits the timeout for unreachable clients`(count: Int, isShared: Bool) throws {
        let address = try #require(try SocketAddress.resolve(host: "127.0.0.1", port: 0).first)
        let (bound, sockets) = try ListeningSocket.bind(
            address,
            count: count,
            isShared: isShared,
            unreachableTimeout: .seconds(60)
        )
        defer { for socket in sockets { close(socket) } }
        #expect(sockets.count == count)
        // Until each of them has accepted one; the kernel chooses which.
        var untried = Set(isShared ? [sockets[0]] : sockets)
        while !untried.isEmpty {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            try #require(connect(client, to: bound))
            var entries = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            try #require(poll(&entries, nfds_t(entries.count), 10_000) > 0)
            let ready = try #require(entries.first { $0.revents != 0 }).fd
            let accepted = accept(ready, nil, nil)
            try #require(accepted >= 0)
            defer { close(accepted) }
            untried.remove(ready)
            let tcp = Int32(IPPROTO_TCP)
            #expect(Self.option(SOL_SOCKET, SO_KEEPALIVE, of: accepted) == 1)
            #expect(Self.option(tcp, TCP_KEEPIDLE, of: accepted) == 30)
            #expect(Self.option(tcp, TCP_KEEPINTVL, of: accepted) == 10)
            #expect(Self.option(tcp, TCP_KEEPCNT, of: accepted) == 3)
            #expect(Self.option(tcp, TCP_USER_TIMEOUT, of: accepted) == 60_000)
            #expect(Self.option(tcp, TCP_NODELAY, of: accepted) == 1)
            #expect(Self.option(tcp, TCP_NOTSENT_LOWAT, of: accepted) == 128 * 1024)
        }
    }

    @Test(arguments: [(30, Int32(60_000)), (600, 600_000)])
    func `the kernel gives no client up before the server does`(sendTimeout: Int, milliseconds: Int32) throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.sendTimeout = .seconds(sendTimeout)
        let listening = try configuration.listen()
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(listening)
        }
        let bound = try SocketAddress(boundTo: listening)
        try #require(connect(client, to: bound))
        var entry = pollfd(fd: listening, events: Int16(POLLIN), revents: 0)
        try #require(poll(&entry, 1, 10_000) == 1)
        let accepted = accept(listening, nil, nil)
        try #require(accepted >= 0)
        defer { close(accepted) }
        #expect(Self.option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: accepted) == milliseconds)
    }

    /// A secure port of which only the number is needed.
    private struct Secure: SecurePort {
        let port: Int?
        func start() async throws {}
        func stop() async {}
        func transports(on loop: EventLoop) -> (Int32) -> (any Transport)? { { _ in nil } }
        func makeHTTP2() -> (any ProtocolUpgrade)? { nil }
        func listens(at port: Int) {}
        func guarding(_ responder: any Responder) -> any Responder { responder }
    }

    @Test func `of the sockets that a program was started with, those of the secure port are taken for it`() throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        let plain = try configuration.listen()
        let secure = try configuration.listen()
        // It has no port.
        let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { for socket in [plain, secure, local] { close(socket) } }
        var sockets = [[plain, secure, local], [local, plain, secure]]
        let port = try SocketAddress(boundTo: secure).port
        let taken = BoundSockets.take(Secure(port: port), from: &sockets)
        #expect(taken?.sockets == [[secure], [secure]])
        #expect(taken?.address.port == port && taken?.isOwn == false)
        #expect(sockets == [[plain, local], [local, plain]])
        for other in [port, 0, nil] {
            let none = BoundSockets.take(Secure(port: other), from: &sockets)
            #expect(none == nil)
        }
        #expect(sockets == [[plain, local], [local, plain]])
    }

    private func connect(_ client: Int32, to address: SocketAddress) -> Bool {
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = in_port_t(address.port).bigEndian
        target.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
