public import Logging
import Synchronization

/// Does something again and again while the application serves.
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
/// Every instance of an application runs its own jobs. With a ``JobLock``, such as `SQLJobLock`, all instances together
/// run a job once in each interval. What the lock keeps outlasts them: a job that has become due while nothing ran is
/// run at the next start.
public final class Periodic: Service {
    private let name: String
    private let interval: Duration
    private let lock: (any JobLock)?
    private let runsAtStart: Bool
    private let clock: any Clock<Duration>
    private let logger: Logger
    private let work: @Sendable () async throws -> Void
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - name: The name of the job in the log and for the lock.
    ///   - interval: The time from one run to the next; at least a millisecond.
    ///   - lock: Decides which instance runs it, and when; nil for every instance.
    ///   - runsAtStart: Whether it also runs when the application starts; without effect with a lock.
    ///   - clock: Tells the time; by default, the event loop's. `TestClock` of `RoostTesting` is one for tests.
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    ///   - work: The work of one run.
    public init(
        _ name: String,
        every interval: Duration,
        lock: (any JobLock)? = nil,
        runsAtStart: Bool = false,
        clock: (any Clock<Duration>)? = nil,
        logger: Logger? = nil,
        _ work: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.interval = interval
        self.lock = lock
        self.runsAtStart = runsAtStart
        self.clock = clock ?? LoopClock()
        self.logger = logger ?? .current(or: "roost")
        self.work = work
    }

    /// Begins.
    /// - Throws: ``StartError/configuration(_:)`` for an interval of less than a millisecond.
    public func start() async throws {
        guard interval >= .milliseconds(1) else {
            throw StartError.configuration("The job \(name) runs every \(interval): let it be at least a millisecond.")
        }
        let task = Task(executorPreference: EventLoop.current) { [clock, lock] in
            if let lock { await self.takeTurns(lock, clock) } else { await self.runAlone(clock) }
        }
        self.task.withLock { $0 = task }
    }

    /// Cancels the run that is under way, and returns when it has ended.
    public func stop() async {
        let task = task.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    private func runAlone(_ clock: some Clock<Duration>) async {
        let start = clock.now
        var schedule = PeriodicSchedule(every: interval, runsAtStart: runsAtStart)
        while await sleep(until: start.advanced(by: schedule.due), clock) {
            await run()
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

    private func run() async {
        do {
            try await work()
        } catch {
            report(error)
        }
    }

    private func report(_ error: any Error, _ what: String = "failed") {
        guard !(Task.isCancelled && error is CancellationError) else { return }
        logger.error("The job \(name) \(what): \(LogText.escaped("\(error)"))")
    }

    // MARK: Taking turns with other instances

    private func takeTurns(_ lock: any JobLock, _ clock: some Clock<Duration>) async {
        var (wait, retry) = (Duration.zero, RetryDelay())
        while await sleep(until: clock.now.advanced(by: wait), clock) {
            do {
                let claim = try await lock.claim(name, every: interval)
                retry = RetryDelay()
                switch claim {
                case .granted(let lease):
                    await run(lease, lock, clock)
                    wait = .zero
                // A job that another instance has just begun may be due again before that one's lease ends.
                case .later(let time): wait = min(max(time, .milliseconds(1)), interval)
                }
            } catch {
                report(error, "cannot be claimed")
                wait = min(retry.next(), interval)
            }
        }
    }

    /// Runs the job, and meanwhile renews the claim to it; if that is lost, cancels the run.
    private func run(_ lease: JobLease, _ lock: any JobLock, _ clock: some Clock<Duration>) async {
        let run = Task(executorPreference: EventLoop.current) { await self.run() }
        let renewing = Task(executorPreference: EventLoop.current) { await self.renew(lease, lock, clock, for: run) }
        await withTaskCancellationHandler {
            await run.value
        } onCancel: {
            run.cancel()
        }
        renewing.cancel()
        await renewing.value
        await release(lease, lock, clock)
    }

    /// Gives a claim back, so that the job is not run again for the same time, nor the next instance has to wait for
    /// the lease to end: also when the application ends, but then it is tried only once.
    private func release(_ lease: JobLease, _ lock: any JobLock, _ clock: some Clock<Duration>) async {
        var retry = RetryDelay()
        repeat {
            do {
                return try await Task(executorPreference: EventLoop.current) { try await lock.release(lease) }.value
            } catch {
                report(error, "cannot give its claim back")
            }
        } while await sleep(until: clock.now.advanced(by: retry.next()), clock)
    }

    private func renew(
        _ lease: JobLease, _ lock: any JobLock, _ clock: some Clock<Duration>, for run: Task<Void, Never>
    ) async {
        while await sleep(until: clock.now.advanced(by: lock.lease / 3), clock) {
            do {
                guard try await !lock.renew(lease) else { continue }
                logger.error("The job \(name) took so long that another instance may run it: it is cancelled.")
                return run.cancel()
            } catch {
                report(error, "cannot renew its claim")
            }
        }
    }
}
