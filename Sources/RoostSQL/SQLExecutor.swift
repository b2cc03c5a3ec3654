/// Runs statements: a ``Database``, each by itself, or a ``Transaction``, all of them or none.
///
///     let users = try await database.query("SELECT id, name FROM users WHERE name = \(name)", as: User.self)
///
/// A row becomes a `Decodable` type whose coding keys are names of columns; a type that is one value (`Int`, `String`,
/// `Date?`) is the first column. A column that nobody asks for is no mistake.
/// All throw ``DatabaseError``, or `CancellationError` when their task is cancelled.
public protocol SQLExecutor: Sendable {
    /// The engine's language, for the few statements that differ.
    var dialect: SQLDialect { get }

    /// All rows, at most ``DatabaseConfiguration/maximumRows``.
    func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> [Row]

    /// The first row; nil when there is none.
    func first<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws -> Row?

    /// Changes data; returns how many rows.
    @discardableResult
    func execute(_ sql: SQL) async throws -> Int
}
