public import CoreMetrics
public import Logging
public import Roost

/// A database, whose connections all statements share.
///
///     let database = Database(SQLiteDriver(SQLiteConfiguration(path: "users.sqlite")))
///     let app = try Application(services: [database]) { routes in … }
///     let user = try await database.first("SELECT id, name FROM users WHERE id = \(id)", as: User.self)
///
/// Register it as a service of the application: its connections then open before the server listens, and close after
/// the drain.
public struct Database: SQLExecutor, HealthReporting, MetricsReporting {
    /// The driver of the database's engine.
    public let driver: any SQLDriver
    /// The database's name in the metrics: their label `database`.
    package let name: String
    private(set) var statements: StatementRunner
    let lateWrites = LateWrites()

    /// Creates a database that uses a driver.
    /// - Parameters:
    ///   - name: The value of the metrics' label `database`, which tells several databases of a program apart.
    ///   - logger: Gets each statement with its duration at level `debug`, slow ones as warnings; never their values.
    public init(
        _ driver: any SQLDriver,
        name: String = "main",
        configuration: DatabaseConfiguration = DatabaseConfiguration(),
        logger: Logger? = nil
    ) {
        self.driver = driver
        self.name = name
        statements = StatementRunner(
            engine: driver,
            configuration: configuration,
            logger: logger ?? .current(or: "roost.sql"),
            timer: StatementRunner.timer(driver.dialect, name),
            dialect: driver.dialect
        )
    }

    /// The settings that are the same for every engine.
    public var configuration: DatabaseConfiguration { statements.configuration }

    /// The SQL dialect of the engine.
    public var dialect: SQLDialect { driver.dialect }

    /// The statement that deletes at most so many of the rows for which a condition holds; see
    /// ``portion(of:from:by:where:)``.
    package func removal(
        of count: Int, from table: StaticString, by key: StaticString, where condition: SQL
    ) -> SQL {
        "DELETE FROM \(literal: table) WHERE \(portion(of: count, from: table, by: key, where: condition))"
    }

    /// The condition for at most so many of the rows for which a condition holds, without those that somebody else
    /// changes now; in SQLite, one writes at a time.
    /// - Parameters:
    ///   - key: The column that is the primary key.
    ///   - condition: The condition, and `ORDER BY` a column with an index. Without it, PostgreSQL may read the whole
    ///     table for rows that its statistics still know, and that are gone.
    package func portion(
        of count: Int, from table: StaticString, by key: StaticString, where condition: SQL
    ) -> SQL {
        let keys: SQL = "SELECT \(literal: key) FROM \(literal: table) WHERE \(condition) LIMIT \(count)"
        // PostgreSQL may read the whole table to join it with a query, but not for an array.
        return dialect == .postgresql
            ? "\(literal: key) = ANY(ARRAY(\(keys) FOR UPDATE SKIP LOCKED))" : "\(literal: key) IN (\(keys))"
    }

    /// Returns the same database with another time limit for its statements.
    ///
    ///     try await database.with(timeout: .seconds(1)).ping()
    public func with(timeout: Duration) -> Database {
        var database = self
        database.statements.configuration.timeout = timeout
        return database
    }

    // MARK: Statements

    /// Runs a query and reduces its rows; see ``SQLExecutor/read(_:into:_:)``.
    public func read<State: Sendable>(
        _ sql: SQL, into state: State, _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) async throws -> State {
        try OpenTransaction.refuse(driver)
        // PostgreSQL commits a statement before its rows are decoded: so that it can be undone, it needs a transaction,
        // which costs two more round trips to the server.
        if dialect == .postgresql, sql.changesRows {
            do {
                return try await transaction { try await $0.read(sql, into: state, each) }
            } catch let error as DatabaseError where error.mayBeStale(sql) {
                // It is undone, and the next one prepares the statement again.
                return try await transaction { try await $0.read(sql, into: state, each) }
            }
        }
        return try await statements.read(sql, into: state, each)
    }

