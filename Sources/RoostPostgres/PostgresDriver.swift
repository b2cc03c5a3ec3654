public import Logging
public import Roost
public import RoostSQL
import Synchronization

/// The PostgreSQL driver of a `Database`, through libpq. It waits on the event loops and never blocks them.
///
///     let driver = try PostgresDriver("postgres://ada:secret@db.example.org/site?sslmode=verify-full")
///     let database = Database(driver)
///
/// A statement has a connection of the pool to itself, unless it reads and there are more callers than connections. Its
/// caller waits for the socket on the caller's own event loop, so a statement never changes threads. `start()` succeeds
/// without a server; statements then throw ``DatabaseError/unavailable(_:)`` until there is one. If a server refuses
/// the program, for instance because of a wrong password, `start()` throws.
///
/// A statement outside a transaction is a transaction by itself, and is committed before its rows are decoded. So for
/// an `INSERT … RETURNING`, `Database` begins a transaction, which is undone if a row cannot be decoded. No statement
/// is ever sent twice, unless the server has refused it and a table may have changed since it was prepared.
public final class PostgresDriver: SQLDriver {
    let parameters: ConnectionParameters
    /// The parameters of the connections over which notifications come: those of the server itself.
    let listening: ConnectionParameters
    let configuration: PostgresConfiguration
    let logger: Logger
    private let canceller: Canceller
    let warning: PasswordWarning
    private let reaper = Mutex<Task<Void, Never>?>(nil)
    let pool: ConnectionPool<PostgresConnection>
    /// The streams that may be open. Each holds a connection for as long as its reader likes, so they may not take them
    /// all.
    private let streams: Places

    /// The connections of the pool, and the callers that wait for them.
    public var use: SQLUse? { pool.use }

    /// Creates a driver, which has no connections yet.
    /// - Parameter url: `postgres://user:password@host:port/database?…` with any of libpq's parameters (PostgreSQL,
    ///   34.1.2); it may name several hosts. Missing parts come from the environment (`PGHOST`, …), as with `psql`.
    /// - Throws: `StartError.configuration` for a text that is not such a URL. It does not show the text.
    public init(
        _ url: String,
        configuration: PostgresConfiguration = PostgresConfiguration(),
        logger: Logger? = nil
    ) throws(StartError) {
        let parameters = try ConnectionParameters(url, applicationName: configuration.applicationName)
        listening =
            try configuration.directURL.map { url throws(StartError) in
                try ConnectionParameters(url, applicationName: configuration.applicationName)
            } ?? parameters
        let logger = logger ?? .current(or: "roost.postgres")
        let canceller = Canceller()
        let warning = PasswordWarning()
        self.parameters = parameters
        self.configuration = configuration
        streams = Places(min(configuration.maximumStreams, max(1, configuration.maximumConnections - 1)))
        self.logger = logger
        self.canceller = canceller
        self.warning = warning
        pool = ConnectionPool(ConnectionPool.Limits(configuration), logger: logger) {
            let connection = try await PostgresConnection.open(parameters, configuration, logger, warning)
            connection.canceller = canceller
            return connection
        } recover: {
            await $0.recover(canceller)
        }
    }

    /// The SQL dialect of PostgreSQL.
    public var dialect: SQLDialect { .postgresql }

    // MARK: Statements

