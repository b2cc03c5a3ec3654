import Roost

/// One step from an empty database to the schema that the program needs: a numbered file of SQL.
public struct Migration: Sendable {
    /// Its number: 1, 2, 3 and so on without gaps.
    public let version: Int
    /// What it is about: `users`.
    public let name: String
    private let texts: [SQLDialect: String]
    private let text: String?

    /// Creates a migration that is the same for all engines.
    /// - Parameter sql: Statements separated by semicolons, in UTF-8, as `.embedInCode` has them.
    public init(_ version: Int, _ name: String, sql: [UInt8]) {
        self.version = version
        self.name = name
        text = String(decoding: sql, as: UTF8.self)
        texts = [:]
    }

    /// Creates a migration with a different text for each engine.
    public init(_ version: Int, _ name: String, sqlite: [UInt8], postgresql: [UInt8]) {
        self.version = version
        self.name = name
        text = nil
        texts = [
            .sqlite: String(decoding: sqlite, as: UTF8.self), .postgresql: String(decoding: postgresql, as: UTF8.self),
        ]
    }

    /// Creates a migration from a text in the program.
    public init(_ version: Int, _ name: String, sql: String) { self.init(version, name, sql: Array(sql.utf8)) }

    /// Creates a migration from a text in the program for each engine.
    public init(_ version: Int, _ name: String, sqlite: String, postgresql: String) {
        self.init(version, name, sqlite: Array(sqlite.utf8), postgresql: Array(postgresql.utf8))
    }

    /// The SQL statements for an engine.
    public func text(for dialect: SQLDialect) -> String { text ?? texts[dialect] ?? "" }

    func checksum(for dialect: SQLDialect) -> String { SHA256.hexadecimal(of: text(for: dialect).utf8) }
}

/// The database does not match the program's migrations, or a migration failed.
public struct MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A migration, and when it was applied.
public struct MigrationStatus: Sendable, Equatable {
    /// Its number.
    public let version: Int
    /// What it is about.
    public let name: String
    /// When it was applied, in UTC; nil when it has not been.
    public let appliedAt: String?
}
