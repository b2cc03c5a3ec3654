public import RoostSQL

/// The settings of a SQLite database.
public struct SQLiteConfiguration: Sendable {
    /// The worst failure that an acknowledged write survives.
    public enum Durability: String, Sendable {
        /// A power failure: each commit waits for the disk (`synchronous=FULL`). The default.
        case full
        /// The end of the process, however it ends; a power failure may lose the last writes (`synchronous=NORMAL`).
        case normal
    }

    /// The path of the file; `:memory:` is a database in memory for tests, on one thread, and gone when it is closed.
    public var path: String
    /// The access of the program to the file; by default, it creates a missing one.
    public var access = SQLFileAccess.creating
    /// Whether a start that may create the file, and a restore, make its folder if that is missing, for its owner only.
    package var makesFolder = false
    /// The worst failure that an acknowledged write survives.
    public var durability = Durability.full
    /// The number of connections that read, each on its own thread.
    public var readers = 2
    /// The maximum number of steps of SQLite's virtual machine that a query may take on an event loop, before a
    /// reader's thread does it instead: 2,500 are some 50 µs. 0 runs no query on an event loop.
    public var maximumLoopSteps = 2_500
    /// The maximum number of streams open at the same time, each on its own thread, which is started when needed.
    public var maximumStreams = 4
    /// The maximum number of statements that wait for the readers, and likewise for the writer; more are refused.
    public var maximumQueue = 1024
    /// The longest wait for a lock that another program holds.
    public var busyTimeout = Duration.seconds(5)
    /// The time after which an idle transaction is rolled back, since it keeps all others from writing.
    public var transactionTimeout = Duration.seconds(10)
    /// The number of prepared statements that each connection keeps.
    public var statementCacheCapacity = 128
    /// The size in bytes above which the writer begins the write-ahead log anew although others read, and to which
    /// SQLite cuts it then.
    package var maximumLog = 64 << 20
    /// The clock that deadlines are compared with, which tests set.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// The default settings for a file.
    public init(path: String) { self.path = path }

    var isInMemory: Bool { path == ":memory:" }
}
