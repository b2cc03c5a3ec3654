public import CoreMetrics
public import FoundationEssentials
public import Logging
public import Roost
public import RoostSQL
import Synchronization

/// A queue of jobs in the application's database, run by all instances that share it.
///
///     let jobs = Jobs(database, [SendReminder.self, Cleanup.self], queues: ["default": 10, "mail": 4],
///         schedules: [JobSchedule("0 3 * * *", Cleanup())], services: [mailer])
///     let app = try Application(services: [database, migrator, mailer, jobs]) { routes in … }
///     try await jobs.add(SendReminder(booking: 3), after: .hours(24))
///
/// A job that is added in a transaction exists if and only if the transaction's data does. List the service after those
/// that its jobs use, and ``migrations`` among those of the program. `TestClient.runJobs()` runs jobs in a test, where
/// nothing runs by itself, and `withClock` sets the clock; otherwise the time is the database's own.
public final class Jobs: BackgroundService, HealthReporting, MetricsReporting {
    /// The database of the queue.
    package let database: Database
    let table: JobTable
    let kinds: [String: JobKind]
    let services: [any Sendable]
    let logger: Logger
    let time = TimeSource.current
    let types: [JobKind]
    package let queues: [String: Int]
    let schedules: [JobSchedule]
    private let lease, drainTime, keepsDead: Duration
    private let figures: JobFigures
    private let running = Mutex<Running?>(nil)
    private let lastAdvance = Mutex<Duration?>(nil)
    private let starts = JobStarts.current
    /// The loop on which jobs run by hand.
    private let home = Mutex<EventLoop?>(nil)

    private struct Running {
        let worker: JobWorker
        let loops: EventLoopGroup
        let work: Task<Void, Never>
        /// The watch, the schedules and the figures.
        let others: [Task<Void, Never>]
    }

    /// Creates a queue.
    /// - Parameters:
    ///   - types: The types of the jobs that this program runs. It leaves others to other programs.
    ///   - queues: The queues that it takes jobs from, each with the most that run at once in this process.
    ///   - schedules: The jobs that are added at certain times.
    ///   - services: The services that ``JobContext/service(_:)`` finds.
    ///   - lease: The time after which other instances take over the jobs of one that was killed; at least three
    ///     seconds, and the same for all instances.
    ///   - drainTime: The time from SIGTERM on in which running jobs may end before they are given back.
    ///   - keepsDead: The time for which dead jobs are kept with their errors.
    public init(
        _ database: Database, _ types: [any Job.Type], queues: [String: Int] = ["default": 10],
        schedules: [JobSchedule] = [], services: [any Sendable] = [], lease: Duration = .seconds(30),
        drainTime: Duration = .seconds(30), keepsDead: Duration = .hours(7 * 24),
        logger: Logger? = nil
    ) {
        self.database = database
        table = JobTable(database, testTime: Self.testTime)
        self.types = types.map { JobKind($0) }
        kinds = Dictionary(self.types.map { ($0.name, $0) }) { first, _ in first }
        self.queues = queues
        (self.schedules, self.services) = (schedules, services)
        self.lease = max(lease, .seconds(3))
        (self.drainTime, self.keepsDead) = (drainTime, keepsDead)
        self.logger = logger ?? .current(or: "roost.jobs")
        figures = JobFigures()
    }

    /// The time since 1970 by the clock of a test (`withClock`); nil for the database's own.
    private static var testTime: (@Sendable () -> Duration)? {
        let source = TimeSource.current
        return source.clock == nil ? nil : source.sinceEpoch
    }

    /// The migrations that make the tables, for the program's own list:
    ///
    ///     Migrator(database, [Migration("users", sql: …)] + Jobs.migrations)
    public static var migrations: [Migration] {
        [Migration("queued_jobs", sqlite: JobTable.schema(.sqlite), postgresql: JobTable.schema(.postgresql))]
    }

    /// The service of a type that its jobs use.
    package func service<Service>(_ type: Service.Type) throws -> Service {
        for service in services { if let service = service as? Service { return service } }
        throw MissingService(description: "No \(type) is among the services of Jobs(…, services:).")
    }

    // MARK: Adding

