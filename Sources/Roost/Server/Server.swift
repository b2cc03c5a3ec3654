package import CoreMetrics
import Glibc
package import Logging
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
    /// The address at which it speaks TLS; nil without one.
    private let secureAddress: SocketAddress?
    /// The file of a Unix socket that the server has made.
    private let socketFile: SocketFile?
    /// The worker that serves the admin port, and its address; nil without one.
    private let admin: (worker: LoopBound<Worker>, address: SocketAddress)?
    private let end: ServerEnd
    private let hasRun = Atomic(false)

    /// Starts the services, binds, and accepts connections: a server that serves, and that ``run()`` ends properly.
    /// - Parameters:
    ///   - metrics: Gets what the server measures; nil measures nothing.
    ///   - admin: Responds at ``ServerConfiguration/adminPort``.
    /// - Throws: ``StartError/configuration(_:)`` for a host that has no address or a value out of its range,
    ///   ``StartError/unavailable(_:)`` for a port that another program uses, and any error of a service.
    package static func listen(
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
            let running = try await RunningServices(services, on: loops.loops[0], logger: logger)
            do {
                if let threshold = configuration.blockedLoopThreshold {
                    try loops.watch(threshold: threshold) { loop, subjects in
                        let routes = RoutePattern.texts(at: subjects)
                        logger.blockedLoop(loop, routes)
                        metrics?.countBlockedLoop(loop, routes)
                    }
                }
                let secure = services.securePort
                // From the first response on, a signal drains the server, even when it comes before `run()`.
                let end = try ServerEnd()
                let sockets = try BoundSockets(configuration, secure: secure, admin: admin)
                let server = Server(configuration, responder, loops, running, logger, sockets, metrics, services, end)
                await server.accept(from: sockets)
                return server
            } catch {
                await running.stop()
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
        _ sockets: BoundSockets,
        _ metrics: (any MetricsFactory)?,
        _ reporting: [any Service],
        _ end: ServerEnd
    ) {
        self.configuration = configuration
        self.end = end
        self.responder = responder
        self.logger = logger
        self.loops = loops
        self.services = services
        address = sockets.address
        secureAddress = sockets.secure?.address
        socketFile = sockets.file
        let room = ConnectionRoom(configuration)
        let memory = configuration.memoryBudget
        let budgets = configuration.clientBudgets(connections: room.capacity)
        workers = loops.loops.enumerated().map { number, loop in
            let worker = Worker(
                loop, number: number, responder, configuration, logger, memory, budgets, room, metrics: metrics,
                services: reporting)
            return LoopBound(worker, to: loop)
        }
        admin = sockets.admin.map { address, _, responder in
            let worker = Worker(
                loops.loops[0], responder, configuration, logger, memory, ClientBudgets(), ConnectionRoom(32))
            return (LoopBound(worker, to: loops.loops[0]), address)
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

    private func accept(from sockets: BoundSockets) async {
        let isOwn = configuration.inheritedSockets == 0
        let isShared = !isOwn || configuration.hasSharedListener || socketFile != nil
        responder.serverChanged(to: .serving)
        if let secure = sockets.secure { secure.port.listens(at: secure.address.port) }
        let secure = sockets.secure
        for (index, worker) in workers.enumerated() {
            let plain = sockets.plain[index]
            let batch = isShared ? 8 : 64
            await worker.run { worker in
                if let secure {
                    worker.listen(secure.sockets[index], through: secure.port, isOwn: secure.isOwn, batch: batch)
                }
                worker.listen(plain, isOwn: isOwn, batch: batch)
                worker.begin()
            }
        }
        guard let socket = sockets.admin?.socket else { return }
        await admin?.worker.run { worker in
            worker.listen([socket], isOwn: true, batch: 8)
            worker.begin()
        }
    }

    /// The port that the server listens on; 0 for a Unix socket.
    public var port: Int { address.port }

    /// The port of ``ServerConfiguration/adminPort``; nil without one.
    package var adminPort: Int? { admin?.address.port }

    /// The port at which it speaks TLS; nil without one.
    package var tlsPort: Int? { secureAddress?.port }

    /// Whether only this machine can reach the server.
    package var isLoopback: Bool { address.isLoopback && secureAddress?.isLoopback ?? true }

    /// The URL to open on this machine; for a Unix socket, `unix:` and its path.
    public var url: String {
        guard address.family != AF_UNIX else { return "\(address)" }
        let scheme = secureAddress == nil ? "http" : "https"
        let address = secureAddress ?? address
        if ["0.0.0.0", "::"].contains(address.host) { return "\(scheme)://localhost:\(address.port)" }
        return "\(scheme)://\(address)"
    }

    /// Serves until a signal or ``shutdown()`` asks for the end, then drains. Returns when the last thread has ended.
    /// - Throws: ``StartError`` when it has already been called: a server runs only once.
    package func run() async throws {
        if hasRun.exchange(true, ordering: .relaxed) {
            throw StartError.configuration("A server runs only once: create another one to serve again.")
        }
        // In a task of its own: a caller that is cancelled does not end the server.
        await Task { [end] in await end.wait() }.value
        await delay()
        await drain()
    }

    /// Says that the end has begun, and waits as long as load balancers need to notice it.
    private func delay() async {
        responder.serverChanged(to: .draining)
        services.serverDrains()
        if configuration.drainDelay > .zero { try? await Task.sleep(for: configuration.drainDelay) }
    }

    /// Drains and ends the server, as SIGTERM does; callable from any thread, any number of times.
    public func shutdown() { end.ask() }

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
        let timeout = configuration.drainTimeout
        let workers = allWorkers
        let drained: Void? = await inTime(timeout + Self.grace) {
            await withTaskGroup { group in
                for worker in workers {
                    group.addTask {
                        await worker.drain(timeout: timeout, settling: Self.settling, patience: Self.patience)
                    }
                }
            }
        }
        return drained != nil
    }
}
