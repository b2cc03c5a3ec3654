/// What a ``ConnectionPool`` keeps.
protocol PooledConnection: AnyObject, Sendable {
    /// Whether nothing is under way on it: it can be handed to somebody else as it is.
    var isIdle: Bool { get }
    /// Whether the other end is still there, as far as this end can see without waiting.
    func isAlive() -> Bool
}

extension PostgresConnection: PooledConnection {}
