/// How a ``PostgresDriver`` keeps its connections.
public struct PostgresConfiguration: Sendable {
    /// How many connections there are at most in this process. PostgreSQL itself takes 100 by default, of all
    /// processes together.
    public var maximumConnections: Int
    /// How many callers may wait for a connection. One more gets ``DatabaseError/unavailable(_:)`` at once.
    public var maximumQueue: Int
    /// How long a caller waits for a connection at most. Its statement's own time limit may end sooner.
    public var waitTimeout: Duration
    /// How long the attempt to reach one address of a server takes at most. `connect_timeout` in the URL wins.
    public var connectTimeout: Duration
    /// For how long a connection is used at most, for each connection a tenth more or less, so that they do
    /// not all end at the same time. A load balancer before the servers can so spread them anew.
    public var maximumLifetime: Duration
    /// After what time a connection that nobody has used is closed.
    public var idleTimeout: Duration
    /// How many prepared statements each connection keeps. With 0 statements are not prepared, for a connection
    /// pooler between that changes servers from statement to statement.
    public var statementCacheCapacity: Int
    /// How many bytes the result of one query may have. More is an error; a stream has no such limit.
    public var maximumResultSize: Int
    /// How much longer than the caller the server waits at least before it ends a statement by itself
    /// (`statement_timeout`), should the request to cancel it be lost. At most it is twice as long.
    public var serverGrace: Duration
    /// What the server's views call this program (`application_name`). The URL's own name wins.
    public var applicationName: String
    /// How long a statement that nobody waits for any more may go on before the server is asked to end it; and how long
    /// that may take, before the connection is closed instead.
    var abandonment = (grace: Duration.milliseconds(50), patience: Duration.seconds(5))

    /// The defaults.
    public init(
        maximumConnections: Int = 10,
        maximumQueue: Int = 1_000,
        waitTimeout: Duration = .seconds(5),
        connectTimeout: Duration = .seconds(5),
        maximumLifetime: Duration = .seconds(30 * 60),
        idleTimeout: Duration = .seconds(10 * 60),
        statementCacheCapacity: Int = 128,
        maximumResultSize: Int = 64 << 20,
        serverGrace: Duration = .seconds(5),
        applicationName: String = "roost"
    ) {
        self.maximumConnections = maximumConnections
        self.maximumQueue = maximumQueue
        self.waitTimeout = waitTimeout
        self.connectTimeout = connectTimeout
        self.maximumLifetime = maximumLifetime
        self.idleTimeout = idleTimeout
        self.statementCacheCapacity = statementCacheCapacity
        self.maximumResultSize = maximumResultSize
        self.serverGrace = serverGrace
        self.applicationName = applicationName
    }
}
