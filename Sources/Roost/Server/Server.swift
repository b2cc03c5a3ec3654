import Glibc
public import Logging
import Synchronization

// The server on one screen: bind, start the loops, wait for a signal, drain, stop.

/// Serves one responder over TCP until a signal or ``shutdown()`` ends it.
public final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let responder: any Responder
    private let logger: Logger
    private let loops: EventLoopGroup
    private let workers: [Worker]
    private let address: SocketAddress
    private let ending = Mutex(Ending.none)

    private enum Ending {
        case none
        case waited(CheckedContinuation<Void, Never>)
        case begun
    }

    /// Binds, and begins to answer.
    /// - Throws: ``ConfigurationError`` for a host that has no address or a number out of its range, ``StartError`` for a
    ///   port that cannot be had.
    public init(_ configuration: ServerConfiguration, _ responder: any Responder, logger: Logger) async throws {
        try configuration.validate()
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        signal(SIGPIPE, SIG_IGN)
        let addresses = try SocketAddress.resolve(host: configuration.host, port: configuration.port)
        guard let wanted = addresses.first else { throw StartError("HOST has no address.") }
        let (address, sockets) = try ListeningSocket.bind(wanted, count: configuration.workers)
        self.address = address
        let loops = try EventLoopGroup(count: configuration.workers)
        self.loops = loops
        var workers: [Worker] = []
        for (loop, socket) in zip(loops.loops, sockets) {
            let worker = Worker(loop, responder, configuration, logger)
            await worker.listen(socket)
            workers.append(worker)
        }
        self.workers = workers
    }

    /// The port that the server listens on.
    public var port: Int { address.port }

    /// Whether only this machine can reach the server.
    public var isLoopback: Bool { address.isLoopback }

    /// The URL to open on this machine.
    public var url: String {
        let host = address.host
        if host == "0.0.0.0" || host == "::" { return "http://localhost:\(port)" }
        return "http://\(address)"
    }

    /// Serves until SIGTERM, SIGINT or ``shutdown()``, then drains. Returns when the last thread has ended.
    public func run() async {
        await workers.first?.onSignal { self.shutdown() }
        await withCheckedContinuation { continuation in
            let hasBegun = ending.withLock { ending in
                if case .begun = ending { return true }
                ending = .waited(continuation)
                return false
            }
            if hasBegun { continuation.resume() }
        }
        await drain()
    }

    /// Makes ``run()`` drain and return; callable from any thread, any number of times.
    public func shutdown() {
        let waiting = ending.withLock { ending in
            defer { ending = .begun }
            return ending
        }
        if case .waited(let continuation) = waiting { continuation.resume() }
    }

    /// Stops accepting, lets requests finish, closes idle connections, and ends the threads.
    private func drain() async {
        let timeout = configuration.drainTimeout
        await withTaskGroup { group in
            for worker in workers { group.addTask { await worker.drain(timeout: timeout) } }
        }
        loops.stop()
    }
}
