public import Roost

/// The settings of a database that are the same for every engine.
public struct DatabaseConfiguration: Sendable {
    /// The time limit for a statement, including the wait for its turn.
    public var timeout: Duration
    /// The most rows that ``SQLExecutor/query(_:as:)`` returns. A result with more is an error, so that no result can
    /// fill the memory.
    public var maximumRows: Int
    /// The duration at or above which a statement is logged as slow, with a warning.
    public var slowQuery: Duration
    /// The rule by which names of columns are matched with those of properties.
    public var columnNames: ColumnNaming
    /// The clock of deadlines and of the log, which tests set.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// The defaults.
    public init(
        timeout: Duration = .seconds(30),
        maximumRows: Int = 10_000,
        slowQuery: Duration = .milliseconds(100),
        columnNames: ColumnNaming = .unchanged
    ) {
        self.timeout = timeout
        self.maximumRows = maximumRows
        self.slowQuery = slowQuery
        self.columnNames = columnNames
    }
}

/// The rule by which names of columns are matched with those of a type's properties.
public enum ColumnNaming: Sendable {
    /// A column has the property's name.
    case unchanged
    /// A column has the property's name in snake case: `created_at` for `createdAt`, `owner_id` for `ownerID`. A column
    /// with the property's very name is preferred.
    case snakeCase

    /// The column of a property; nil when there is none.
    func index(of name: String, in columns: [String]) -> Int? {
        // Rows have few columns with short names, which compare in an instruction or two: no dictionary is as fast.
        if let index = columns.firstIndex(of: name) { return index }
        return self == .snakeCase ? columns.firstIndex { Self.isSnakeCase($0, of: name) } : nil
    }

    /// The column of a property.
    func column(_ name: String, in columns: [String]) throws(DatabaseError) -> Int {
        if let index = index(of: name, in: columns) { return index }
        let names = columns.prefix(20).joined(separator: ", ")
        let other = Self.snakeCase.index(of: name, in: columns).map { columns[$0] }
        let advice = other.map { " (columnNames: .snakeCase reads \($0))" } ?? ""
        throw .column(name, reason: "the result has no such column; it has: \(names)\(advice)")
    }

    /// Whether both have the same letters and digits, apart from underscores and from the case of ASCII letters. That
    /// makes no difference between `owner_id` and `ownerid`, which no table should have both.
    private static func isSnakeCase(_ column: String, of name: String) -> Bool {
        let (column, name) = (column.utf8.lazy.filter { $0 != 0x5F }, name.utf8.lazy.filter { $0 != 0x5F })
        return column.elementsEqual(name) { $0 == $1 || $0 == $1.lowercased }
    }
}

/// The location of a database: `sqlite:users.sqlite`, `sqlite:/srv/users.sqlite`, `sqlite::memory:`, `postgres://…` or
/// `postgresql://…`.
public enum DatabaseURL: Sendable, Equatable {
    /// A file, by its path; the path `:memory:` means a database in memory.
    case sqlite(path: String)
    /// A server: the whole URL as libpq takes it. It may contain a password.
    case postgresql(String)

    /// Parses the text of a URL.
    /// - Throws: `StartError`, which shows no more of the text than its scheme.
    public init(_ text: String) throws(StartError) {
        let scheme = text.prefix { $0 != ":" }
        let rest = text.dropFirst(scheme.count + 1)
        switch scheme {
        case "sqlite" where !rest.isEmpty && !rest.utf8.contains(0): self = .sqlite(path: String(rest))
        case "postgres", "postgresql": self = .postgresql(text)
        default:
            let shown = text.contains(":") && scheme.count < 20 ? "begins with \"\(scheme):\"" : "has no scheme"
            throw StartError.configuration(
                "DATABASE_URL \(shown); set it to sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME."
            )
        }
    }

    /// The same database, with a relative path of a file resolved against a folder.
    public func inFolder(_ folder: String) -> DatabaseURL {
        guard case .sqlite(let path) = self, path != ":memory:", !path.hasPrefix("/") else { return self }
        return .sqlite(path: folder + "/" + path)
    }
}
