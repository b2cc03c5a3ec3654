import Glibc
import Logging
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Servers that do not come to run, over TCP.
@Suite("Servers that never run", .timeLimit(.minutes(5)))
struct ServerEndTests {
    /// Remembers the loop that it was started on, without keeping it.
    private final class Watcher: Service {
        struct Place {
            weak var loop: EventLoop?
        }

        let place = Mutex(Place())
        let isStopped = Latch()

        func start() async throws { place.withLock { $0.loop = EventLoop.current } }
        func stop() async { isStopped.open() }
    }

    private func configuration(_ port: Int = 0) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.port = port
        configuration.workers = 2
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        return configuration
    }

    @Test func `one that is dropped leaves its clients, its services and its loops`() async throws {
        let watcher = Watcher()
        let application = try Probe.application(configuration())
        var server: Server? = try await Server.listen(
            configuration(), application, services: [watcher], logger: application.logger)
        let connection = try await HTTPConnection.connect(port: try #require(server?.port))
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().text == "ok")
        server = nil
        try await connection.waitForClose()
        while !watcher.isStopped.isOpen { try await turn() }
        while watcher.place.withLock({ $0.loop != nil }) { try await turn() }
    }

    @Test func `one whose admin port is taken does not listen`() async throws {
        // An address of this machine that nothing else here uses, so that a port that is free stays so.
        let host = "127.31.7.19"
        let taken = try ListeningSocket.bind(
            try #require(try SocketAddress.resolve(host: host, port: 0).first), count: 1, isShared: true)
        let free = try ListeningSocket.bind(
            try #require(try SocketAddress.resolve(host: host, port: 0).first), count: 1, isShared: true)
        close(free.1[0])
        defer { close(taken.1[0]) }
        var configuration = configuration(free.0.port)
        configuration.host = host
        configuration.adminHost = host
        configuration.adminPort = taken.0.port
        let application = try Probe.application(configuration)
        do {
            _ = try await Server.listen(configuration, application, admin: application, logger: application.logger)
            Issue.record("It started.")
        } catch is StartError {}
        // Until a process that another test starts has dropped its copy of the socket, the port is taken.
        let address = try #require(try SocketAddress.resolve(host: host, port: free.0.port).first)
        while true {
            if let again = try? ListeningSocket.bind(address, count: 1, isShared: true) {
                close(again.1[0])
                return
            }
            try await turn()
        }
    }
}
