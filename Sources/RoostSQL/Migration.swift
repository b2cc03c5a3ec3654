import Roost

/// One step from an empty database to the schema that the program needs: a named piece of SQL.
///
/// Its name is what the database knows it by, so it is never used for another one, nor changed. The order is that of
/// the list in which it stands; a module may add one at any time, wherever it stands there.
public struct Migration: Sendable {
    /// The migration's name, which no other in the database has: `users`.
    public let name: String
    /// Whether it runs in a transaction.
    let isInTransaction: Bool
    private let texts: [SQLDialect: String]
    private let text: String?

    /// Creates a migration that is the same for all engines.
    /// - Parameters:
    ///   - sql: Statements separated by semicolons, in UTF-8, as `.embedInCode` has them.
    ///   - inTransaction: Whether it runs in a transaction. False is for one statement that cannot, such as
    ///     PostgreSQL's `CREATE INDEX CONCURRENTLY` or SQLite's `VACUUM`. If the program ends while it runs, it is run
    ///     again: write it so that this does no harm.
    public init(_ name: String, sql: [UInt8], inTransaction: Bool = true) {
        self.name = name
        isInTransaction = inTransaction
        text = String(decoding: sql, as: UTF8.self)
        texts = [:]
    }

    /// Creates a migration with a different text for each engine.
    public init(_ name: String, sqlite: [UInt8], postgresql: [UInt8], inTransaction: Bool = true) {
        self.name = name
        isInTransaction = inTransaction
        text = nil
        texts = [
            .sqlite: String(decoding: sqlite, as: UTF8.self), .postgresql: String(decoding: postgresql, as: UTF8.self),
        ]
    }

    /// Creates a migration from a text in the program.
    public init(_ name: String, sql: String, inTransaction: Bool = true) {
        self.init(name, sql: Array(sql.utf8), inTransaction: inTransaction)
    }

    /// Creates a migration from a text in the program for each engine.
    public init(_ name: String, sqlite: String, postgresql: String, inTransaction: Bool = true) {
        self.init(name, sqlite: Array(sqlite.utf8), postgresql: Array(postgresql.utf8), inTransaction: inTransaction)
    }

    /// The SQL statements for an engine.
    public func text(for dialect: SQLDialect) -> String { text ?? texts[dialect] ?? "" }

    func checksum(for dialect: SQLDialect) -> String { SHA256.hexadecimal(of: text(for: dialect).utf8) }
}

/// The database does not match the program's migrations, or a migration failed.
public struct MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A migration, and when it was applied.
public struct MigrationStatus: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// The time at which it was applied, in UTC; nil when it has not been.
    public let appliedAt: String?
}
