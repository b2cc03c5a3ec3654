import CoreMetrics
public import Logging
public import Roost
public import Synchronization

/// A database, whose connections all statements share.
///
///     let database = Database(SQLiteDriver("users.sqlite"))
///     let app = try Application(services: [database]) { routes in … }
///     let user = try await database.first("SELECT id, name FROM users WHERE id = \(id)", as: User.self)
///
/// Register it as a service of the application: its connections then open before the server listens, and close after
/// the drain.
public struct Database: SQLExecutor, HealthReporting {
    /// The driver of the database's engine.
    public let driver: any SQLDriver
    /// The database's name in the metrics: their label `database`.
    let name: String
    private(set) var statements: StatementRunner
    private let gauges = DatabaseGauges()
    /// The driver, if it can run short queries in place.
    private let immediate: (any SQLImmediateDriver)?
    /// The driver, if it can send queries of many tasks together.
    private let gathering: (any SQLGatheringDriver)?

    /// Creates a database that uses a driver.
    /// - Parameters:
    ///   - name: Tells several databases of a program apart in the metrics: their label `database`.
    ///   - logger: Gets each statement with its duration at level `debug`, slow ones as warnings; never their values.
    ///   - now: The clock of deadlines and of the log.
    public init(
        _ driver: any SQLDriver,
        name: String = "main",
        configuration: DatabaseConfiguration = DatabaseConfiguration(),
        logger: Logger? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.driver = driver
        self.name = name
        immediate = driver as? any SQLImmediateDriver
        gathering = driver as? any SQLGatheringDriver
        statements = StatementRunner(
            runner: driver,
            configuration: configuration,
            logger: logger ?? .current(or: "roost.sql"),
            now: now,
            timer: StatementRunner.timer(driver.dialect, name)
        )
    }

    /// The settings that are the same for every engine.
    public var configuration: DatabaseConfiguration { statements.configuration }

    /// The SQL dialect of the engine.
    public var dialect: SQLDialect { driver.dialect }

    /// The same database with another time limit for its statements.
    ///
    ///     try await database.with(timeout: .seconds(1)).ping()
    public func with(timeout: Duration) -> Database {
        var database = self
        database.statements.configuration.timeout = timeout
        return database
    }

    // MARK: Statements

