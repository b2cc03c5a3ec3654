package import CoreMetrics
import Glibc
package import Roost
import Synchronization

/// The server without a network, for tests: a real loop, real connections and real bytes, over pairs of connected
/// sockets that only this process knows. Nothing listens, so any number of them run side by side. Time stands still
/// until ``passSecond()``.
package final class InProcessServer: Sendable {
    private let loops: EventLoopGroup
    private let worker: LoopBound<Worker>
    private let services: RunningServices
    private let responder: any Responder
    private let turn: ServiceTurn?
    /// The memory that its clients use.
    package let memory: MemoryBudget
    /// The limits on the streams and WebSockets that its clients may keep open.
    package let budgets: ClientBudgets
    private let isStopped = Atomic(false)

    /// Starts serving.
    package init(
        _ configuration: ServerConfiguration,
        _ responder: any Responder,
        services: [any Service] = [],
        metrics: (any MetricsFactory)? = nil,
        logger: Logger,
        turn: ServiceTurn? = nil
    ) async throws {
        try configuration.validate()
        self.turn = turn
        self.responder = responder
        signal(SIGPIPE, SIG_IGN)
        let loops = try EventLoopGroup(count: 1, pool: configuration.blockingPool)
        self.loops = loops
        let loop = loops.loops[0]
        memory = configuration.memoryBudget
        budgets = configuration.clientBudgets()
        let worker = Worker(
            loop, responder, configuration, logger, memory, budgets, metrics: metrics, services: services)
        self.worker = LoopBound(worker, to: loop)
        do {
            self.services = try await RunningServices(services, on: loops.loops[0], logger: logger)
        } catch {
            loops.abandon()
            throw error
        }
        responder.serverChanged(to: .serving)
    }

    /// Nothing waits for a deinitializer: the services stop after it.
    deinit {
        guard !isStopped.load(ordering: .relaxed) else { return }
        Task { [services, loops, turn] in
            await services.stop()
            loops.abandon()
            withExtendedLifetime(turn) {}
        }
    }

    /// The client's end of a new connection, a non-blocking socket that the caller closes.
    /// - Parameter peer: The address that the server believes it comes from.
    /// - Parameter secure: The port whose transport its bytes pass through; nil if they go as they are.
    /// - Throws: ``WireClientError/cannotConnect(to:reason:)`` when it has stopped.
    package func connect(
        from peer: PeerAddress = .local, through secure: (any SecurePort)? = nil
    ) async throws -> Int32 {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemError("socketpair")
        }
        let (client, socket) = (ends[0], ends[1])
        let loop = worker.loop
        let isTaken: Void? = await worker.run {
            $0.group.add(socket, from: peer, through: secure?.transports(on: loop)(socket))
        }
        guard isTaken != nil else {
            for end in ends { close(end) }
            throw WireClientError.stopped
        }
        return client
    }

    /// Lets a second pass on the server's clock.
    package func passSecond() async {
        await worker.run { $0.tick() }
    }

    /// The watchdog of its loop; the caller is its clock.
    package func makeWatchdog(threshold: Duration, _ report: @escaping LoopWatchdog.Report) -> LoopWatchdog {
        LoopWatchdog(loops.loops, threshold: threshold, report)
    }

    /// Returns the number of connected clients.
    package func connectionCount() async -> Int { await worker.run { $0.group.count } ?? 0 }

    /// Returns the number of clients that have not taken everything they were sent.
    package func unsentCount() async -> Int { await worker.run { $0.group.unsentCount } ?? 0 }

    /// Closes idle or slow connections, as when there is no room for a client; returns how many.
    package func makeRoom() async -> Int { await worker.run { $0.group.makeRoom() } ?? 0 }

    /// Whether it drains.
    package func isDraining() async -> Bool { await worker.run { $0.group.isDraining } ?? true }

    /// Drains as on SIGTERM; time passes only with ``passSecond()``.
    package func drain(patience: Duration = .zero) async {
        responder.serverChanged(to: .draining)
        services.serverDrains()
        await worker.drain(timeout: .seconds(30), settling: .zero, patience: patience)
    }

    /// Drains, stops the services and ends the loop. From now on the clock runs: a client that stays is cut off as a
    /// server that listens would do it, and at once when the calling task is cancelled.
    package func stop() async {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        await worker.run { $0.startClock() }
        await withTaskCancellationHandler {
            await drain()
        } onCancel: {
            worker.loop.execute { [worker] in worker.value.cutOff("because nobody waits for them any more") }
        }
        await services.stop()
        loops.stop()
    }
}
