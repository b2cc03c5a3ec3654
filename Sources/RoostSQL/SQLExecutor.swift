/// Runs statements: each by itself in a ``Database``, all or none in a ``Transaction``.
///
///     let users = try await database.query("SELECT id, name FROM users WHERE name = \(name)", as: User.self)
///
/// A row becomes a `Decodable` type whose coding keys are names of columns. A type that is one value (`Int`, `String`,
/// `Date?`) is decoded from the first column. Columns that the type does not ask for are ignored.
/// All methods throw ``DatabaseError``, or `CancellationError` when their task is cancelled.
public protocol SQLExecutor: Sendable {
    /// The SQL dialect of the engine, for the few statements that differ.
    var dialect: SQLDialect { get }

    /// Runs a query and returns all its rows, at most ``DatabaseConfiguration/maximumRows``.
    func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row]

    /// Runs a query and returns its first row; nil when there is none.
    func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row?

    /// Runs a statement that changes data, and returns the number of changed rows.
    @discardableResult
    func execute(_ sql: SQL) async throws -> Int
}