    /// Adds a job; returns its number, or nil if a job with the same key was added within the key's time.
    /// - Parameters:
    ///   - date: The time at which it is due; by default, at once.
    ///   - delay: The time from now after which it is due.
    ///   - priority: The rank, if not that of the job's type.
    ///   - unique: The key, if not the job's own.
    ///   - transaction: A transaction on the same database: the job exists if it is committed.
    /// - Throws: ``DatabaseError``, an error of the job's encoding.
    @discardableResult
    public func add<Kind: Job>(
        _ job: Kind, at date: Date? = nil, after delay: Duration = .zero, priority: JobPriority? = nil,
        unique: JobKey? = nil, in transaction: Transaction? = nil
    ) async throws -> Int? {
        let new = try Self.new(job, date, delay, priority)
        guard let key = unique ?? job.unique else { return try await add([new], transaction).first }
        guard let transaction else {
            return try await database.transaction { try await add(new, key, $0) }
        }
        return try await add(new, key, transaction)
    }

    /// Adds many jobs of one type, a few hundred or a mebibyte per statement; returns their numbers. Their keys are
    /// ignored.
    /// - Throws: ``DatabaseError``, an error of a job's encoding. Without a transaction, some jobs may have been added.
    @discardableResult
    public func add<Kind: Job>(
        contentsOf list: [Kind], at date: Date? = nil, after delay: Duration = .zero, priority: JobPriority? = nil,
        in transaction: Transaction? = nil
    ) async throws -> [Int] {
        var ids: [Int] = []
        var part: [JobTable.New] = []
        var size = 0
        for job in list {
            let new = try Self.new(job, date, delay, priority)
            size += new.payload.utf8.count
            if part.count == 200 || size > 1 << 20, !part.isEmpty {
                ids += try await add(part, transaction)
                (part, size) = ([], new.payload.utf8.count)
            }
            part.append(new)
        }
        if !part.isEmpty { ids += try await add(part, transaction) }
        return ids
    }

    private func add(_ new: JobTable.New, _ key: JobKey, _ transaction: Transaction) async throws -> Int? {
        let isFree = try await table.take("\(new.name) \(key.text)", for: key.duration, transaction)
        return isFree ? try await add([new], transaction).first : nil
    }

    private func add(_ list: [JobTable.New], _ transaction: Transaction?) async throws -> [Int] {
        if EventLoop.current != nil, !starts.areSettled.exchange(true, ordering: .relaxed) {
            logger.warning(
                """
                A job is added, but no Jobs have started in this process, so it may wait for ever: list them among \
                the services of the application.
                """)
        }
        let ids = try await table.add(list, transaction)
        if let timeline = Timelines.current { for new in list { timeline.note(.job, new.name) } }
        if let transaction { transaction.afterCommit { [self] in wake() } } else { wake() }
        return ids
    }

    static func new<Kind: Job>(
        _ job: Kind, _ date: Date? = nil, _ delay: Duration = .zero, _ priority: JobPriority? = nil
    ) throws -> JobTable.New {
        let payload = String(decoding: try JSONCoder.stored.encode(job), as: UTF8.self)
        return JobTable.New(
            name: Kind.name, queue: Kind.queue, payload: payload, priority: priority ?? Kind.priority,
            due: date.map { .at(time(of: $0)) } ?? .after(delay))
    }

    /// The time since 1970, within the years that databases can have.
    private static func time(of date: Date) -> Duration {
        let seconds = date.timeIntervalSince1970
        return .milliseconds(Int(max(-1e11, min(seconds.isNaN ? 0 : seconds, 1e12)) * 1000))
    }

    /// This process's worker looks at the table.
    private func wake() { running.withLock { $0?.worker }?.wake() }

    // MARK: Service

    /// Begins to run jobs.
    /// - Throws: `StartError.configuration` for a mistake in the types, the queues or the schedules.
    public func start() async throws {
        try checkStart()
        starts.areSettled.store(true, ordering: .relaxed)
        // A program without types of its own only adds jobs.
        guard let home = EventLoop.current, !kinds.isEmpty else { return }
        let pool = BlockingPool(maximumThreads: 8, maximumQueue: 1000)
        let loops = try EventLoopGroup(count: 1, pool: pool, name: "roost-jobs")
        let worker = JobWorker(self, queues: queues, lease: lease)
        let work = Task(executorPreference: home) { await worker.work(on: loops.loops[0]) }
        let others = [
            Task(executorPreference: home) { await JobWatch(worker).watch(on: home) },
            Task(executorPreference: home) { await worker.keepTime(on: home) },
            Task(executorPreference: home) { await worker.keepFigures(on: home) },
        ]
        running.withLock { $0 = Running(worker: worker, loops: loops, work: work, others: others) }
    }

