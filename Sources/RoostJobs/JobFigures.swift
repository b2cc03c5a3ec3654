import CoreMetrics
import Logging
import Roost
import Synchronization

/// The metrics of a queue, and what its health check knows.
final class JobFigures: Sendable {
    private let state = Mutex(State())
    private let factory: (any MetricsFactory)?

    private struct State {
        var ages = JobAges()
        /// The latest time at which a job of a queue ended here, or the queue was empty.
        var moved: [String: ContinuousClock.Instant] = [:]
        var purged: ContinuousClock.Instant?
        /// The warnings that have been logged about jobs that are left to others.
        var warnings: Set<String> = []
        var counters: [String: any CounterHandler] = [:]
        var timers: [String: any TimerHandler] = [:]
    }

    init() {
        let factory = MetricsSystem.factory
        self.factory = factory is NOOPMetricsHandler ? nil : factory
    }

    /// The time after which a queue whose jobs are due and do not end counts as one that does not move.
    private static let patience = Duration.minutes(5)

    /// Counts the end of a run.
    func count(_ job: ClaimedJob, _ end: JobEnd, _ duration: Duration) {
        state.withLock { state in
            state.moved[job.queue] = .now
            guard let factory else { return }
            let outcome = end.outcome
            let key = job.name + " " + outcome
            let labels = [("job_name", job.name), ("outcome", outcome)]
            let counter = state.counters[key] ?? factory.makeCounter(label: "roost_jobs_total", dimensions: labels)
            state.counters[key] = counter
            counter.increment(by: 1)
            let timer =
                state.timers[job.name]
                ?? factory.makeTimer(label: "roost_job_duration_seconds", dimensions: [("job_name", job.name)])
            state.timers[job.name] = timer
            timer.recordNanoseconds(duration.wholeNanoseconds)
        }
    }

    /// Sets the gauges.
    func report(_ running: [String: Int], to metrics: any MetricsFactory) {
        let ages = state.withLock { $0.ages }
        for (queue, count) in running {
            func set(_ name: String, _ value: Double) {
                metrics.makeMeter(label: name, dimensions: [("queue", queue)]).set(value)
            }
            set("roost_jobs_running", Double(count))
            set("roost_jobs_oldest_due_seconds", (ages.known[queue] ?? .zero) / .seconds(1))
            set("roost_jobs_unknown_due_seconds", (ages.unknown[queue] ?? .zero) / .seconds(1))
        }
    }

    /// Looks at the table: for how long jobs have been due, and whether some are of a type that is not known here.
    /// Once an hour, deletes what is of no use any more, and looks whether jobs wait in queues that are not taken here.
    func look(_ table: JobTable, _ taker: JobTaker, _ keepsDead: Duration, _ logger: Logger) async throws {
        let ages = try await table.ages(for: taker)
        state.withLock { state in
            state.ages = ages
            for queue in taker.queues
            where state.moved[queue] == nil || ages.known[queue, default: .zero] < Self.patience {
                state.moved[queue] = .now
            }
        }
        if [ages.known, ages.unknown].contains(where: { $0.values.contains { $0 > .minutes(1) } }) {
            warn(ofStrangers: try await table.strangers(for: taker), logger)
        }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard state.purged.map({ $0 + .hours(1) <= now }) ?? true else { return false }
            state.purged = now
            return true
        }
        guard isDue else { return }
        try await table.purge(keepsDead) { names in
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { $0.key < $1.key }
            let text = counts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            logger.warning("Dead jobs have been deleted, since their time (keepsDead) is over: \(text)")
        }
        for queue in try await table.strayed(from: taker) {
            warn("This program does not take from the queue \(queue), and leaves the jobs there to others.", logger)
        }
    }

    /// Names the due jobs, of any queue, that are not known here: for a test, in which no job waits for a minute.
    func tellStrangers(_ table: JobTable, _ taker: JobTaker, _ logger: Logger) async throws {
        warn(ofStrangers: try await table.strangers(for: taker, ofAll: true), logger)
    }

    private func warn(ofStrangers names: [String], _ logger: Logger) {
        for name in names {
            warn(
                "This program does not know the job \(name), and leaves it to programs that do. "
                    + "If there is none, add its type to those of Jobs(…), or discard it.", logger)
        }
    }

    /// Logs a sentence once.
    private func warn(_ text: String, _ logger: Logger) {
        if state.withLock({ $0.warnings.insert(text).inserted }) { logger.warning("\(text)") }
    }

    /// - Throws: `HealthFailure` when jobs of a queue are due that this program knows, and none has ended here for a
    ///   while.
    func check(at now: ContinuousClock.Instant = .now) throws {
        try state.withLock { state in
            for (queue, moved) in state.moved where moved + Self.patience < now {
                // While the table cannot be read, nobody knows.
                guard let age = state.ages.known[queue], age >= Self.patience else { continue }
                let minutes = Int(age / .seconds(60))
                throw HealthFailure("The queue \(queue) does not move: a job has been due for \(minutes) minutes.")
            }
        }
    }
}
