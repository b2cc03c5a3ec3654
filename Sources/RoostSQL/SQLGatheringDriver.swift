/// A driver that sends short queries of many tasks together.
public protocol SQLGatheringDriver: SQLDriver {
    /// Runs a query together with others, if it can be.
    /// - Parameter each: As in ``SQLRunner/run(_:into:_:)``. It is called where the result arrives, before the task
    ///   goes on.
    /// - Returns: Whether it was run. If not, ``SQLRunner/run(_:into:_:)`` must.
    /// - Throws: ``DatabaseError``, `CancellationError`, or any error of `each`.
    func gather(
        _ statement: SQLStatement, _ each: @escaping @Sendable (any SQLRow) throws -> Bool
    ) async throws -> Bool
}
