public import CoreMetrics
import Glibc
public import Logging
import Synchronization

// The server on one screen: start the loops and the services, bind, accept, wait for a signal, drain, stop.

/// Serves one responder over TCP until a signal or ``shutdown()`` ends it.
public final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let responder: any Responder
    private let logger: Logger
    private let loops: EventLoopGroup
    private let services: RunningServices
    private let workers: [LoopBound<Worker>]
    private let address: SocketAddress
    /// The file of a Unix socket that the server has made.
    private let socketFile: SocketFile?
    /// The worker that serves the admin port, and its address; nil without one.
    private let admin: (worker: LoopBound<Worker>, address: SocketAddress)?
    private let ending = Mutex(Ending.none)
    private let hasRun = Atomic(false)

    private enum Ending {
        case none
        case waited(CheckedContinuation<Void, Never>)
        case begun
    }

    /// Starts the services, binds, and accepts connections: a server that serves, and that ``run()`` ends properly.
    /// - Parameters:
    ///   - metrics: Gets what the server measures; nil measures nothing.
    ///   - admin: Responds at ``ServerConfiguration/adminPort``.
    /// - Throws: ``StartError/configuration(_:)`` for a host that has no address or a value out of its range,
    ///   ``StartError/unavailable(_:)`` for a port that another program uses, and any error of a service.
    public static func listen(
        _ configuration: ServerConfiguration,
        _ responder: any Responder,
        services: [any Service] = [],
        metrics: (any MetricsFactory)? = nil,
        admin: (any Responder)? = nil,
        logger: Logger
    ) async throws -> Server {
        try configuration.validate()
        signal(SIGPIPE, SIG_IGN)
        let loops = try EventLoopGroup(count: configuration.workers, pool: configuration.blockingPool)
        do {
            let list = services
            let services = try await RunningServices(services, on: loops.loops[0])
            do {
                if let threshold = configuration.blockedLoopThreshold {
                    try loops.watch(threshold: threshold) { logger.blockedLoop($0, RoutePattern.texts(at: $1)) }
                }
                let (address, sockets, socketFile, adminSocket) = try bindAll(configuration, admin)
                let server = Server(
                    configuration, responder, loops, services, logger, address, socketFile, adminSocket, metrics, list)
                await server.accept(from: sockets)
                if let adminSocket {
                    await server.admin?.worker.run { $0.listen([adminSocket.socket], isOwn: true, batch: 8) }
                }
                return server
            } catch {
                await services.stop()
                throw error
            }
        } catch {
            loops.abandon()
            throw error
        }
    }

    private init(
        _ configuration: ServerConfiguration,
        _ responder: any Responder,
        _ loops: EventLoopGroup,
        _ services: RunningServices,
        _ logger: Logger,
        _ address: SocketAddress,
        _ socketFile: SocketFile?,
        _ adminSocket: AdminSocket?,
        _ metrics: (any MetricsFactory)?,
        _ reporting: [any Service]
    ) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        self.loops = loops
        self.services = services
        self.address = address
        self.socketFile = socketFile
        let room = ConnectionRoom(configuration)
        let memory = configuration.memoryBudget
        let budgets = configuration.clientBudgets(connections: room.capacity)
        workers = loops.loops.enumerated().map { number, loop in
            let worker = Worker(
                loop, number: number, responder, configuration, logger, memory, budgets, room, metrics: metrics,
                services: reporting)
            return LoopBound(worker, to: loop)
        }
        admin = adminSocket.map { socket in
            let worker = Worker(
                loops.loops[0], socket.responder, configuration, logger, memory, ClientBudgets(), ConnectionRoom(32))
            return (LoopBound(worker, to: loops.loops[0]), socket.address)
        }
    }

    /// Nobody has run it: nothing of it is left, and its clients notice.
    deinit {
        guard !hasRun.load(ordering: .relaxed) else { return }
        for worker in allWorkers { worker.loop.execute { worker.value.abandon() } }
        Task { [services, loops] in
            await services.stop()
            loops.abandon()
        }
    }

    /// All workers, with the one that serves the admin port.
    private var allWorkers: [LoopBound<Worker>] { workers + (admin.map { [$0.worker] } ?? []) }

    /// The socket of the admin port, and what responds there.
    private struct AdminSocket {
        let socket: Int32
        let address: SocketAddress
        let responder: any Responder
    }

    /// The sockets that each loop accepts from, and that of the admin port. When one cannot be had, none is left.
    private static func bindAll(
        _ configuration: ServerConfiguration, _ admin: (any Responder)?
    ) throws -> (SocketAddress, [[Int32]], SocketFile?, AdminSocket?) {
        let (address, sockets, file) = try bind(configuration)
        do {
            return (address, sockets, file, try admin.flatMap { try bindAdmin(configuration, $0) })
        } catch {
            for socket in sockets.joined() { close(socket) }
            throw error
        }
    }

    private static func bindAdmin(
        _ configuration: ServerConfiguration, _ responder: any Responder
    ) throws -> AdminSocket? {
        guard let port = configuration.adminPort else { return nil }
        let addresses = try SocketAddress.resolve(host: configuration.adminHost, port: port, name: "ADMIN_HOST")
        guard let wanted = addresses.first else { throw StartError.configuration("ADMIN_HOST has no address.") }
        let (address, sockets) = try ListeningSocket.bind(
            wanted, count: 1, isShared: true, unreachableTimeout: configuration.unreachableTimeout, prefix: "ADMIN_")
        return AdminSocket(socket: sockets[0], address: address, responder: responder)
    }

    /// The sockets that each loop accepts from.
    private static func bind(_ configuration: ServerConfiguration) throws -> (SocketAddress, [[Int32]], SocketFile?) {
        let count = configuration.workers
        if configuration.inheritedSockets > 0 {
            let (address, sockets) = try ListeningSocket.inherit(
                configuration.inheritedSockets,
                count: count,
                unreachableTimeout: configuration.unreachableTimeout
            )
            return (address, sockets, nil)
        }
        if let address = try configuration.unixAddress() {
            let (sockets, file) = try ListeningSocket.bind(unix: address, mode: configuration.socketMode, count: count)
            return (address, sockets.map { [$0] }, file)
        }
        let addresses = try SocketAddress.resolve(host: configuration.host, port: configuration.port)
        guard let wanted = addresses.first else { throw StartError.configuration("HOST has no address.") }
        let isShared = configuration.hasSharedListener
        let (address, sockets) = try ListeningSocket.bind(
            wanted,
            count: count,
            isShared: isShared,
            unreachableTimeout: configuration.unreachableTimeout
        )
        return (address, sockets.map { [$0] }, nil)
    }

    private func accept(from sockets: [[Int32]]) async {
        // From the first response on, a signal drains the server, even when it comes before `run()`.
        _ = EndSignals.descriptor
        let isOwn = configuration.inheritedSockets == 0
        let isShared = !isOwn || configuration.hasSharedListener || socketFile != nil
        responder.serverChanged(to: .serving)
        for (worker, sockets) in zip(workers, sockets) {
            await worker.run { $0.listen(sockets, isOwn: isOwn, batch: isShared ? 8 : 64) }
        }
    }

    /// The port that the server listens on; 0 for a Unix socket.
    public var port: Int { address.port }

    /// The port of ``ServerConfiguration/adminPort``; nil without one.
    public var adminPort: Int? { admin?.address.port }

    /// Whether only this machine can reach the server.
    public var isLoopback: Bool { address.isLoopback }

    /// The URL to open on this machine; for a Unix socket, `unix:` and its path.
    public var url: String {
        guard address.family != AF_UNIX else { return "\(address)" }
        let host = address.host
        if host == "0.0.0.0" || host == "::" { return "http://localhost:\(port)" }
        return "http://\(address)"
    }

    /// Serves until SIGTERM, SIGINT or ``shutdown()``, then drains. Returns when the last thread has ended.
    /// - Throws: ``StartError`` when it has already been called: a server runs only once.
    public func run() async throws {
        if hasRun.exchange(true, ordering: .relaxed) {
            throw StartError.configuration("A server runs only once: create another one to serve again.")
        }
        await workers.first?.run { $0.onSignal { self.shutdown() } }
        await withCheckedContinuation { continuation in
            let hasBegun = ending.withLock { ending in
                if case .begun = ending { return true }
                ending = .waited(continuation)
                return false
            }
            if hasBegun { continuation.resume() }
        }
        await delay()
        await drain()
    }

    /// Waits as long as load balancers need to notice the end.
    private func delay() async {
        responder.serverChanged(to: .draining)
        if configuration.drainDelay > .zero { try? await Task.sleep(for: configuration.drainDelay) }
    }

    /// Makes ``run()`` drain and return; callable from any thread, any number of times.
    public func shutdown() {
        let waiting = ending.withLock { ending in
            defer { ending = .begun }
            return ending
        }
        if case .waited(let continuation) = waiting { continuation.resume() }
    }

    /// Lets requests finish and closes idle connections, then stops the services and ends the threads.
    private func drain() async {
        // Those who have connected are served; the next server may listen there now.
        socketFile?.remove()
        if await workersDrain() {
            await services.stop()
            loops.stop()
        } else {
            // Its thread cannot be joined, and services may need it: the process ends without stopping them.
            logger.error("An event loop is still blocked when the drain time is over; it is abandoned.")
            loops.abandon()
        }
    }

    /// The time for which connections that have already begun are still accepted.
    private static let settling = Duration.milliseconds(100)

    /// The time after a response in which its client may still send another request.
    private static let patience = Duration.seconds(2)

    /// The time that a loop may take beyond its time to drain before it counts as blocked.
    private static let grace = Duration.seconds(3)

    /// Whether all loops have drained; false when one of them is blocked, so that it does not even cut off its
    /// connections.
    private func workersDrain() async -> Bool {
        let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
        let timeout = configuration.drainTimeout
        let workers = allWorkers
        let drained = Task {
            await withTaskGroup { group in
                for worker in workers {
                    group.addTask {
                        await worker.drain(timeout: timeout, settling: Self.settling, patience: Self.patience)
                    }
                }
            }
            outcome.yield(true)
        }
        let late = Task {
            try await Task.sleep(for: timeout + Self.grace)
            outcome.yield(false)
        }
        defer {
            drained.cancel()
            late.cancel()
        }
        var first = outcomes.makeAsyncIterator()
        return await first.next() ?? false
    }
}
