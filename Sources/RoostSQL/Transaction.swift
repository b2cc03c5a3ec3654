import Roost
import Synchronization

/// Statements that belong together; see ``Database/transaction(isolation:_:)``. Do not use it outside the body that it
/// is passed to.
///
/// After a statement fails, nothing more is done, as in PostgreSQL: the statements that follow throw the same error,
/// and so does the transaction; with a ``savepoint(_:)``, only what is inside it is undone. A statement that ends the
/// transaction, such as `COMMIT`, is an error. On PostgreSQL, so is a statement that begins while another one runs; on
/// SQLite it waits.
public struct Transaction: SQLExecutor {
    /// The SQL dialect of the engine.
    public let dialect: SQLDialect
    /// The limits of the statements.
    public var configuration: DatabaseConfiguration { statements.configuration }
    private let begun: any SQLDriverTransaction
    private let statements: StatementRunner
    private let progress = Progress()
    /// The number of savepoints around it.
    private let depth: Int

    init(_ begun: any SQLDriverTransaction, _ dialect: SQLDialect, _ database: StatementRunner) {
        self.begun = begun
        self.dialect = dialect
        depth = 0
        statements = StatementRunner(
            engine: begun,
            configuration: database.configuration,
            logger: database.logger,
            timer: database.timer,
            dialect: dialect
        )
    }

    /// A fragment at the end of a `SELECT` that locks its rows until the transaction ends: `FOR UPDATE` in PostgreSQL,
    /// nothing in SQLite, where a transaction keeps everybody else from writing from its begin.
    ///
    ///     let seats = try await transaction.first(
    ///         "SELECT seats FROM rooms WHERE id = \(id) \(transaction.forUpdate)", as: Int.self)
    public var forUpdate: SQL { dialect == .postgresql ? "FOR UPDATE" : "" }

    /// Runs a query and reduces its rows; see ``SQLExecutor/read(_:into:_:)``.
    public func read<State: Sendable>(
        _ sql: SQL, into state: State, _ each: @escaping @Sendable (inout State, inout SQLColumns) throws -> Bool
    ) async throws -> State {
        try await progress.guarding { try await statements.read(sql, into: state, each) }
    }

    /// Runs a statement that changes data, and returns the number of changed rows.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await progress.guarding { try await statements.execute(sql).changes }
    }

    /// Runs an `INSERT` of one row and returns the row's new `id`; see ``Database/insert(_:)``.
    public func insert(_ sql: SQL) async throws -> Int? {
        try await progress.guarding { try await statements.insert(sql) }
    }

    /// Runs a migration's script: statements separated by semicolons, without values.
    func run(script: String) async throws {
        try await progress.guarding { try await begun.run(script: script, deadline: statements.deadline) }
    }

    private init(inside outer: Transaction) {
        (begun, dialect, statements) = (outer.begun, outer.dialect, outer.statements)
        depth = outer.depth + 1
    }

    /// Runs statements that can be undone without the rest of the transaction: if `body` throws, nothing that it has
    /// done remains, and the transaction can go on.
    ///
    ///     try await database.transaction { transaction in
    ///         try await transaction.execute("INSERT INTO orders …")
    ///         try? await transaction.savepoint { _ = try await $0.execute("INSERT INTO coupons …") }
    ///     }
    ///
    /// Until `body` returns, use only its argument, which can have savepoints of its own.
    /// - Throws: What `body` throws, or an error of its statements.
    @discardableResult
    public func savepoint<Value: Sendable>(_ body: (Transaction) async throws -> Value) async throws -> Value {
        let inner = Transaction(inside: self)
        let name = "roost_\(inner.depth)"
        try await run(savepoint: "SAVEPOINT \(name)")
        do {
            let value = try await body(inner)
            try inner.check()
            try Task.checkCancellation()
            try await run(savepoint: "RELEASE SAVEPOINT \(name)")
            afterCommit { inner.runCommitHooks() }
            return value
        } catch {
            // Also in a cancelled task. If it cannot be undone, the whole transaction is.
            try? await toTheEnd {
                try await run(savepoint: "ROLLBACK TO SAVEPOINT \(name)")
                try await run(savepoint: "RELEASE SAVEPOINT \(name)")
            }
            throw error
        }
    }

    private func run(savepoint command: String) async throws {
        try await progress.guarding { try await begun.run(savepoint: command, deadline: statements.deadline) }
    }

    /// - Throws: The first error of a statement.
    func check() throws { try progress.check() }

    /// Does something once the transaction has been committed, and never if it is not.
    package func afterCommit(_ body: @escaping @Sendable () -> Void) {
        progress.state.withLock { $0.hooks.append(body) }
    }

    /// Calls the functions that wait for the commit, after it.
    func runCommitHooks() {
        for hook in progress.state.withLock({ $0.hooks }) { hook() }
    }
}

/// The first error, and the functions to be called after the commit.
private final class Progress: Sendable {
    let state = Mutex((error: (any Error)?.none, hooks: [@Sendable () -> Void]()))

    func check() throws {
        if let error = state.withLock({ $0.error }) { throw error }
    }

    func guarding<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try check()
        do {
            return try await body()
        } catch {
            state.withLock { $0.error = $0.error ?? error }
            throw error
        }
    }
}

/// A transaction whose body a task is running; there may be several, of different databases.
///
/// A statement that such a task runs on the database itself is not part of the transaction. In SQLite a write would
/// wait for the end of the transaction, which in turn waits for the write. In PostgreSQL it would take a second
/// connection, and wait for the transaction's locks. That is nearly always a mistake, and one that goes unnoticed in
/// development, where there is no load. So it is refused at once, on all engines. A task-local value tells, because it
/// reaches a repository's methods and child tasks.
final class OpenTransaction: Sendable {
    @TaskLocal private static var all: [OpenTransaction] = []

    private let driver: ObjectIdentifier
    /// An unstructured task may outlive the transaction in which it was started.
    private let isOver = Atomic(false)

    private init(_ driver: any SQLDriver) { self.driver = ObjectIdentifier(driver) }

    /// Runs the body of a transaction on the database of a driver.
    static func run<Value>(on driver: any SQLDriver, _ body: () async throws -> Value) async throws -> Value {
        let own = OpenTransaction(driver)
        defer { own.isOver.store(true, ordering: .releasing) }
        let others = all.filter { !$0.isOver.load(ordering: .acquiring) }
        return try await $all.withValue(others + [own], operation: body)
    }

    /// - Throws: ``DatabaseError`` when the task is in a transaction on the database of a driver.
    static func refuse(_ driver: any SQLDriver) throws(DatabaseError) {
        let isInside = all.contains { $0.driver == ObjectIdentifier(driver) && !$0.isOver.load(ordering: .acquiring) }
        if isInside { throw .besideTransaction }
    }
}
