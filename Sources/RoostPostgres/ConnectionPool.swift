import Logging
import Roost
import RoostSQL
import Synchronization

/// Connections that callers share. They are opened on demand, up to a limit, and handed out in the order of asking.
///
/// No caller opens a connection for itself. A caller that finds none free waits in a queue, and each connection that
/// opens or comes back goes to the first caller in it. So a caller that gives up does not cancel the attempt to open
/// one. After a failed attempt, the next is delayed, and as long as no connection is open, callers fail at once.
/// Connections that are lost again and again are replaced no faster than ``OpeningRate`` allows. Opening
/// connections and checking deadlines serves all callers, so it runs on no caller's event loop, which may be blocked.
final class ConnectionPool<Connection: PooledConnection>: Sendable {
    struct Limits: Sendable {
        var connections: Int
        var waiting: Int
        var waitTimeout: Duration
        var lifetime: Duration
        var idleTimeout: Duration
    }

    let limits: Limits
    let timing: PoolTiming
    let logger: Logger
    private let open: @Sendable () async throws -> Connection
    /// Makes a connection idle again if it is not; false when it must be closed.
    private let recover: @Sendable (Connection) async -> Bool
    let state = Mutex(PoolState<Connection>())

    init(
        _ limits: Limits,
        timing: PoolTiming = PoolTiming(),
        logger: Logger,
        open: @escaping @Sendable () async throws -> Connection,
        recover: @escaping @Sendable (Connection) async -> Bool
    ) {
        self.limits = limits
        self.timing = timing
        self.logger = logger
        self.open = open
        self.recover = recover
    }

    /// The present use of the pool: its busy and idle connections, their limit, and the callers that wait.
    var use: SQLUse {
        state.withLock { state in
            SQLUse(
                busy: state.count - state.idleCount, idle: state.idleCount, limit: limits.connections,
                waiting: state.waitingCount)
        }
    }

    // MARK: Asking

    /// A connection that belongs to the caller until ``giveBack(_:)``.
    /// - Throws: ``DatabaseError/unavailable(_:)`` when no connection can be had, `CancellationError`.
    ///
    /// With `sharing`, it may have other users: then it `isShared`. A patient caller waits until its deadline, and
    /// others for `waitTimeout` at most.
    func take(
        until deadline: ContinuousClock.Instant, sharing: PoolState<Connection>.Sharing? = nil, isPatient: Bool = false
    ) async throws -> PoolEntry<Connection> {
        let now = timing.now()
        while let entry = try state.withLock({ try $0.takeIdle() }) {
            if entry.expires > now, entry.connection.isAlive() { return entry }
            discard()
        }
        if let sharing, let entry = state.withLock({ $0.join(sharing, limits, now) }) { return entry }
        let end = isPatient ? deadline : min(deadline, now + limits.waitTimeout)
        return try await wait(until: end, now, sharing)
    }

