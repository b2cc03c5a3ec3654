import Roost
import RoostSQL

/// A connection of a pool.
///
/// `@unchecked Sendable`: the pool's lock guards what changes.
final class PoolEntry<Connection: PooledConnection>: @unchecked Sendable {
    let connection: Connection
    /// The end of the connection's lifetime, after which nobody gets it any more.
    let expires: ContinuousClock.Instant
    fileprivate(set) var idleSince: ContinuousClock.Instant
    /// The loop whose tasks may use it beside its user; nil while it belongs to one alone.
    fileprivate(set) var sharedOn: EventLoop?
    fileprivate var users = 0

    var isShared: Bool { sharedOn != nil }

    init(_ connection: Connection, expires: ContinuousClock.Instant, now: ContinuousClock.Instant) {
        self.connection = connection
        self.expires = expires
        idleSince = now
    }
}

/// The state that a pool's lock guards. Each change is one function, which neither waits nor calls anybody.
struct PoolState<Connection: PooledConnection>: Sendable {
    typealias Entry = PoolEntry<Connection>

    /// A caller that can use a connection beside others, if that is such as it says.
    struct Sharing: Sendable {
        let loop: EventLoop
        let mayFollow: @Sendable (Connection) -> Bool
    }

    struct Waiter: Sendable {
        let number: Int
        let deadline: ContinuousClock.Instant
        /// Nil for a caller that needs a connection alone.
        var sharing: Sharing?
        let continuation: CheckedContinuation<Entry, any Error>
    }

    /// While there are any, no caller waits. The last one was used last, so that those not needed grow old.
    private var idle: [Entry] = []
    private var waiters: [Waiter] = []
    /// The connections with several users, or one that lets others in.
    private var shared: [Entry] = []
    private var rate = OpeningRate()
    /// The number of connections that are open or being opened.
    var count = 0
    var opening = 0
    private var failures = 0
    private var retry: (at: ContinuousClock.Instant, error: DatabaseError)?
    private var numbers = 0
    private(set) var isSweeping = false
    var isClosed = false

    /// The number of callers that wait for a connection.
    var waitingCount: Int { waiters.count }
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
        guard waiters.count < limits.waiting else {
            return .refused(.unavailable("\(limits.waiting) callers are already waiting for a connection."))
        }
        waiters.append(waiter)
        defer { isSweeping = true }
        return .waits(needsSweep: !isSweeping)
    }

    mutating func removeWaiter(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0) }
    }

    /// Keeps a connection, or returns the caller that gets it.
    mutating func give(_ entry: Entry, _ now: ContinuousClock.Instant) -> Waiter? {
        if isClosed {
            count -= 1
            return nil
        }
        guard waiters.isEmpty else { return waiters.removeFirst() }
        entry.idleSince = now
        idle.append(entry)
        return nil
    }

    // MARK: Several users

    /// The most users of a connection.
    private static var mostUsers: Int { 8 }

    /// Lets others use a connection beside its user.
    mutating func share(_ entry: Entry, on loop: EventLoop) {
        (entry.sharedOn, entry.users) = (loop, 1)
        shared.append(entry)
    }

    /// The connection of the fewest users that one more caller may use, if all there may be are open and nobody waits.
    mutating func join(
        _ sharing: Sharing, _ limits: ConnectionPool<Connection>.Limits, _ now: ContinuousClock.Instant
    ) -> Entry? {
        guard waiters.isEmpty, count >= limits.connections, !isClosed else { return nil }
        let entry = shared.filter { mayUse($0, sharing, now) }.min { $0.users < $1.users }
        entry?.users += 1
        return entry
    }

    /// Removes the callers at the head of the queue that may use a connection beside its users.
    mutating func takeFollowers(
        _ entry: Entry, _ limits: ConnectionPool<Connection>.Limits, _ now: ContinuousClock.Instant
    ) -> [Waiter] {
        guard count >= limits.connections else { return [] }
        var followers: [Waiter] = []
        while let sharing = waiters.first?.sharing, mayUse(entry, sharing, now) {
            entry.users += 1
            followers.append(waiters.removeFirst())
        }
        return followers
    }

    private func mayUse(_ entry: Entry, _ sharing: Sharing, _ now: ContinuousClock.Instant) -> Bool {
        entry.sharedOn === sharing.loop && entry.users < Self.mostUsers && entry.expires > now
            && sharing.mayFollow(entry.connection)
    }

    /// Ends the use of a connection by one of its users; whether that was the last.
    mutating func leave(_ entry: Entry) -> Bool {
        entry.users -= 1
        guard entry.users == 0 else { return false }
        entry.sharedOn = nil
        shared.removeAll { $0 === entry }
        return true
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
        // Once the pool is open again, the next caller does not rely on a sweep from before.
        isSweeping = false
        defer {
            count -= idle.count
            idle = []
        }
        return (removeWaiters { _ in true }, idle)
    }
}

/// Limits how often sessions are opened, because each costs the server a process and a password check: a number of them
/// at once, and then one at a time. Whatever makes a pool lose its sessions again and again cannot cost more than that.
struct OpeningRate: Sendable {
    /// One more session may be opened each time this has passed.
    static let interval = Duration.milliseconds(100)

    /// The time at which all sessions so far would have been opened at that rate; nil before the first.
    private var end: ContinuousClock.Instant?

    /// Takes permission to open one; false when it is too early.
    /// - Parameter burst: The most that may be opened at once.
    mutating func take(_ now: ContinuousClock.Instant, burst: Int) -> Bool {
        let next = max(end ?? now, now) + Self.interval
        guard next <= now + Self.interval * burst else { return false }
        end = next
        return true
    }
}

/// The waits after failed attempts: twice as long each time, with some randomness so that not all retry at once.
enum Backoff {
    private static let shortest = 0.1
    private static let longest = 10.0

    /// The wait after a number of failures in a row, at most ten seconds.
    /// - Parameter random: From 0 to 1; it reduces the wait by up to half.
    static func delay(failures: Int, random: Double) -> Duration {
        let whole = min(longest, shortest * Double(1 << min(max(failures - 1, 0), 10)))
        return .milliseconds(Int64(1000 * whole * (1 - random / 2)))
    }
}