    /// Gets ready without running anything.
    package func startByHand() async throws {
        try checkStart()
        starts.areSettled.store(true, ordering: .relaxed)
        home.withLock { $0 = EventLoop.current }
        _ = try await JobSchedule.advance(schedules, table, after: nil, logger)
    }

    /// Takes nothing more.
    package func serverDrains() {
        running.withLock { $0?.worker }?.drain(until: .now + drainTime)
    }

    /// Waits for running jobs, gives back those that do not end in time, and returns; earlier if the database hangs.
    public func stop() async {
        home.withLock { $0 = nil }
        guard let running = running.withLock({ $0.take() }) else { return }
        for task in running.others { task.cancel() }
        running.worker.drain(until: .now + drainTime)
        await running.worker.stop(running.work)
        // A job that blocks might keep its thread.
        running.loops.abandon()
    }

    // MARK: By hand

    /// Runs what is due, one after the other, until nothing is.
    /// - Throws: ``JobsFailed`` if a job has failed, after all have run.
    package func runDue() async throws -> Int {
        let task = Task(executorPreference: home.withLock { $0 }) { try await self.runAllDue() }
        return try await withTaskCancellationHandler(operation: { try await task.value }, onCancel: { task.cancel() })
    }

    private func runAllDue() async throws -> Int {
        let worker = JobWorker(self, queues: queues, lease: lease)
        var (count, failures) = (0, [String]())
        while !kinds.isEmpty {
            try Task.checkCancellation()
            _ = try await advance()
            try await look(worker.taker)
            let claimed = try await table.exchange([], for: worker.taker, rooms: queues.map { _ in 1 })
            if claimed.isEmpty { break }
            for job in claimed {
                guard let kind = kinds[job.name] else { continue }
                let end = await kind.run(job, of: worker.taker.holder, self, logger)
                if case .done = end {
                    _ = try await table.exchange([job.id], for: worker.taker, rooms: queues.map { _ in 0 })
                } else {
                    try await table.settle([(job.id, end)], worker.taker.holder)
                }
                count += 1
                if let text = end.error { failures.append("\(job.name) \(job.id): \(text)") }
            }
        }
        try await figures.tellStrangers(table, worker.taker, logger)
        guard failures.isEmpty else { throw JobsFailed(failures: failures) }
        return count
    }

    // MARK: For the worker

    /// Adds the jobs of schedules that are due; returns the time until one is due next.
    func advance() async throws -> Duration {
        let last = lastAdvance.withLock { $0 }
        defer { if !schedules.isEmpty { wake() } }
        let (next, now) = try await JobSchedule.advance(schedules, table, after: last, logger)
        lastAdvance.withLock { $0 = now }
        return next
    }

    /// Looks after figures and after what is of no use any more.
    func look(_ taker: JobTaker) async throws { try await figures.look(table, taker, keepsDead, logger) }

    /// Logs and counts the end of a run.
    func report(_ job: ClaimedJob, _ end: JobEnd, _ duration: Duration) {
        figures.count(job, end, duration)
        let name = "The job \(job.name) \(job.id)"
        switch end {
        case .done, .givenBack: break
        case .retry(let delay, let text):
            logger.warning("\(name) has failed, and is tried again in \(delay.wholeMilliseconds) ms: \(text)")
        case .dead(let text): logger.error("\(name) is dead, tried \(kinds[job.name]?.tries(job) ?? ""): \(text)")
        }
    }

    // MARK: Figures

    /// Reports the age of the oldest due job and the number of running jobs, by queue.
    public func reportMetrics(to metrics: any MetricsFactory) {
        figures.report(running.withLock { $0?.worker.running } ?? [:], to: metrics)
    }

    /// Whether the queues move: the check `jobs` of `/health/ready`, a warning only.
    public var healthChecks: [HealthCheck] { [HealthCheck("jobs", isWarning: true) { try self.figures.check() }] }
}

/// The record of a process that its `Jobs` have started.
final class JobStarts: Sendable {
    /// Those of the process, unless a test gives its `Jobs` others.
    @TaskLocal static var current = JobStarts()
    /// Whether any `Jobs` have started, or a warning has said that none have.
    let areSettled = Atomic(false)
}
