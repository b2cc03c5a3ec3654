import Logging
import Processes
import RoostSQL
import Synchronization

@testable import RoostPostgres

/// A pool of fake connections, whose clock the test controls.
final class PoolBench: Sendable {
    /// A connection that does what the test says.
    final class Connection: PooledConnection {
        private let state = Mutex((isAlive: true, isDirty: false))

        var isIdle: Bool { state.withLock { $0.isAlive && !$0.isDirty } }
        func isAlive() -> Bool { state.withLock { $0.isAlive } }
        func dies() { state.withLock { $0.isAlive = false } }
        func gets(dirty: Bool) { state.withLock { $0.isDirty = dirty } }
    }

    private struct Shared {
        var now = ContinuousClock.now
        var opened = 0
        var refuses = false
        var holds = false
        var sleepers: [(until: ContinuousClock.Instant, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private final class Box: Sendable {
        let shared = Mutex(Shared())

        func sleep(_ duration: Duration) async {
            await withCheckedContinuation { continuation in
                shared.withLock { $0.sleepers.append(($0.now + duration, continuation)) }
            }
        }
    }

    let pool: ConnectionPool<Connection>
    private let box: Box

    init(connections: Int, waiting: Int = 100, dice: Double = 0.5, logger: Logger = .silent) {
        let box = Box()
        self.box = box
        let limits = ConnectionPool<Connection>.Limits(
            connections: connections,
            waiting: waiting,
            waitTimeout: .seconds(5),
            lifetime: .seconds(1_000),
            idleTimeout: .seconds(100)
        )
        let timing = PoolTiming {
            box.shared.withLock { $0.now }
        } sleep: {
            await box.sleep($0)
        } random: {
            dice
        }
        pool = ConnectionPool(limits, timing: timing, logger: logger) {
            try box.shared.withLock { shared in
                shared.opened += 1
                if shared.refuses { throw DatabaseError.unavailable("refused") }
            }
            while box.shared.withLock({ $0.holds }) { try await turn() }
            return Connection()
        } recover: { connection in
            connection.gets(dirty: false)
            return connection.isAlive()
        }
    }

    var now: ContinuousClock.Instant { box.shared.withLock { $0.now } }
    /// The number of attempts.
    var opened: Int { box.shared.withLock { $0.opened } }

    func refuse(_ refuses: Bool) { box.shared.withLock { $0.refuses = refuses } }

    /// Lets attempts go on without an end, or end now.
    func hold(_ holds: Bool) { box.shared.withLock { $0.holds = holds } }

    func take(within time: Duration = .seconds(30)) async throws -> PoolEntry<Connection> {
        try await pool.take(until: now + time)
    }

    /// Lets time pass, and wakes the sleepers whose time is over.
    func pass(seconds: Int) {
        let due = box.shared.withLock { shared in
            shared.now += .seconds(seconds)
            let due = shared.sleepers.filter { $0.until <= shared.now }
            shared.sleepers.removeAll { $0.until <= shared.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// The number of sleepers.
    var sleeperCount: Int { box.shared.withLock { $0.sleepers.count } }

    /// Removes the sleepers, as an event loop does when it ends. They must be resumed in the end.
    func loseSleepers() -> [CheckedContinuation<Void, Never>] {
        box.shared.withLock { shared in
            defer { shared.sleepers = [] }
            return shared.sleepers.map(\.continuation)
        }
    }

    /// Returns when the pool waits for time to pass: before that, ``pass(seconds:)`` wakes nobody.
    func untilSomebodySleeps() async {
        while !Task.isCancelled, sleeperCount == 0 { await Task.yield() }
    }

    /// Lets seconds pass one after the other.
    func runClock() -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                pass(seconds: 1)
                await Task.yield()
            }
        }
    }

    /// Returns when other tasks have brought the pool into a certain state.
    func until(_ condition: (PoolState<Connection>) -> Bool) async {
        while !Task.isCancelled, !pool.state.withLock({ condition($0) }) { await Task.yield() }
    }
}