    /// Waits for the next connection that no earlier caller needs.
    func wait(
        until end: ContinuousClock.Instant, _ now: ContinuousClock.Instant,
        _ sharing: PoolState<Connection>.Sharing? = nil
    ) async throws -> PoolEntry<Connection> {
        let number = state.withLock { $0.newNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(.init(number: number, deadline: end, sharing: sharing, continuation: continuation), now)
                if Task.isCancelled { withdraw(number) }
            }
        } onCancel: {
            withdraw(number)
        }
    }

    private func enqueue(_ waiter: PoolState<Connection>.Waiter, _ now: ContinuousClock.Instant) {
        while true {
            switch state.withLock({ $0.enqueue(waiter, limits, now) }) {
            case .refused(let error): return waiter.continuation.resume(throwing: error)
            case .found(let entry):
                if entry.connection.isAlive() { return waiter.continuation.resume(returning: entry) }
                discard()
            case .waits(let needsSweep):
                if needsSweep { Task.detached { await self.sweep() } }
                return openWhatIsWanted()
            }
        }
    }

    private func withdraw(_ number: Int) {
        let waiter = state.withLock { $0.removeWaiter(number) }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    // MARK: Sharing

    /// Lets others on its user's loop use a connection, those who wait for one first.
    func share(_ entry: PoolEntry<Connection>, on loop: EventLoop) {
        let followers = state.withLock { state in
            state.share(entry, on: loop)
            return state.takeFollowers(entry, limits, timing.now())
        }
        for follower in followers { follower.continuation.resume(returning: entry) }
    }

    /// Ends the use of a shared connection. The last of its users gives it back.
    func leave(_ entry: PoolEntry<Connection>) {
        let (isLast, followers) = state.withLock { state in
            state.leave(entry) ? (true, []) : (false, state.takeFollowers(entry, limits, timing.now()))
        }
        for follower in followers { follower.continuation.resume(returning: entry) }
        if isLast { giveBack(entry) }
    }

    // MARK: Giving back

    /// Takes a connection back. When it is idle, or could be made so, the first waiting caller gets it.
    func giveBack(_ entry: PoolEntry<Connection>) {
        if entry.connection.isIdle { return keep(entry) }
        Task(executorPreference: EventLoop.current) { await self.giveBackRecovered(entry) }
    }

    /// Takes a connection back, and returns when nothing is left of what its last user did.
    func giveBackRecovered(_ entry: PoolEntry<Connection>) async {
        // The caller may be a cancelled task, in which nothing can wait any more.
        await Task(executorPreference: EventLoop.current) {
            if await self.recover(entry.connection) { self.keep(entry) } else { self.discard() }
        }.value
    }

    private func keep(_ entry: PoolEntry<Connection>) {
        let now = timing.now()
        guard entry.expires > now else { return discard() }
        let waiter = state.withLock { $0.give(entry, now) }
        waiter?.continuation.resume(returning: entry)
    }

    /// Gives up the place of a connection, which closes when nothing refers to it any more.
    private func discard() {
        state.withLock { $0.count -= 1 }
        openWhatIsWanted()
    }

    // MARK: Opening

    func openWhatIsWanted() {
        let now = timing.now()
        while state.withLock({ $0.reserve(limits, now) }) {
            Task.detached { await self.openOne() }
        }
    }

    private func openOne() async {
        do {
            let connection = try await open()
            let hadFailed = state.withLock { $0.opened() }
            if hadFailed { logger.notice("The database can be reached again.") }
            keep(PoolEntry(connection, expires: timing.now() + lifetime, now: timing.now()))
        } catch {
            let (error, reason) = Self.refusal(error)
            let delay = state.withLock { $0.failed(error, timing) }
            logger.warning(
                "The database cannot be reached: \(reason); the next attempt is possible in \(delay)."
            )
            for waiter in state.withLock({ $0.giveUp() }) {
                waiter.continuation.resume(throwing: error)
            }
        }
    }

    /// The error for callers, and the reason for the log.
    private static func refusal(_ error: any Error) -> (DatabaseError, String) {
        switch error as? DatabaseError {
        case .misconfigured(let text): (.misconfigured(text), text)
        case .unavailable(let text): (.unavailable(text), text)
        default: (.unavailable("\(error)"), "\(error)")
        }
    }

    /// Varied by a tenth, so that connections that were opened together do not end together.
    private var lifetime: Duration { limits.lifetime * (0.9 + 0.2 * timing.random()) }

    // MARK: Time

    /// Fails callers that have waited too long, for as long as any caller waits.
    private func sweep() async {
        while true {
            try? await timing.sleep(.milliseconds(100))
            let now = timing.now()
            let (expired, isOver, open) = state.withLock { state in
                let (expired, isOver) = state.expireWaiters(now)
                return (expired, isOver, state.count - state.opening)
            }
            let reason = open == 0 ? "no connection could be opened" : "all \(open) connections stayed busy"
            let late = "\(reason) for as long as a caller may wait."
            for waiter in expired { waiter.continuation.resume(throwing: DatabaseError.unavailable(late)) }
            if isOver { return }
            openWhatIsWanted()
        }
    }

    /// Closes connections that have been unused for long, or that are old.
    func reap() {
        let now = timing.now()
        // They close here, outside the lock.
        _ = state.withLock { $0.takeStale(now, limits.idleTimeout) }
    }

    // MARK: Life

    /// Accepts callers again after ``close()``.
    func reopen() { state.withLock { $0.isClosed = false } }

    /// Refuses callers, closes the free connections, and waits some seconds for the others.
    func close() async {
        let (waiters, idle) = state.withLock { $0.close() }
        for waiter in waiters { waiter.continuation.resume(throwing: DatabaseError.unavailable(DatabaseError.notOpen)) }
        _ = consume idle
        for _ in 0..<50 where state.withLock({ $0.count > 0 }) { try? await timing.sleep(.milliseconds(100)) }
    }
}

/// A connection that a ``ConnectionPool`` can keep.
protocol PooledConnection: AnyObject, Sendable {
    /// Whether nothing is under way on it, so that another user can have it as it is.
    var isIdle: Bool { get }
    /// Whether the other end is still there, as far as can be seen without waiting.
    func isAlive() -> Bool
}

extension PostgresConnection: PooledConnection {}

/// The pool's clock, sleep and random numbers, which tests replace.
struct PoolTiming: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws -> Void = { try await EventLoop.pause(for: $0) }
    /// A random number from 0 up to but not including 1.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}
