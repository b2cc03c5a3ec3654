import Glibc
import Synchronization

@testable import Roost

/// A port whose connections lead to a server, and which keeps back what the server sends.
final class SlowLink: Sendable {
    let port: Int
    private let listener: SilentListener
    private let group: EventLoopGroup
    private let state = Mutex((delay: Duration.zero, connections: 0))

    init(to server: Int) throws {
        (listener, port) = try SilentListener.open()
        group = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        Task(executorPreference: group.loops[0]) { [self] in
            while !(try await ready(listener.socket)).isEmpty {
                let client = accept(listener.socket, nil, nil)
                guard client >= 0 else { return }
                state.withLock { $0.connections += 1 }
                Task(executorPreference: group.loops[0]) { [self] in await forward(client, to: server) }
            }
        }
    }

    /// How long everything that the server sends is kept back from now on.
    func delay(_ delay: Duration) { state.withLock { $0.delay = delay } }

    /// How many connections there have been.
    var connectionCount: Int { state.withLock { $0.connections } }

    /// Takes no more connections.
    func close() {
        shutdown(listener.socket, Int32(SHUT_RDWR))
        group.abandon()
        listener.close()
    }

    private func ready(_ socket: Int32) async throws -> Readiness {
        try await group.loops[0].wait(for: .readable, of: socket)
    }

    private func forward(_ client: Int32, to port: Int) async {
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        async let requests: Void = pass(from: client, to: server, isLate: false)
        async let replies: Void = pass(from: server, to: client, isLate: true)
        _ = await (requests, replies)
        Glibc.close(client)
        Glibc.close(server)
    }

    private func pass(from source: Int32, to target: Int32, isLate: Bool) async {
        defer { shutdown(target, Int32(SHUT_WR)) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while (try? await ready(source)) != nil {
            let count = recv(source, &bytes, bytes.count, 0)
            guard count > 0 else { return }
            if isLate { try? await group.loops[0].sleep(for: state.withLock { $0.delay }) }
            guard send(target, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return }
        }
    }
}
