import RoostSQL

/// A connection of a pool.
struct PoolEntry<Connection: PooledConnection>: Sendable {
    let connection: Connection
    /// The end of the connection's lifetime, after which nobody gets it any more.
    let expires: ContinuousClock.Instant
    var idleSince: ContinuousClock.Instant

    init(_ connection: Connection, expires: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        self.connection = connection
        self.expires = expires
        idleSince = now
    }
}

/// The state that a pool's lock guards. Each change is one function, which neither waits nor calls anybody.
struct PoolState<Connection: PooledConnection>: Sendable {
    typealias Entry = PoolEntry<Connection>

    struct Waiter: Sendable {
        let number: Int
        let deadline: ContinuousClock.Instant
        /// Whether it waits for the reads of a loop, which are counted one by one.
        let isForReads: Bool
        let continuation: CheckedContinuation<Entry, any Error>
    }

    /// While there are any, no caller waits. The last one was used last, so that those not needed grow old.
    private var idle: [Entry] = []
    private var waiters: [Waiter] = []
    /// The number of waiters that wait for the reads of a loop, and the number of reads that all loops have waiting.
    private var askers = 0
    private var reads = 0
    private var rate = OpeningRate()
    /// The number of connections that are open or being opened.
    var count = 0
    var opening = 0
    private var failures = 0
    private var retry: (at: ContinuousClock.Instant, error: DatabaseError)?
    private var numbers = 0
    private(set) var isSweeping = false
    var isClosed = false

    /// The number of callers and reads that wait for a connection.
    var waitingCount: Int { waiters.count - askers + reads }
    /// The length of the queue: the number of connections that are waited for.
    var queueLength: Int { waiters.count }
    var idleCount: Int { idle.count }

    mutating func newNumber() -> Int {
        numbers += 1
        return numbers
    }

    mutating func takeIdle() throws -> Entry? {
        guard !isClosed else { throw DatabaseError.unavailable(DatabaseError.notOpen) }
        return idle.popLast()
    }

    /// The outcome of an attempt to join the queue.
    enum Enqueued {
        case refused(DatabaseError)
        /// A connection has come back since the caller looked for one.
        case found(Entry)
        /// The caller is in the queue; perhaps a sweep of its deadlines must be started.
        case waits(needsSweep: Bool)
    }

    /// Adds a caller to the end of the queue.
    mutating func enqueue(
        _ waiter: Waiter,
        _ limits: ConnectionPool<Connection>.Limits,
        _ now: ContinuousClock.Instant
    ) -> Enqueued {
        if isClosed { return .refused(.unavailable(DatabaseError.notOpen)) }
        if let entry = idle.popLast() { return .found(entry) }
        if count == 0, let retry, retry.at > now {
            return .refused(retry.error)
        }
        guard waiter.isForReads || waitingCount < limits.waiting else { return .refused(limits.tooMany) }
        waiters.append(waiter)
        if waiter.isForReads { askers += 1 }
        defer { isSweeping = true }
        return .waits(needsSweep: !isSweeping)
    }

    mutating func removeWaiter(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { removeWaiter(at: $0) }
    }

    private mutating func removeWaiter(at index: Int) -> Waiter {
        let waiter = waiters.remove(at: index)
        if waiter.isForReads { askers -= 1 }
        return waiter
    }

    /// Counts the reads of a loop that wait, among all who wait. Returns how many of them may; it must refuse the rest.
    /// - Parameter before: The number of them that have been counted before, and stay.
    mutating func countReads(_ count: Int, before: Int, _ limits: ConnectionPool<Connection>.Limits) -> Int {
        // The pool may have been closed in between.
        reads = max(0, reads - before)
        let allowed = min(count, max(before, limits.waiting - waitingCount))
        reads += allowed
        return allowed
    }

    /// Keeps a connection, or returns the caller that gets it.
    mutating func give(_ entry: Entry) -> Waiter? {
        if isClosed {
            count -= 1
            return nil
        }
        guard waiters.isEmpty else { return removeWaiter(at: 0) }
        idle.append(entry)
        return nil
    }

    /// Whether to open one more connection, which is counted from now on.
    mutating func reserve(_ limits: ConnectionPool<Connection>.Limits, _ now: ContinuousClock.Instant) -> Bool {
        guard !isClosed, count < limits.connections, opening < waiters.count else { return false }
        // After a failure, one attempt at a time is allowed, once the delay is over.
        if let retry, retry.at > now || opening > 0 { return false }
        // As many as there may be at once, and some replacements; the sweep of the deadlines asks again.
        guard rate.take(now, burst: limits.connections + 10) else { return false }
        count += 1
        opening += 1
        return true
    }

    /// Notes that a connection has been opened. Returns whether earlier attempts had failed.
    mutating func opened() -> Bool {
        opening -= 1
        failures = 0
        defer { retry = nil }
        return retry != nil
    }

    /// Notes that a connection could not be opened. Returns the delay before the next attempt.
    mutating func failed(_ error: DatabaseError, _ timing: PoolTiming) -> Duration {
        opening -= 1
        count -= 1
        // Attempts that were made together fail together, and count as one.
        if opening == 0 { failures += 1 }
        let delay = Backoff.delay(failures: max(1, failures), random: timing.random())
        retry = (timing.now() + delay, error)
        return delay
    }

    /// Removes the callers that wait in vain, because no connection is open.
    mutating func giveUp() -> [Waiter] {
        guard count == 0 else { return [] }
        return removeWaiters { _ in true }
    }

    /// Removes the callers whose time is over; also returns whether nobody is left.
    mutating func expireWaiters(_ now: ContinuousClock.Instant) -> (late: [Waiter], isOver: Bool) {
        let late = removeWaiters { $0.deadline <= now }
        if waiters.isEmpty { isSweeping = false }
        return (late, waiters.isEmpty)
    }

    private mutating func removeWaiters(where isRemoved: (Waiter) -> Bool) -> [Waiter] {
        let removed = waiters.filter(isRemoved)
        if !removed.isEmpty { waiters.removeAll(where: isRemoved) }
        askers -= removed.count { $0.isForReads }
        return removed
    }

    /// Removes the connections that are too old, or have been unused for too long.
    mutating func takeStale(_ now: ContinuousClock.Instant, _ idleTimeout: Duration) -> [Entry] {
        let stale = idle.filter { $0.expires <= now || $0.idleSince + idleTimeout <= now }
        idle.removeAll { $0.expires <= now || $0.idleSince + idleTimeout <= now }
        count -= stale.count
        return stale
    }

    mutating func close() -> (waiters: [Waiter], idle: [Entry]) {
        isClosed = true
        // The sweep may be sleeping on a loop that ends before it wakes.
        isSweeping = false
        reads = 0
        defer {
            count -= idle.count
            idle = []
        }
        return (removeWaiters { _ in true }, idle)
    }
}
