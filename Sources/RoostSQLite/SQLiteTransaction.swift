import Roost
internal import RoostSQL
import Synchronization

/// A transaction that holds the writer's thread. The thread runs the transaction's jobs and nothing else, until the
/// end, or until no job has come for too long.
final class SQLiteTransaction: SQLDriverTransaction {
    private let state = Mutex(State())
    private let semaphore = CountingSemaphore()
    private let limit: Duration
    /// Whether it may rebuild tables: foreign keys are then checked at its end instead of enforced.
    private let isMigration: Bool

    private struct State {
        var jobs: [SQLiteJob] = []
        var isOver = false
    }

    private init(limit: Duration, isMigration: Bool) {
        self.limit = limit
        self.isMigration = isMigration
    }

    /// Begins a transaction; returns when it has the writer.
    static func begin(
        _ driver: SQLiteDriver, isMigration: Bool = false, deadline: ContinuousClock.Instant
    ) async throws -> SQLiteTransaction {
        let limit = driver.configuration.transactionTimeout
        let transaction = SQLiteTransaction(limit: limit, isMigration: isMigration)
        let now = driver.configuration.now
        return try await SQLiteWork(deadline: deadline, sequel: { transaction.serve($0, now: now) }) { connection in
            try connection.execute(cached: "BEGIN IMMEDIATE")
            if isMigration { connection.enforceForeignKeys(false) }
            return transaction
        }.run(driver.write)
    }

    // MARK: For the task

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<State> {
        try await SQLiteWork(deadline: statement.deadline) { connection in
            var state = state
            let changes = try connection.run(statement.sql, into: &state, each)
            return SQLOutcome(state: state, changes: changes)
        }.run(put)
    }

    func run(script: String, deadline: ContinuousClock.Instant) async throws {
        try await SQLiteWork(deadline: deadline) { try $0.execute(script: script) }.run(put)
    }

    func run(savepoint command: String, deadline: ContinuousClock.Instant) async throws {
        try await SQLiteWork(deadline: deadline) { try $0.execute(command) }.run(isCancellable: false, put)
    }

    func commit(deadline: ContinuousClock.Instant) async throws {
        try await SQLiteWork(deadline: deadline, isEnd: true) { [isMigration] connection in
            if isMigration { try connection.checkForeignKeys() }
            try connection.execute(cached: "COMMIT")
            try connection.hasCommitted()
        }.run(isCancellable: false, put)
    }

    func rollBack() async {
        let job = SQLiteWork(deadline: .now + .seconds(86_400), isEnd: true) { connection in
            if !connection.isIdle { try connection.execute(cached: "ROLLBACK") }
        }
        try? await job.run(isCancellable: false, put)
    }

    private func put(_ job: SQLiteJob) -> DatabaseError? {
        let isTaken = state.withLock { state in
            if !state.isOver { state.jobs.append(job) }
            return !state.isOver
        }
        guard isTaken else { return .timeout("the transaction did nothing for \(limit) and was rolled back.") }
        semaphore.post()
        return nil
    }

    // MARK: For the thread

    /// Runs the transaction's jobs, on the writer's thread.
    fileprivate func serve(_ connection: SQLiteConnection, now: @Sendable () -> ContinuousClock.Instant) {
        defer { close(connection) }
        while semaphore.wait(atMost: limit) {
            guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else { continue }
            guard job.begin(at: now()) else { continue }
            // SQLite may have rolled back by itself; jobs queued after that must not run outside the transaction.
            if !job.isEnd, connection.isIdle {
                job.fail(DatabaseError.unavailable("the transaction has been rolled back."))
                continue
            }
            connection.limits.job = job
            do {
                try job.perform(connection)
                connection.limits.job = nil
                if job.isEnd { shut() }
                job.deliver()
            } catch {
                connection.limits.job = nil
                job.fail(error)
            }
            if state.withLock({ $0.isOver }) { return }
        }
    }

    private func shut() { state.withLock { $0.isOver = true } }

    private func close(_ connection: SQLiteConnection) {
        let rest = state.withLock { state in
            state.isOver = true
            defer { state.jobs = [] }
            return state.jobs
        }
        if !connection.isIdle { try? connection.execute(cached: "ROLLBACK") }
        if isMigration { connection.enforceForeignKeys(true) }
        for job in rest { job.refuse(.timeout("the transaction did nothing for \(limit) and was rolled back.")) }
    }
}
