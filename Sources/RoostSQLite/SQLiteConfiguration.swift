/// How a SQLite file is used.
public struct SQLiteConfiguration: Sendable {
    /// What an acknowledged write survives.
    public enum Durability: String, Sendable {
        /// A power cut: each commit waits for the disk (`synchronous=FULL`). The default.
        case full
        /// The end of the process by any means, but a power cut may take the last writes (`synchronous=NORMAL`).
        case normal
    }

    /// The file; `:memory:` is a database in memory, for tests, on one thread and gone at the end.
    public var path: String
    /// Whether the file is made when it is not there. A program that only looks at a database says false, so that
    /// a wrong path is an error.
    public var createsFile = true
    /// What an acknowledged write survives.
    public var durability = Durability.full
    /// How many connections read, each on a thread of its own.
    public var readers = 2
    /// How many streams may be open at one time, each on a thread of its own, started when it is needed.
    public var maximumStreams = 4
    /// How many statements may wait for the readers, and how many for the writer. Beyond it they are refused.
    public var maximumQueue = 1024
    /// How many writes of different callers become durable with one commit.
    public var maximumGroup = 256
    /// How long to wait for a lock that another program holds.
    public var busyTimeout = Duration.seconds(5)
    /// How long a transaction may do nothing, since it keeps all others from writing. Then it is rolled back.
    public var transactionTimeout = Duration.seconds(10)
    /// How many prepared statements each connection keeps.
    public var statementCacheCapacity = 128
    /// The clock that deadlines are compared with.
    public var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// The defaults.
    public init(path: String) { self.path = path }

    var isInMemory: Bool { path == ":memory:" }
}
