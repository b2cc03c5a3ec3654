/// A connection that a ``ConnectionPool`` can keep.
protocol PooledConnection: AnyObject, Sendable {
    /// Whether nothing is under way on it, so that another user can have it as it is.
    var isIdle: Bool { get }
    /// Whether the other end is still there, as far as can be seen without waiting.
    func isAlive() -> Bool
}

extension PostgresConnection: PooledConnection {}
