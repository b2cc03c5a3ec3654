/// A driver that can run short queries in place, without waiting for another thread or a server.
public protocol SQLImmediateDriver: SQLDriver {
    /// Runs a query at once, if that waits for nothing and takes no longer than an event loop can be held up.
    /// - Parameter each: As in ``SQLRunner/run(_:into:_:)``.
    /// - Returns: Whether it was run. If not, ``SQLRunner/run(_:into:_:)`` must, and what `each` has seen does not
    ///   count.
    /// - Throws: Any error of `each`. Those of the engine are left to ``SQLRunner/run(_:into:_:)``.
    func runWithoutWaiting(_ statement: SQLStatement, _ each: (any SQLRow) throws -> Bool) throws -> Bool
}
