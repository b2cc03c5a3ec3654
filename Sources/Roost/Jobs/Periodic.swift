public import Logging
import Synchronization

/// A job that runs again and again while the application serves.
///
///     let cleanup = Periodic("cleanup", every: .minutes(1)) { try await sessions.removeExpired() }
///     try Application(services: [database, cleanup]) { routes in … }
///
/// The first run is one interval after the start. Runs never overlap, and do not drift: they begin at multiples of the
/// interval, however long each one takes, and times that pass during a run are left out. A run that throws is logged,
/// and the next one comes when it is due.
///
/// It runs on the server's first event loop, so use `await` for anything that takes time, and ``offload(_:)`` for code
/// that blocks. It stops after the drain: a run that is under way is cancelled then, and the application ends when the
/// run has returned. List it after the services that it uses; services stop in reverse order.
///
/// Each process runs it on its own, and missed runs are not made up for. Work that only one of several instances should
/// do, or that must not be lost, belongs in a job of `RoostJobs`.
public final class Periodic: Service {
    private let name: String
    private let interval: Duration
    private let runsAtStart: Bool
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let work: @Sendable () async throws -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Creates a job that is run over and over.
    /// - Parameters:
    ///   - name: The name of the job in the log.
    ///   - interval: The time from one run to the next; at least a millisecond.
    ///   - runsAtStart: Whether it also runs when the application starts.
    ///   - clock: The clock that tells the time; by default, that of ``withClock(_:_:)``, or else the event loop's.
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    ///   - work: The work of one run.
    public init(
        _ name: String,
        every interval: Duration,
        runsAtStart: Bool = false,
        clock: (any Clock<Duration>)? = nil,
        logger: Logger? = nil,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.runsAtStart = runsAtStart
        self.clock = clock ?? TimeSource.current.clock ?? LoopClock()
        self.logger = logger ?? .current(or: "roost")
        self.work = work
    }

    /// Begins.
    /// - Throws: ``StartError/configuration(_:)`` for an interval of less than a millisecond.
    public func start() async throws {
        guard interval >= .milliseconds(1) else {
            throw StartError.configuration("The job \(name) runs every \(interval): let it be at least a millisecond.")
        }
        let task = Task(executorPreference: EventLoop.current) { await self.run(by: self.clock) }
        self.task.withLock { $0 = task }
    }

    /// Cancels the run that is under way, and returns when it has ended.
    public func stop() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    private func run(by clock: some Clock<Duration>) async {
        let start = clock.now
        var schedule = PeriodicSchedule(every: interval, runsAtStart: runsAtStart)
        while await sleep(until: start.advanced(by: schedule.due), clock) {
            await runOnce()
            schedule.advance(now: start.duration(to: clock.now))
        }
    }

    /// Sleeps until a time; returns false when the application ends.
    private func sleep<C: Clock<Duration>>(until deadline: C.Instant, _ clock: C) async -> Bool {
        do {
            try await clock.sleep(until: deadline, tolerance: nil)
            return !Task.isCancelled
        } catch {
            return false
        }
    }

    private func runOnce() async {
        do {
            try await work()
        } catch {
            guard !(Task.isCancelled && error is CancellationError) else { return }
            logger.error("The job \(name) failed: \(LogText.escaped("\(error)"))")
        }
    }
}

/// The time as an event loop measures it: a task on a loop sleeps by one of the loop's timers, in steps of a
/// millisecond, and needs no other thread.
struct LoopClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        try await EventLoop.pause(for: max(.zero, now.duration(to: deadline)))
    }
}

/// The times at which something periodic is due, counted from its start. However long each run takes, the times stay
/// multiples of the interval; those that pass during a run are left out.
struct PeriodicSchedule: Equatable {
    let interval: Duration
    /// The next time at which it is due.
    private(set) var due: Duration

    /// - Parameters:
    ///   - interval: More than zero.
    ///   - runsAtStart: Whether it is due at once, too.
    init(every interval: Duration, runsAtStart: Bool = false) {
        self.interval = interval
        due = runsAtStart ? .zero : interval
    }

    /// A run has ended: it is due next at the first of its times that has not passed.
    mutating func advance(now: Duration) {
        let late = max(.zero, now - due)
        due += interval * (late.attoseconds / interval.attoseconds + 1)
    }
}
