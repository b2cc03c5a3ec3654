public import Logging
public import Roost

/// A database: connections that statements share.
///
///     let database = Database(SQLiteDriver("users.sqlite"))
///     let app = try Application(services: [database]) { routes in … }
///     let user = try await database.first("SELECT id, name FROM users WHERE id = \(id)", as: User.self)
///
/// It is a service of the application: connections open before the server listens, and close after the drain.
public struct Database: SQLExecutor, Service {
    /// The driver of its engine.
    public let driver: any SQLDriver
    private var statements: StatementRunner

    /// A database behind a driver.
    /// - Parameters:
    ///   - logger: Gets each statement with its time at level `debug`, slow ones as warnings; never their values.
    ///   - now: The clock of deadlines and of the log.
    public init(
        _ driver: any SQLDriver,
        configuration: DatabaseConfiguration = DatabaseConfiguration(),
        logger: Logger = Logger(label: "roost.sql"),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.driver = driver
        statements = StatementRunner(runner: driver, configuration: configuration, logger: logger, now: now)
    }

    /// What is the same for every engine.
    public var configuration: DatabaseConfiguration { statements.configuration }

    /// The engine's language.
    public var dialect: SQLDialect { driver.dialect }

    /// The same database, whose statements have another time limit.
    ///
    ///     try await database.with(timeout: .seconds(1)).ping()
    public func with(timeout: Duration) -> Database {
        var database = self
        database.statements.configuration.timeout = timeout
        return database
    }

    // MARK: Statements

    /// All rows, at most ``DatabaseConfiguration/maximumRows``.
    ///
    /// A row that cannot be decoded undoes its statement: of an `INSERT … RETURNING` nothing is left. What a function
    /// changes that a `SELECT` calls stays in PostgreSQL.
    public func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        guard !isCommittedUnread(sql) else { return try await transaction { try await $0.query(sql, as: type) } }
        try OpenTransaction.refuse(driver)
        return try await statements.query(sql, as: type)
    }

    /// The first row; nil when there is none. One that cannot be decoded undoes its statement, as in ``query(_:as:)``.
    public func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        guard !isCommittedUnread(sql) else { return try await transaction { try await $0.first(sql, as: type) } }
        try OpenTransaction.refuse(driver)
        return try await statements.first(sql, as: type)
    }

    /// Whether a statement changes rows and would be committed before those that it returns are looked at, as
    /// PostgreSQL does: then it needs a transaction, which costs two journeys to the server.
    private func isCommittedUnread(_ sql: SQL) -> Bool { dialect == .postgresql && sql.changesRows }

    /// Changes data; returns how many rows. When it returns, the change will survive what the engine promises to
    /// survive.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try OpenTransaction.refuse(driver)
        return try await statements.execute(sql)
    }

    /// Rows one after the other, of a result of any size: at most some hundred are in memory.
    ///
    ///     for try await user in database.stream("SELECT id, name FROM users", as: User.self) { … }
    ///
    /// The statement begins with the first row that is asked for, and holds a connection until the end or until the
    /// iterator is gone. The time limit is one for each few hundred rows.
    public func stream<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) -> RowStream<Row> {
        RowStream(driver: driver, statements: statements, sql: sql)
    }

    /// Runs statements whose results nobody needs in one transaction: all or none.
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

    /// Runs statements that belong together: all of them, when `body` returns, or none, when it throws.
    ///
    /// Keep it short, and wait for nothing else in it: in SQLite a transaction keeps all others from writing.
    ///
    /// What belongs to it goes through the argument of `body`. Until `body` returns, the database itself is refused to
    /// its task and to those that it begins, also for reading, in a repository's method, in `request.session` with
    /// sessions in this database, and for a transaction inside of this one: it would see nothing of what the
    /// transaction does, and might wait for it for ever. What must be done beside the transaction is done by a
    /// `Task.detached { }` that nobody in here waits for.
    public func transaction<Value: Sendable>(
        isolation: SQLIsolation = .standard,
        _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        try OpenTransaction.refuse(driver)
        let begun = try await driver.begin(isolation, deadline: statements.deadline)
        let transaction = Transaction(begun, dialect, statements)
        do {
            let value = try await OpenTransaction.run(on: driver) { try await body(transaction) }
            try transaction.check()
            try Task.checkCancellation()
            try await begun.commit(deadline: statements.deadline)
            return value
        } catch {
            await begun.rollBack()
            throw error
        }
    }

    /// Asks whether the database answers.
    public func ping() async throws {
        _ = try await first("SELECT 1", as: Int.self)
    }

    // MARK: Service

    /// Opens connections.
    public func start() async throws { try await driver.start() }

    /// Closes connections.
    public func stop() async { await driver.stop() }
}
