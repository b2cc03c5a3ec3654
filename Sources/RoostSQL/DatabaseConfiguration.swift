/// The settings of a database that are the same for every engine.
public struct DatabaseConfiguration: Sendable {
    /// The time limit for a statement, including the wait for its turn.
    public var timeout: Duration
    /// The most rows that ``SQLExecutor/query(_:as:)`` returns. A result with more is an error, so that no result can
    /// fill the memory.
    public var maximumRows: Int
    /// The duration from which on a statement is logged as slow, with a warning.
    public var slowQuery: Duration
    /// The rule by which names of columns are matched with those of properties.
    public var columnNames: ColumnNaming

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
        throw .column(name, reason: "the result has no such column; it has: \(names)")
    }

    /// Whether both have the same letters and digits, apart from underscores and from the case of ASCII letters. That
    /// makes no difference between `owner_id` and `ownerid`, which no table should have both.
    private static func isSnakeCase(_ column: String, of name: String) -> Bool {
        var column = column.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.makeIterator()
        var name = name.utf8.lazy.filter { $0 != UInt8(ascii: "_") }.makeIterator()
        while true {
            let (left, right) = (column.next(), name.next())
            guard let left, let right else { return left == nil && right == nil }
            guard left == right || left == right | 0x20 && right &- 0x41 < 26 else { return false }
        }
    }
}