    /// Runs a statement that changes rows and returns those that it returns, in one round trip to PostgreSQL. There its
    /// change stays even if a row cannot be decoded.
    package func change<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        try OpenTransaction.refuse(driver)
        return try await statements.read(sql, into: []) { rows, columns in
            rows.append(try columns.decode(type))
            return true
        }
    }

    /// Runs a statement that changes data, and returns the number of changed rows. When it returns, the change is as
    /// durable as the engine's settings promise.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try OpenTransaction.refuse(driver)
        return try await statements.execute(sql).changes
    }

    /// Runs an `INSERT` of one row (without `RETURNING` or `DO UPDATE`) and returns the row's new `id`; nil if nothing
    /// was inserted, or if `id` is not a whole number but a `UUID`, say. In SQLite, `id` must be the
    /// `INTEGER PRIMARY KEY` and not 0: for a table with another key, the result is the hidden rowid, and for one
    /// `WITHOUT ROWID` nil. `RETURNING` would cost more, because it keeps rows in a temporary table.
    ///
    ///     let id = try await database.insert("INSERT INTO users (name) VALUES (\(name))")
    public func insert(_ sql: SQL) async throws -> Int? {
        try OpenTransaction.refuse(driver)
        return try await statements.insert(sql)
    }

    /// Runs a query of any size and returns its rows one after the other: at most a few hundred are in memory.
    ///
    ///     for try await user in database.stream("SELECT id, name FROM users", as: User.self) { … }
    ///
    /// The statement begins when the first row is requested, and holds a connection until the last row is read or the
    /// iterator is released. The time limit applies to each few hundred rows.
    public func stream<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) -> RowStream<Row> {
        RowStream(driver: driver, statements: statements, sql: sql) { try $0.decode(type) }
    }

    /// Runs a query of any size and returns its ``SQLReadable`` rows one after the other.
    public func stream<Row: SQLReadable>(_ sql: SQL, as type: Row.Type) -> RowStream<Row> {
        RowStream(driver: driver, statements: statements, sql: sql) { try Row(reading: &$0) }
    }

    /// Runs statements without reading their results in one transaction: either all of them take effect, or none.
    public func batch(_ list: [SQL]) async throws {
        try OpenTransaction.refuse(driver)
        guard !list.isEmpty else { return }
        for sql in list { try sql.check() }
        try await statements.timed("batch of \(list.count): \(list[0].text)") {
            try await driver.batch(list, deadline: statements.deadline)
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
    @discardableResult
    public func transaction<Value: Sendable>(
        isolation: SQLIsolation = .standard,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        try OpenTransaction.refuse(driver)
        let begun = try await statements.timed("BEGIN") {
            try await driver.begin(isolation, deadline: statements.deadline)
        }
        return try await run(in: begun, body)
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
            try await statements.timed("COMMIT") { try await begun.commit(deadline: statements.deadline) }
            transaction.runCommitHooks()
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

    // MARK: Service

    /// Reports how much of the engine is in use: connections, and waiting statements. The label `database` tells
    /// several databases apart.
    public func reportMetrics(to metrics: any MetricsFactory) {
        guard let use = driver.use else { return }
        func set(_ name: String, _ value: Int?, _ more: (String, String)...) {
            guard let value else { return }
            let labels = [("engine", dialect.rawValue), ("database", self.name)]
            metrics.makeMeter(label: name, dimensions: labels + more).set(Int64(value))
        }
        set("roost_sql_connections", use.busy, ("state", "busy"))
        set("roost_sql_connections", use.idle, ("state", "idle"))
        set("roost_sql_connections_max", use.limit)
        set("roost_sql_statements_waiting", use.waiting)
    }

    /// Whether the database responds, within two seconds: the check `database` of `/health/ready`.
    public var healthChecks: [HealthCheck] { [HealthCheck("database") { try await ping() }] }

    /// Opens the connections.
    public func start() async throws { try await driver.start() }

    /// Closes the connections.
    public func stop() async {
        await lateWrites.finish()
        await driver.stop()
    }
}
