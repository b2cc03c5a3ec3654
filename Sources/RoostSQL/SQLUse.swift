/// The use of a database engine at a moment: its connections, the statements that wait, and its caches.
public struct SQLUse: Sendable, Equatable {
    /// Connections that run a statement or a transaction; nil where threads do.
    public var busy: Int?
    /// Connections that are open and free.
    public var idle: Int?
    /// The most connections there may be.
    public var limit: Int?
    /// Statements that wait for a connection or a thread.
    public var waiting: Int
    /// The caches that the driver knows of.
    public var caches: [SQLCacheUse]

    /// Creates a snapshot from the numbers that a driver knows.
    public init(busy: Int? = nil, idle: Int? = nil, limit: Int? = nil, waiting: Int, caches: [SQLCacheUse] = []) {
        (self.busy, self.idle, self.limit, self.waiting) = (busy, idle, limit, waiting)
        self.caches = caches
    }
}
