/// What is the same for every engine.
public struct DatabaseConfiguration: Sendable {
    /// How long a statement may take, waiting for its turn included.
    public var timeout: Duration
    /// How many rows ``SQLExecutor/query(_:as:)`` returns at most. More is an error, so that no result can fill
    /// the memory.
    public var maximumRows: Int
    /// From when on a statement is logged as slow, as a warning.
    public var slowQuery: Duration

    /// The defaults.
    public init(
        timeout: Duration = .seconds(30),
        maximumRows: Int = 10_000,
        slowQuery: Duration = .milliseconds(100)
    ) {
        self.timeout = timeout
        self.maximumRows = maximumRows
        self.slowQuery = slowQuery
    }
}
