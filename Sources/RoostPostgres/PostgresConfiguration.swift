/// The settings of a ``PostgresDriver``.
public struct PostgresConfiguration: Sendable {
    /// The most connections of this process, besides one for each topic, one for its queue of jobs, and one for each
    /// iteration of ``PostgresNotifications``. A PostgreSQL server accepts 100 by default, from all processes together.
    public var maximumConnections: Int
    /// The most streams that may be open at the same time, each with a connection; at most one fewer than
    /// ``maximumConnections``, unless there is only one connection. Any more fail at once with
    /// ``DatabaseError/unavailable(_:)``.
    public var maximumStreams: Int
    /// The most callers that may wait for a connection. Any more fail at once with ``DatabaseError/unavailable(_:)``.
    public var maximumQueue: Int
    /// The time limit for a caller's wait for a connection, after which it gets ``DatabaseError/unavailable(_:)``. The
    /// time limit of its statement may end the wait sooner.
    public var waitTimeout: Duration
    /// The time limit for an attempt to reach one address of a server. `connect_timeout` in the URL takes precedence.
    public var connectTimeout: Duration
    /// The lifetime of a connection, varied by a tenth so that connections do not all end at the same time. A load
    /// balancer in front of the servers can then spread them again.
    public var maximumLifetime: Duration
    /// The time after which an unused connection is closed.
    public var idleTimeout: Duration
    /// The most prepared statements that each connection keeps. With 0, or behind a pooler (``directURL``), statements
    /// are not prepared.
    public var statementCacheCapacity: Int
    /// The largest result of one query, in bytes. A larger one is an error. A stream may be larger as a whole: it reads
    /// at most 256 rows at a time, fewer if the last ones were large, and this limit holds for each such portion.
    public var maximumResultSize: Int
    /// The URL of the server itself; set it when the driver's URL is that of a pooler that changes servers between
    /// transactions, such as PgBouncer with `pool_mode = transaction`. Then statements are not prepared, nothing is set
    /// for a session beyond what such poolers keep for each of theirs (time zone and form of dates), and notifications
    /// come from the server itself.
    public var directURL: String?
    /// Whether the driver's URL is that of a pooler.
    var isPooled: Bool { directURL != nil }
    /// The name of this program in the server's views (`application_name`). A name in the URL takes precedence.
    public var applicationName: String
    /// The time for which a statement that nobody waits for may go on before the server is asked to end it; and the
    /// time that ending it may take before the connection is closed instead.
    var abandonment = (grace: Duration.milliseconds(50), patience: Duration.seconds(5))
    /// The most bytes of a result that nobody waits for which are read before the connection is closed instead; more,
    /// if ``maximumResultSize`` is more.
    var abandonedSize = 64 << 20
    /// The most time that a statement may take if others are to wait behind it on its connection.
    var quick = Duration.milliseconds(50)
    /// The least age of a session that is closed because it can only read. A younger one tells what the server is now,
    /// and is kept for reading: otherwise each refused change would cost a session.
    var leastAge = Duration.seconds(10)

    /// The defaults.
    public init(
        maximumConnections: Int = 10,
        maximumStreams: Int = 4,
        maximumQueue: Int = 1_000,
        waitTimeout: Duration = .seconds(5),
        connectTimeout: Duration = .seconds(5),
        maximumLifetime: Duration = .seconds(30 * 60),
        idleTimeout: Duration = .seconds(10 * 60),
        statementCacheCapacity: Int = 128,
        maximumResultSize: Int = 64 << 20,
        applicationName: String = "roost",
        directURL: String? = nil
    ) {
        self.maximumConnections = maximumConnections
        self.maximumStreams = maximumStreams
        self.maximumQueue = maximumQueue
        self.waitTimeout = waitTimeout
        self.connectTimeout = connectTimeout
        self.maximumLifetime = maximumLifetime
        self.idleTimeout = idleTimeout
        self.statementCacheCapacity = statementCacheCapacity
        self.maximumResultSize = maximumResultSize
        self.applicationName = applicationName
        self.directURL = directURL
    }
}
