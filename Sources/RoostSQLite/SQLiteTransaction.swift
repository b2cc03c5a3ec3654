internal import RoostSQL
import Synchronization

/// A transaction that holds the writer's thread. The thread runs the transaction's jobs and nothing else, until the
/// end, or until no job has come for too long.
final class SQLiteTransaction: SQLDriverTransaction {
    private let queue: JobQueue
    private let limit: Duration
    /// Whether it may rebuild tables: foreign keys are then checked at its end instead of enforced.
    private let isMigration: Bool
    /// Whether a migration has run in it: only that can leave a row without the one that it refers to.
    private let hasMigrated = Atomic(false)
    /// Whether it was committed or rolled back by its task.
    private let hasEnded = Atomic(false)

    private init(_ configuration: SQLiteConfiguration, isMigration: Bool) {
        queue = JobQueue(limit: .max, now: configuration.now, isWatched: false)
        limit = configuration.transactionTimeout
        self.isMigration = isMigration
    }

    /// Begins a transaction; returns when it has the writer.
    static func begin(
        _ driver: SQLiteDriver, isMigration: Bool = false, deadline: ContinuousClock.Instant
    ) async throws -> SQLiteTransaction {
        let transaction = SQLiteTransaction(driver.configuration, isMigration: isMigration)
        let now = driver.configuration.now
        let serve: SQLiteJob.Sequel = { transaction.serve($0, now: now, note: $1) }
        return try await SQLiteWork(deadline: deadline, sequel: serve) { connection in
            try connection.execute(cached: "BEGIN IMMEDIATE")
            if isMigration { connection.enforceForeignKeys(false) }
            transaction.queue.open()
            return transaction
        }.run(driver.write)
    }

    // MARK: For the task

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let job = SQLiteWork(deadline: statement.deadline) { [state] in try $0.run(statement.sql, into: state, each) }
        let outcome: SQLOutcome
        (state, outcome) = try await job.run(put)
        return outcome
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        hasMigrated.store(true, ordering: .relaxed)
        try await SQLiteWork(deadline: deadline) { try $0.execute(script: script) }.run(put)
    }

    func run(savepoint command: String, deadline: ContinuousClock.Instant) async throws {
        try await SQLiteWork(deadline: deadline) { try $0.execute(command) }.run(isCancellable: false, put)
    }

    func commit(deadline: ContinuousClock.Instant) async throws {
        let needsCheck = isMigration && hasMigrated.load(ordering: .relaxed)
        try await SQLiteWork(deadline: deadline, isEnd: true) { connection in
            if needsCheck { try connection.checkForeignKeys() }
            // SQLite may ask whether to go on when the changes are on the disk already: nothing ends a commit.
            connection.limits.job = nil
            try connection.execute(cached: "COMMIT")
            try connection.noteCommit()
        }.run(isCancellable: false, put)
    }

    func rollBack() async {
        let job = SQLiteWork(deadline: .now + .seconds(86_400), isEnd: true) { connection in
            if !connection.isIdle { try connection.execute(cached: "ROLLBACK") }
        }
        try? await job.run(isCancellable: false, put)
    }

    private func put(_ job: SQLiteJob) -> DatabaseError? { queue.put(job).map { _ in isOver } }

    private var isOver: DatabaseError {
        hasEnded.load(ordering: .acquiring)
            ? .transactionHasEnded : .timeout("the transaction did nothing for \(limit) and was rolled back.")
    }

    // MARK: For the thread

    /// Runs the transaction's jobs, on the writer's thread.
    /// - Parameter note: Gets the errors.
    fileprivate func serve(
        _ connection: SQLiteConnection, now: @Sendable () -> ContinuousClock.Instant, note: (any Error) -> Void
    ) {
        // The error after which SQLite has rolled back.
        var end: (any Error)?
        while let job = queue.next(within: limit) {
            guard job.begin(at: now()) else { continue }
            // SQLite may have rolled back by itself; jobs queued after that must not run outside the transaction.
            if !job.isEnd, connection.isIdle {
                job.fail(end ?? DatabaseError.unavailable("the transaction has been rolled back."))
                continue
            }
            connection.limits.job = job
            do {
                try job.perform(connection)
                connection.limits.job = nil
                if job.isEnd {
                    hasEnded.store(true, ordering: .releasing)
                    queue.close()
                }
                job.deliver()
            } catch {
                connection.limits.job = nil
                note(error)
                if connection.isIdle { end = end ?? error }
                job.fail(error)
            }
        }
        queue.close()
        if !connection.isIdle { try? connection.execute(cached: "ROLLBACK") }
        if isMigration { connection.enforceForeignKeys(true) }
        if hasMigrated.load(ordering: .relaxed) { connection.isSpent = true }
        while let job = queue.next() { job.refuse(isOver) }
    }
}
