import Synchronization

/// Statements that belong together; see ``Database/transaction(isolation:_:)``. It must not be used outside of the body
/// that it is handed to.
///
/// After a statement that fails nothing more is done, as in PostgreSQL: those that follow throw the same error, and so
/// does the transaction. A statement that ends it, such as `COMMIT`, is an error.
public struct Transaction: SQLExecutor {
    /// The engine's language.
    public let dialect: SQLDialect
    private let begun: any SQLDriverTransaction
    private let statements: StatementRunner
    private let failure = FirstError()

    init(_ begun: any SQLDriverTransaction, _ dialect: SQLDialect, _ database: StatementRunner) {
        self.begun = begun
        self.dialect = dialect
        statements = StatementRunner(
            runner: begun,
            configuration: database.configuration,
            logger: database.logger,
            now: database.now
        )
    }

    /// All rows, at most ``DatabaseConfiguration/maximumRows``.
    public func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row] {
        try await failure.guarding { try await statements.query(sql, as: type) }
    }

    /// The first row; nil when there is none.
    public func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row? {
        try await failure.guarding { try await statements.first(sql, as: type) }
    }

    /// Changes data; returns how many rows.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await failure.guarding { try await statements.execute(sql) }
    }

    /// Runs a text of statements separated by semicolons, which have no values: a migration's.
    func run(script: String) async throws {
        try await failure.guarding { try await begun.run(script: script, deadline: statements.deadline) }
    }

    /// - Throws: What a statement has thrown.
    func check() throws { try failure.check() }
}

/// Remembers that something has failed.
private final class FirstError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    func check() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }

    func guarding<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try check()
        do {
            return try await body()
        } catch {
            self.error.withLock { $0 = $0 ?? error }
            throw error
        }
    }
}