    /// Runs a statement on a free connection; see `SQLRunner`.
    public func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let takesEffect = statement.sql.takesEffect
        if !takesEffect, let loop = EventLoop.ofTask {
            if let outcome = try await read(statement, on: loop, into: &state, each) { return outcome }
        }
        let entry = try await pool.take(until: statement.deadline)
        defer { pool.giveBack(entry) }
        let connection = entry.connection
        guard takesEffect else { return try await connection.run(statement, into: &state, each) }
        try Task.checkCancellation()
        let outcome: SQLOutcome
        (state, outcome) = try await toTheEnd { [state] in
            var state = state
            let outcome = try await connection.run(statement, into: &state, each)
            return (state, outcome)
        }
        return outcome
    }

    /// Runs a statement that changes nothing. One that is new, or took long the last time, has a connection to itself.
    /// Any other is sent so that others may follow it, and, if there are more callers than connections, behind theirs.
    /// - Returns: Nil if it has not been run, and must be run alone: the server refuses what it has prepared, or the
    ///   connection has broken.
    private func read<State: Sendable>(
        _ statement: SQLStatement,
        on loop: EventLoop,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome? {
        let sharing = PoolState<PostgresConnection>.Sharing(loop: loop) { $0.mayFollow(statement) }
        let entry = try await pool.take(until: statement.deadline, sharing: sharing)
        let connection = entry.connection
        if !entry.isShared {
            guard connection.isQuick(statement.sql.text) else {
                defer { pool.giveBack(entry) }
                return try await connection.run(statement, into: &state, each)
            }
            pool.share(entry, on: loop)
        }
        defer { pool.leave(entry) }
        do {
            return try await connection.read(statement, on: loop, into: &state, each)
        } catch let error as DatabaseError where error.mayBeStale(statement.sql) {
            connection.statements.retire(statement.sql.text)
            if error.isStalePlan { connection.isCacheInDoubt = true }
            return nil
        }
    }

    /// Begins a transaction, which keeps a connection until it ends.
    public func begin(
        _ isolation: SQLIsolation,
        deadline: ContinuousClock.Instant
    ) async throws -> any SQLDriverTransaction {
        try await begin(isolation, on: pool.take(until: deadline), deadline)
    }

    private func begin(
        _ isolation: SQLIsolation, on entry: PoolEntry<PostgresConnection>, _ deadline: ContinuousClock.Instant
    ) async throws -> any SQLDriverTransaction {
        let lease = ConnectionLease(entry, pool)
        try await lease.run { _ = try await $0.run(isolation.statement, until: deadline) }
        return PostgresTransaction(lease)
    }

    /// Sends all statements in one transaction, in libpq's pipeline mode.
    public func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws {
        let entry = try await pool.take(until: deadline)
        defer { pool.giveBack(entry) }
        let connection = entry.connection
        try Task.checkCancellation()
        try await toTheEnd {
            try await connection.batch(statements, until: deadline)
        }
    }

    /// Declares a cursor in a transaction, which keeps a connection until it is closed. Only a statement that reads can
    /// have one.
    public func open(_ statement: SQLStatement) async throws -> any SQLCursor {
        guard let place = streams.take() else {
            throw DatabaseError.unavailable("\(streams.limit) streams are open.")
        }
        let lease = ConnectionLease(try await pool.take(until: statement.deadline), pool)
        try await lease.run { try await $0.declareCursor(statement) }
        return PostgresCursor(lease, place)
    }

    // MARK: Service

    /// Opens the first connection, if there is a server, and warns of a database whose encoding lacks characters.
    /// - Throws: `StartError.configuration` when the server refuses it in a way that waiting does not fix.
    public func start() async throws {
        pool.reopen()
        do {
            let entry = try await pool.take(until: .now + configuration.waitTimeout)
            if let encoding = entry.connection.limitedEncoding {
                logger.warning(
                    """
                    The database keeps texts as \(encoding), so it refuses letters that this lacks: move to one that \
                    was made with ENCODING 'UTF8'.
                    """
                )
            }
            pool.giveBack(entry)
        } catch DatabaseError.misconfigured(let text) {
            await pool.close()
            throw StartError.configuration(text)
        } catch is DatabaseError {
            // The pool has logged it.
        }
        let task = Task(executorPreference: EventLoop.current) { [pool] in
            while (try? await pool.timing.sleep(.seconds(30))) != nil { pool.reap() }
        }
        reaper.withLock { $0 = task }
    }

    /// Closes all connections.
    public func stop() async {
        reaper.withLock { $0.take() }?.cancel()
        await pool.close()
    }
}

extension PostgresDriver: PatientDriver {
    /// Begins a transaction, whose wait for a connection only the deadline ends.
    package func beginPatiently(deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await begin(.standard, on: pool.take(until: deadline, isPatient: true), deadline)
    }
}

extension ConnectionPool.Limits {
    init(_ configuration: PostgresConfiguration) {
        self.init(
            connections: max(1, min(configuration.maximumConnections, 1 << 20)),
            waiting: max(1, configuration.maximumQueue),
            waitTimeout: configuration.waitTimeout,
            lifetime: configuration.maximumLifetime,
            idleTimeout: configuration.idleTimeout
        )
    }
}

extension SQLIsolation {
    /// The statement that begins a transaction with this isolation.
    fileprivate var statement: String {
        switch self {
        case .standard: "BEGIN"
        case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
        case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        }
    }
}
