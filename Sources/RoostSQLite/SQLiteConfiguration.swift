/// How a SQLite file is used.
public struct SQLiteConfiguration: Sendable {
    /// What an acknowledged write survives.
    public enum Durability: String, Sendable {
        /// A power failure: each commit waits for the disk (`synchronous=FULL`). The default.
        case full
        /// The end of the process, however it ends; a power failure may lose the last writes (`synchronous=NORMAL`).
        case normal
    }

    /// The path of the file; `:memory:` is a database in memory for tests, on one thread, and gone when it is closed.
    public var path: String
    /// Whether a missing file is created; true. Set it to false in a program that only looks at a database, so that a
    /// wrong path is an error.
    public var createsFile: Bool
    /// What an acknowledged write survives.
    public var durability: Durability
    /// How many connections read, each on its own thread; 2.
    public var readers: Int
    /// How many streams may be open at the same time, each on its own thread, which is started when needed; 4.
    public var maximumStreams: Int
    /// How many statements may wait for the readers, and how many for the writer; 1,024. Any more are refused.
    public var maximumQueue: Int
    /// How many writes of different callers one commit makes durable; 256.
    public var maximumGroup: Int
    /// How long to wait for a lock that another program holds; 5 s.
    public var busyTimeout: Duration
    /// How long a transaction may do nothing, since it keeps all others from writing; 10 s. After that it is rolled
    /// back.
    public var transactionTimeout: Duration
    /// How many prepared statements each connection keeps; 128.
    public var statementCache: Int
    /// The clock that deadlines are compared with.
    public var now: @Sendable () -> ContinuousClock.Instant

    /// The default settings for a file.
    public init(path: String) {
        self.path = path
        createsFile = true
        durability = .full
        readers = 2
        maximumStreams = 4
        maximumQueue = 1024
        maximumGroup = 256
        busyTimeout = .seconds(5)
        transactionTimeout = .seconds(10)
        statementCache = 128
        now = { .now }
    }

    var isInMemory: Bool { path == ":memory:" }
}