    /// Runs a query and returns all its rows, at most ``DatabaseConfiguration/maximumRows``.
    ///
    /// If a row cannot be decoded, its statement is undone: nothing is left of an `INSERT … RETURNING`. The exception
    /// is a change made by a function that a `SELECT` calls: PostgreSQL keeps it.
    @inlinable
    public func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        var rows: [Row] = []
        let limit = configuration.maximumRows
        let isDone = try runWithoutWaiting(sql) { columns in
            guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
            rows.append(try columns.decode(type))
            return true
        }
        if isDone { return rows }
        let found = Gathered([Row]())
        let isGathered = try await gather(sql) { columns in
            let row = try columns.decode(type)
            try found.value.withLock { rows in
                guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
                rows.append(row)
            }
            return true
        }
        return isGathered ? found.value.withLock { $0 } : try await queryWithWaiting(sql, as: type)
    }

    /// The same for rows that read themselves.
    @inlinable
    public func query<Row: SQLReadable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        var rows: [Row] = []
        let limit = configuration.maximumRows
        let isDone = try runWithoutWaiting(sql) { columns in
            guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
            if rows.isEmpty { rows.reserveCapacity(8) }
            rows.append(try Row(reading: &columns))
            return true
        }
        if isDone { return rows }
        let found = Gathered([Row]())
        let isGathered = try await gather(sql) { columns in
            let row = try Row(reading: &columns)
            try found.value.withLock { rows in
                guard rows.count < limit else { throw DatabaseError.tooManyRows(limit: limit) }
                rows.append(row)
            }
            return true
        }
        return isGathered ? found.value.withLock { $0 } : try await queryWithWaiting(sql, as: type)
    }

    @usableFromInline
    func queryWithWaiting<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        guard !isCommittedUnread(sql) else { return try await transaction { try await $0.query(sql, as: type) } }
        try OpenTransaction.refuse(driver)
        return try await statements.query(sql, as: type)
    }

    /// Runs a query and returns its first row; nil when there is none. If the row cannot be decoded, the statement is
    /// undone, as in ``query(_:as:)``.
    @inlinable
    public func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        var first: Row?
        let isDone = try runWithoutWaiting(sql) { columns in
            first = try columns.decode(type)
            return false
        }
        if isDone { return first }
        let found = Gathered(Row?.none)
        let isGathered = try await gather(sql) { columns in
            let row = try columns.decode(type)
            found.value.withLock { $0 = row }
            return false
        }
        return isGathered ? found.value.withLock { $0 } : try await firstWithWaiting(sql, as: type)
    }

    /// The same for a row that reads itself.
    @inlinable
    public func first<Row: SQLReadable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        var first: Row?
        let isDone = try runWithoutWaiting(sql) { columns in
            first = try Row(reading: &columns)
            return false
        }
        if isDone { return first }
        let found = Gathered(Row?.none)
        let isGathered = try await gather(sql) { columns in
            let row = try Row(reading: &columns)
            found.value.withLock { $0 = row }
            return false
        }
        return isGathered ? found.value.withLock { $0 } : try await firstWithWaiting(sql, as: type)
    }

    @usableFromInline
    func firstWithWaiting<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        guard !isCommittedUnread(sql) else { return try await transaction { try await $0.first(sql, as: type) } }
        try OpenTransaction.refuse(driver)
        return try await statements.first(sql, as: type)
    }

    /// Runs a query in place if the driver can.
    /// - Returns: Whether it was run. If not, what `each` has seen does not count.
    @usableFromInline
    func runWithoutWaiting(_ sql: SQL, _ each: (inout SQLColumns) throws -> Bool) throws -> Bool {
        guard let immediate else { return false }
        try OpenTransaction.refuse(driver)
        return try statements.runWithoutWaiting(sql, on: immediate, each)
    }

    /// Runs a query together with those of other tasks if the driver can.
    /// - Returns: Whether it was run.
    @usableFromInline
    func gather(
        _ sql: SQL, _ each: @escaping @Sendable (inout SQLColumns) throws -> Bool
    ) async throws -> Bool {
        guard let gathering else { return false }
        try OpenTransaction.refuse(driver)
        try sql.check()
        let start = statements.now()
        let statement = SQLStatement(sql, isQuery: true, deadline: start + statements.configuration.timeout)
        let naming = statements.configuration.columnNames
        do {
            let isDone = try await gathering.gather(statement) { row in
                var columns = SQLColumns(row, naming)
                return try each(&columns)
            }
            if isDone { statements.log(sql.text, since: start) }
            return isDone
        } catch {
            statements.log(sql.text, since: start, error)
            throw error
        }
    }

    /// Whether a statement changes rows and would be committed before the rows that it returns are decoded, as in
    /// PostgreSQL. It then needs a transaction, which costs two more round trips to the server.
    private func isCommittedUnread(_ sql: SQL) -> Bool { dialect == .postgresql && sql.changesRows }

    /// Runs a query of any size and returns its rows one after the other: at most a few hundred are in memory.
    ///
    ///     for try await user in database.stream("SELECT id, name FROM users", as: User.self) { … }
    ///
    /// The statement begins when the first row is asked for, and holds a connection until the last row or until the
    /// iterator is released. The time limit applies to each few hundred rows.
    public func stream<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) -> RowStream<Row> {
        RowStream(driver: driver, statements: statements, sql: sql)
    }

    /// Runs statements without reading their results in one transaction: either all of them take effect, or none.
    public func batch(_ list: [SQL]) async throws {
        try OpenTransaction.refuse(driver)
        guard !list.isEmpty else { return }
        for sql in list { try sql.check() }
        let start = statements.now()
        do {
            try await driver.batch(list, deadline: statements.deadline)
            statements.log("batch of \(list.count): \(list[0].text)", since: start)
        } catch {
            statements.log("batch of \(list.count): \(list[0].text)", since: start, error)
            throw error
        }
    }

    /// Runs statements that belong together: all of them take effect if `body` returns, none if it throws.
    ///
    /// Keep it short, and wait for nothing else in it: in SQLite, an open transaction keeps everybody else from
    /// writing.
    ///
    /// Everything that belongs to the transaction goes through the argument of `body`. Until `body` returns, its task
    /// and the tasks that it starts cannot use the database itself, not even to read. That includes a repository's
    /// method, `request.session` with sessions in this database, and a transaction inside this one. Such a statement
    /// would not see what the transaction has done, and might wait for it forever. For work beside the transaction, use
    /// a `Task.detached { }` that nothing in `body` waits for.
    public func transaction<Value: Sendable>(
        isolation: SQLIsolation = .standard,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        try OpenTransaction.refuse(driver)
        return try await run(in: driver.begin(isolation, deadline: statements.deadline), body)
    }

    /// Runs the body of a transaction, and ends it.
    func run<Value: Sendable>(
        in begun: any SQLDriverTransaction, _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        let transaction = Transaction(begun, dialect, statements)
        do {
            let value = try await OpenTransaction.run(on: driver) { try await body(transaction) }
            try transaction.check()
            try Task.checkCancellation()
            try await begun.commit(deadline: statements.deadline)
            transaction.hasCommitted()
            return value
        } catch {
            await begun.rollBack()
            throw error
        }
    }

    /// Checks that the database responds.
    public func ping() async throws {
        _ = try await first("SELECT 1", as: Int.self)
    }

    /// Sets its gauges.
    func report(to metrics: any MetricsFactory) {
        if let use = driver.use { gauges.report(use, of: self, to: metrics) }
    }

    // MARK: Service

    /// Whether the database responds, within two seconds: the check `database` of `/health/ready`.
    public var healthChecks: [HealthCheck] { [HealthCheck("database") { try await ping() }] }

    /// Opens the connections.
    public func start() async throws { try await driver.start() }

    /// Closes the connections.
    public func stop() async { await driver.stop() }
}
