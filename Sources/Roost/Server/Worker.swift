internal import CLinux
package import CoreMetrics
import Glibc
package import Logging

/// Listeners at work on an event loop, with their connections and their clock.
///
/// It may be made on any thread, but is then used on the loop's thread only.
package final class Worker {
    private let loop: EventLoop
    package let group: ConnectionGroup
    private let room: ConnectionRoom
    private let logger: Logger
    private var listeners: [Listener] = []
    private var clock: IOEvent?
    private var drainDeadline = Int.max
    /// The metrics of what all loops have in common; nil where another worker has them, or nobody.
    private let shared: ServerMetrics?
    /// The time, where it stands still.
    private var testTime = time(nil)

    /// A worker that does not listen yet, and whose time stands still.
    /// - Parameters:
    ///   - number: The loop's number: the first one measures what all have in common.
    ///   - metrics: Gets what it measures; nil measures nothing.
    ///   - services: Those that may report metrics, or speak HTTP/2.
    package init(
        _ loop: EventLoop,
        number: Int = 0,
        _ responder: any Responder,
        _ configuration: ServerConfiguration,
        _ logger: Logger,
        _ memory: MemoryBudget,
        _ budgets: ClientBudgets,
        _ room: ConnectionRoom = ConnectionRoom(.max),
        metrics: (any MetricsFactory)? = nil,
        services: [any Service] = []
    ) {
        self.loop = loop
        self.room = room
        self.logger = logger
        let limits = configuration.connectionLimits
        group = ConnectionGroup(
            loop: loop,
            responder: responder,
            limits: limits,
            memory: memory,
            budgets: budgets,
            proxies: configuration.trustedProxies,
            logger: logger,
            metrics: metrics.map { LoopMetrics($0, loop: number) },
            http2: services.securePort?.makeHTTP2()
        )
        shared = number == 0 ? metrics.map { ServerMetrics($0, memory, budgets, loop.blockingPool, services) } : nil
    }

    /// Accepts connections from listening sockets.
    /// - Parameter secure: The port whose transports their bytes pass through; nil if they go as they are.
    func listen(_ sockets: [Int32], through secure: (any SecurePort)? = nil, isOwn: Bool, batch: Int) {
        let transports = secure?.transports(on: loop)
        listeners += sockets.map { Listener($0, group, room, through: transports, isOwn: isOwn, batch: batch) }
    }

    /// Counts its clients, and the seconds of the system's clock, as they begin: so `Date` is not late.
    func begin() {
        group.onClose = { [room] in room.leave() }
        group.hasRunningClock = true
        clock = IOEvent(loop, -1, []) { [unowned self] _ in systemSecond() }
        clock?.add(after: Self.second(at: TimeSource.systemTime).rest)
    }

    private func systemSecond() {
        let now = Self.second(at: TimeSource.systemTime)
        second(now.number)
        clock?.add(after: now.rest)
    }

    /// The second in which a moment since 1970 lies, and the time until the next one. A timer may come a little early:
    /// the last tenth counts as the next second, so that none comes twice.
    static func second(at time: Duration) -> (number: Int, rest: Duration) {
        let number = Int((time + .milliseconds(100)).components.seconds)
        return (number, .seconds(number + 1) - time)
    }

    /// Lets a second pass.
    package func tick() {
        testTime += 1
        second(testTime)
    }

    /// Lets the time run that has stood still.
    package func startClock() {
        group.hasRunningClock = true
        clock = IOEvent(loop, -1, [], isPersistent: true) { [unowned self] _ in tick() }
        clock?.add(after: .seconds(1))
    }

    /// Closes each connection with its next response.
    func beginDrain(patience: Duration) {
        group.beginDrain(patience: patience.wholeSeconds)
        for listener in listeners { listener.beginDrain() }
    }

    /// Stops accepting, and calls back when the last connection has ended.
    func drain(timeout: Duration, patience: Duration, _ whenEmpty: @escaping @Sendable () -> Void) {
        for listener in listeners { listener.stop() }
        listeners = []
        // The next second may be due at once, and is not one of those that they have.
        drainDeadline = group.now + (timeout > .zero ? timeout.wholeSeconds + 1 : 0)
        group.drain(patience: patience.wholeSeconds) { [unowned self] in
            clock = nil
            whenEmpty()
        }
    }

    /// Closes everything at once: the server never came to run.
    func abandon() {
        for listener in listeners { listener.abandon() }
        listeners = []
        clock = nil
        _ = group.closeAll()
    }

    /// - Parameter time: The seconds since 1970.
    private func second(_ time: Int) {
        group.tick(time)
        shared?.report()
        if group.memory.takeRelief() { giveMemoryBack() }
        if room.takeWish() { _ = group.makeRoom() }
        if group.now >= drainDeadline { cutOff("because the drain time was over") }
    }

    /// Closes all connections, whatever they do.
    package func cutOff(_ reason: String) {
        let cut = group.closeAll()
        if cut > 0 { logger.warning("\(cut) connections were cut off \(reason).") }
    }

    /// Gives memory that clients have let go of back to the system. The C library keeps what lies between memory that
    /// is in use, which after many large bodies is nearly everything. On another thread: it can take long.
    private func giveMemoryBack() {
        guard let pool = loop.blockingPool else { return }
        Task { try? await pool.run { _ = malloc_trim(0) } }
    }
}

extension LoopBound<Worker> {
    /// Stops accepting and returns when the last connection has ended, at most `timeout` later.
    /// - Parameter settling: The time, before the sockets close, in which connections that have begun are still
    ///   accepted, and idle ones may still send a request: its response tells them that it is the last.
    /// - Parameter patience: The further time in which a connection that has just been busy may do so.
    package func drain(timeout: Duration, settling: Duration, patience: Duration) async {
        await run { $0.beginDrain(patience: patience) }
        if settling > .zero { try? await loop.sleep(for: settling) }
        await withCheckedContinuation { continuation in
            let isTaken = loop.submit {
                value.drain(timeout: timeout, patience: patience) { continuation.resume() }
            }
            if !isTaken { continuation.resume() }
        }
    }
}

extension Logger {
    /// Logs that an event loop is blocked, and by which route.
    func blockedLoop(_ loop: Int, _ routes: [String]) {
        let culprit =
            switch routes.count {
            case 0: ""
            case 1: " by \(routes[0])"
            default: " by one of \(routes.joined(separator: ", "))"
            }
        error("Event loop \(loop) is blocked\(culprit), and serves nobody else: move the work into `offload { }`.")
    }
}
