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
