internal import CSQLite
import Glibc

/// The limits that end a connection's statements early: the deadline or cancellation of their job, or the steps allowed
/// on an event loop. SQLite calls back every few thousand steps of its virtual machine, and while it waits for a lock.
/// So no other thread has to interrupt a statement, which could hit the wrong one.
final class StatementLimits {
    private let now: @Sendable () -> ContinuousClock.Instant
    private let busyTimeout: Duration
    /// The longest wait for a lock.
    private var patience: Duration
    /// The current job; nil for the driver's own statements, which are short.
    var job: SQLiteJob?
    /// The jobs that wait together for another program's lock. They can be withdrawn meanwhile, and their deadlines
    /// hold; the wait ends when none is left.
    var waiting: [SQLiteJob] = []
    /// The number of calls that ends a statement on an event loop, which also waits for no lock; nil on other threads.
    private let budget: Int?
    /// Whether the connection belongs to an event loop.
    var isOnLoop: Bool { budget != nil }
    private var calls = 0

    /// The number of steps of SQLite's virtual machine between two calls; some ten microseconds.
    private static let steps: Int32 = 2000
    /// The number of steps between two calls on an event loop.
    private static let loopSteps: Int32 = 500

    init(_ configuration: SQLiteConfiguration, isOnLoop: Bool = false) {
        now = configuration.now
        busyTimeout = configuration.busyTimeout
        patience = configuration.busyTimeout
        budget = isOnLoop ? configuration.maximumLoopSteps / Int(Self.loopSteps) : nil
    }

    /// Begins a statement, with no calls counted yet.
    func begin() { calls = 0 }

    /// The connection must be closed before this is deinitialized.
    func install(on handle: OpaquePointer) {
        begin()
        let own = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle,
            budget == nil ? Self.steps : Self.loopSteps,
            { own in
                guard let own else { return 0 }
                return Unmanaged<StatementLimits>.fromOpaque(own).takeUnretainedValue().isOver ? 1 : 0
            },
            own
        )
        sqlite3_busy_handler(
            handle,
            { own, count in
                guard let own else { return 0 }
                return Unmanaged<StatementLimits>.fromOpaque(own).takeUnretainedValue().wait(count) ? 1 : 0
            },
            own
        )
    }

    private var isOver: Bool {
        if let budget {
            calls += 1
            return calls >= budget
        }
        guard let job else { return false }
        return job.isCancelled || now() >= job.deadline
    }

    /// Waits a little for a lock; false when the time for that is over.
    /// - Parameter count: The number of times that it has already waited for this lock.
    private func wait(_ count: Int32) -> Bool {
        guard budget == nil, Self.waited(count) < patience, !isOver, isWaitedFor() else { return false }
        usleep(UInt32(Self.pause(count)) * 1000)
        return true
    }

    /// Tries to take a lock until nobody else has it, or the time for that is over; returns SQLite's last code.
    func untilFree(_ take: () -> Int32) -> Int32 {
        var count: Int32 = 0
        while true {
            let code = take()
            guard code == SQLITE_BUSY, wait(count) else { return code }
            count += 1
        }
    }

    /// Does something that is done again soon if a lock keeps it from it.
    /// - Parameter part: The part of the longest wait that is spent on it: with 50, a fiftieth, by default 100 ms.
    func impatiently(for part: Int, _ body: () -> Void) {
        patience = busyTimeout / part
        defer { patience = busyTimeout }
        body()
    }

    private func isWaitedFor() -> Bool {
        guard !waiting.isEmpty else { return true }
        let time = now()
        waiting.removeAll { !$0.isWanted(at: time) || $0.isCancelled }
        return !waiting.isEmpty
    }

    /// Returns the pause before the next attempt, in milliseconds: 1, 2, 4, 8, then 10 each time.
    private static func pause(_ count: Int32) -> Int { count < 4 ? 1 << Int(count) : 10 }

    private static func waited(_ count: Int32) -> Duration {
        .milliseconds(count < 4 ? (1 << Int(count)) - 1 : 15 + 10 * (Int(count) - 4))
    }
}
