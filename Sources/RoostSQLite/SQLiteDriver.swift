public import Logging
import Roost
public import RoostSQL

// The threads: one writes, some read, and each open stream has its own. Tasks put jobs into queues and resume on the
// loop where they were; only a short query that waits for nothing runs on the loop itself. The README beside this file
// explains the design.

/// The SQLite driver of a ``Database``.
///
///     let database = Database(SQLiteDriver(SQLiteConfiguration(path: "site.sqlite")))
///
/// The file is in WAL mode, so readers and the writer never wait for each other. By default, a write is acknowledged
/// once it would survive a power failure. If the file can no longer be opened or written, statements throw an error
/// that becomes a 503, and the next ones try again.
public final class SQLiteDriver: SQLDriver {
    /// The settings of the database.
    let configuration: SQLiteConfiguration
    /// The SQL dialect of SQLite.
    public var dialect: SQLDialect { .sqlite }

    let file: SQLiteFile
    private let readQueue: JobQueue
    private let writeQueue: JobQueue

    /// The statements that wait for a thread.
    public var use: SQLUse? {
        SQLUse(waiting: readQueue.waitingCount + writeQueue.waitingCount)
    }

    let lanes: StreamLanes
    private let loopReaders: LoopReaders
    let logger: Logger

    /// Creates a driver; it opens nothing until ``start()``.
    public init(_ configuration: SQLiteConfiguration, logger: Logger? = nil) {
        self.configuration = configuration
        self.logger = logger ?? .current(or: "roost.sqlite")
        file = SQLiteFile(configuration)
        readQueue = JobQueue(limit: configuration.maximumQueue, now: configuration.now)
        writeQueue = JobQueue(limit: configuration.maximumQueue, now: configuration.now)
        lanes = StreamLanes(file, writer: writeQueue)
        loopReaders = LoopReaders(file, readQueue)
    }

    /// A driver that was never stopped leaves no threads running.
    deinit {
        for queue in lanes.close() + [readQueue, writeQueue] { queue.abandon() }
    }

    // MARK: Service

    /// Starts the threads and opens the file, which is created if it is missing. If it cannot be opened for a reason
    /// that may pass, this is logged, and each statement tries again. A file that can only be read is logged, too.
    /// - Throws: `StartError.configuration` for a mistake that waiting does not fix: no folder, no permission, or a
    ///   file that is not a database. Also an error when the system refuses to start a thread.
    public func start() async throws {
        // There is only one writer, even if several that share the database start it.
        guard !writeQueue.hasThreads else { return }
        guard !SQLiteRestore.wasInterrupted(configuration.path) else {
            throw StartError.configuration(
                "A restore of the SQLite file \(configuration.path) was interrupted: run the command restore again.")
        }
        if configuration.access == .creating { makeFolder() }
        writeQueue.open()
        readQueue.open()
        lanes.open()
        try JobThread.start(file, writeQueue)
        if !configuration.isInMemory {
            for _ in 0..<max(1, configuration.readers) {
                try JobThread.start(file, readQueue, writer: writeQueue)
            }
        }
        do {
            try await SQLiteWork(deadline: configuration.now() + .seconds(60)) { _ in }.run(write)
            if configuration.access != .reading, let path, let mistake = OpeningMistake.ofWriting(path) {
                logger.error("\(mistake)")
            }
        } catch {
            if let error = error as? DatabaseError, let mistake = await mistake(error) {
                await stop()
                throw mistake
            }
            logger.error("\(error)")
        }
    }

    /// The mistake that must be fixed before the file can be used at all.
    private func mistake(_ error: DatabaseError) async -> StartError? {
        guard let mistake = OpeningMistake.find(error, configuration.path) else { return nil }
        // A file that can only be read is still useful, if reading works.
        let read = SQLiteWork(deadline: configuration.now() + .seconds(60)) { _ in }
        if case .readOnly = error, (try? await read.run(self.read)) != nil { return nil }
        return mistake
    }

    /// Finishes the queued statements, writes the write-ahead log into the file, and closes it.
    public func stop() async {
        let lanes = lanes.close()
        readQueue.close()
        loopReaders.close()
        for queue in lanes + [readQueue] { await queue.end() }
        // Last, because the write-ahead log can be emptied only when nobody reads from it.
        await writeQueue.end()
    }

    // MARK: Statements

    /// Runs a short query on the event loop that the caller is on (`LoopReader`).
    public func runWithoutWaiting<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) throws -> SQLOutcome? {
        guard statement.isQuery, StatementKind(statement.sql.text, in: .sqlite) == .query else { return nil }
        guard let reader = loopReaders.reader else { return nil }
        let initial = state
        if try reader.run(statement.sql, into: &state, each) { return SQLOutcome(changes: 0) }
        if reader.needsOpening() { loopReaders.openSoon(reader) }
        state = initial
        return nil
    }

    /// Runs a query on a reader, everything else on the writer. A query that SQLite finds to change something is passed
    /// on to the writer (``WriterNeeded``), so it may be grouped there, too.
    public func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let kind = StatementKind(statement.sql.text, in: .sqlite)
        let isQuery = statement.isQuery && kind == .query
        let isGrouped = kind == .change || kind == .definition || kind == .query && !configuration.isInMemory
        let job = SQLiteWork(deadline: statement.deadline, isGrouped: isGrouped) { [state] in
            try $0.run(statement.sql, into: state, each)
        }
        let outcome: SQLOutcome
        (state, outcome) = try await job.run(isQuery ? read : write)
        return outcome
    }

    /// Begins a transaction, which has the writer to itself. SQLite's transactions are always serializable.
    public func begin(
        _ isolation: SQLIsolation,
        deadline: ContinuousClock.Instant
    ) async throws -> any SQLDriverTransaction {
        try await SQLiteTransaction.begin(self, deadline: deadline)
    }

    /// Begins a transaction that may rebuild tables, in the way that SQLite describes
    /// (https://sqlite.org/lang_altertable.html#otheralter): foreign keys are not enforced in it. If a migration has
    /// run in it, every foreign key must refer to an existing row at the end.
    public func beginMigration(deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await SQLiteTransaction.begin(self, isMigration: true, deadline: deadline)
    }

    /// Runs statements in one transaction.
    public func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        try await SQLiteWork(deadline: deadline, isGrouped: true) { connection in
            for sql in statements { _ = try connection.run(sql, into: ()) { _, _ in true } }
        }.run(write)
    }

    /// Begins to read a result in portions, on its own thread.
    public func open(_ statement: SQLStatement) async throws -> any SQLCursor {
        try await SQLiteCursor(statement, on: lanes)
    }

    // MARK: Queues

    func write(_ job: SQLiteJob) -> DatabaseError? { writeQueue.put(job) }

    private func read(_ job: SQLiteJob) -> DatabaseError? {
        configuration.isInMemory ? writeQueue.put(job) : readQueue.put(job)
    }
}
