import FoundationEssentials
import Glibc
public import Roost

// The parts of a driver. It runs statements on its own threads or on the event loops. It calls back for each row where
// the row is in memory, so that rows are decoded without an intermediate copy.

/// The SQL dialect of an engine.
public enum SQLDialect: String, Sendable {
    /// The dialect of SQLite.
    case sqlite
    /// The dialect of PostgreSQL.
    case postgresql
}

/// The isolation level of a transaction: how much it may see of the changes of concurrent ones. In SQLite, transactions
/// are always serializable; PostgreSQL does what the name says.
public enum SQLIsolation: Sendable {
    /// The engine's default.
    case standard
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first of them.
    case repeatableRead
    /// As if transactions ran one after the other. If that is impossible, ``DatabaseError/serializationFailure(_:)`` is
    /// thrown.
    case serializable
}

/// A statement for a driver.
public struct SQLStatement: Sendable {
    /// The text and its values.
    public let sql: SQL
    /// Whether the caller asked for rows. A query may then run on a connection that can only read, if the engine finds
    /// that it changes nothing.
    public let isQuery: Bool
    /// The time by which the statement must be finished, including the wait for its turn; after that the driver throws
    /// ``DatabaseError/timeout(_:)``.
    public let deadline: ContinuousClock.Instant

    /// Creates a statement.
    public init(_ sql: SQL, isQuery: Bool, deadline: ContinuousClock.Instant) {
        self.sql = sql
        self.isQuery = isQuery
        self.deadline = deadline
    }
}

/// The result of a statement.
public struct SQLOutcome: Sendable {
    /// The number of rows that were inserted, updated or deleted.
    public var changes: Int
    /// The id of the row that the statement inserted; nil if there is none, or if the engine reports it only with
    /// `RETURNING`.
    public var insertedID: Int64?

    /// Creates a result.
    public init(changes: Int, insertedID: Int64? = nil) {
        self.changes = changes
        self.insertedID = insertedID
    }
}

/// Runs single statements: a driver, or one of its transactions.
public protocol SQLRunner: Sendable {
    /// Runs a statement at once, if that takes no waiting, and reduces its rows as ``run(_:into:_:)`` does.
    /// - Returns: Nil if it has to wait, as by default; the state is then unchanged.
    func runWithoutWaiting<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) throws -> SQLOutcome?

    /// Runs a statement and reduces its rows, like `reduce(into:)` on a sequence: where and how is the driver's matter.
    ///
    /// If the task is cancelled, a waiting statement is withdrawn, and a running one is interrupted. After
    /// `CancellationError`, no change has taken effect: a driver that cannot be sure waits until the statement ends.
    /// - Parameters:
    ///   - state: The value that the rows are reduced to; unspecified after an error.
    ///   - each: Called for each row in the driver's memory, on any thread; return false to end the statement. An error
    ///     ends it too, undoes it in SQLite and in transactions, and is rethrown. It may be called again from the first
    ///     row with the initial state, when the driver had to undo the statement for its own reasons.
    /// - Throws: ``DatabaseError``, `CancellationError`, or any error of `each`.
    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome
}

extension SQLRunner {
    /// Nil: every statement waits.
    public func runWithoutWaiting<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: (inout State, any SQLRow) throws -> Bool
    ) throws -> SQLOutcome? {
        nil
    }
}

/// The driver of an engine: connections, and what runs on them. Programs use it through ``Database``.
///
/// It is a class because its identity shows whether a task is in one of its transactions.
///
/// As a `Service` it opens its connections in `start()`. That must succeed while the server is down: statements then
/// throw ``DatabaseError/unavailable(_:)`` until the server is up. For a mistake that waiting does not fix, such as a
/// wrong password or a missing folder, it throws a `StartError.configuration`, which ends the program.
public protocol SQLDriver: AnyObject, SQLRunner, Service {
    /// The SQL dialect of the engine.
    var dialect: SQLDialect { get }

    /// The present use of the engine, for the metrics; nil where it is unknown, as by default.
    var use: SQLUse? { get }

    /// Begins a transaction, which has a connection to itself.
    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction

    /// Begins a transaction for a migration, which may rebuild tables that others refer to. By default, that is
    /// ``begin(_:deadline:)`` with ``SQLIsolation/readCommitted``.
    func beginMigration(deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction

    /// Runs statements in one transaction with as few round trips as possible: either all of them take effect, or none.
    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws

    /// Begins to read a result in portions.
    func open(_ statement: SQLStatement) async throws -> any SQLCursor
}

extension SQLDriver {
    /// Nil: the driver does not tell.
    public var use: SQLUse? { nil }

    /// Begins a ``SQLIsolation/readCommitted`` transaction: it sees what was committed while it waited for a lock.
    public func beginMigration(deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction {
        try await begin(.readCommitted, deadline: deadline)
    }
}

/// A transaction that has begun. After the connection fails, every call throws.
public protocol SQLDriverTransaction: SQLRunner {
    /// Runs a migration's script: statements separated by semicolons, without values. Its temporary tables and its
    /// settings of the session, such as a search path, do not outlast it for others, except that the settings of a
    /// `PRAGMA` stay in a SQLite database in memory.
    func run(script: String, deadline: ContinuousClock.Instant) async throws

    /// Sets, releases or rolls back to a savepoint.
    func run(savepoint command: String, deadline: ContinuousClock.Instant) async throws

    /// Commits the transaction, even in a task that is cancelled meanwhile. The connection is released even if that
    /// fails.
    /// - Throws: ``DatabaseError/outcomeUnknown(_:)`` if it may have been committed; after any other error it is not.
    func commit(deadline: ContinuousClock.Instant) async throws

    /// Undoes everything and releases the connection, even in a cancelled task. It cannot fail: if the engine does not
    /// respond, the connection is closed, which undoes everything too.
    func rollBack() async
}

extension SQLDriverTransaction {
    /// Runs the command like any other statement.
    public func run(savepoint command: String, deadline: ContinuousClock.Instant) async throws {
        let statement = SQLStatement(SQL(unchecked: command), isQuery: false, deadline: deadline)
        var unread = 0
        _ = try await run(statement, into: &unread) { _, _ in true }
    }
}

/// A result that is read in portions, so that a slow reader slows the engine down.
public protocol SQLCursor: Sendable {
    /// Reads the next portion.
    /// - Parameter count: The most rows to read; fewer are read where rows are large, and none only at the end.
    /// - Returns: The value that the rows were reduced to, and whether that was the end.
    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool)

    /// Releases the connection, whether or not the end was reached. It may be called from any thread, any number of
    /// times, while nothing is being fetched.
    func close()
}

/// A driver whose database tells all its clients what one of them has sent.
package protocol NotifyingDriver: SQLDriver {
    /// Listens to a channel, until the task is cancelled.
    /// - Parameter body: Gets the payload of each notification; nil at first, and whenever a lost connection has been
    ///   replaced: then notifications may have been missed.
    func listen(to channel: String, _ body: @Sendable (String?) -> Void) async throws
}

/// The access of a program to a database that is a file.
public enum SQLFileAccess: Sendable {
    /// The program only reads; it changes no byte of the file or its write-ahead log, not even when it closes the file.
    case reading
    /// The program reads and writes a file that exists; a missing one is an error, so that a wrong path is found out.
    case writing
    /// The program reads and writes, and creates a missing file, which only its owner may then use.
    case creating
}

/// A driver whose database is a file on this machine: it can be copied, checked and restored without any other program.
package protocol SQLFileDriver: SQLDriver {
    /// The path of the file; nil for a database in memory.
    var path: String? { get }

    /// Whether there is no file at the path, and none that a restore was about to put there.
    var isMissing: Bool { get }

    /// Looks whether a start can create the missing file, and changes nothing.
    /// - Throws: `StartError`, as the start would.
    func checkCreation() throws

    /// Looks whether a database that can be read can also be written, and changes nothing.
    /// - Throws: `StartError` with the files that cannot be.
    func checkWriting() throws

    /// Returns another driver of the same file, which is not started.
    func opening(for access: SQLFileAccess) -> any SQLFileDriver

    /// Copies the current state of the database into a new file, while others read and write.
    /// - Throws: ``DatabaseError``; no partial file is left in that case.
    func backUp(to path: String) async throws

    /// Reads the whole file and checks it.
    /// - Returns: The faults as sentences; empty when there are none.
    func check() async throws -> [String]

    /// Puts a backup in the place of the database, which no program may have open; this driver is not started.
    /// - Parameter migrations: The names of the program's migrations: a backup that has none of them is refused.
    /// - Returns: The path that the old database has now, nil when there was none; and the backup's migrations that the
    ///   program does not know.
    /// - Throws: ``DatabaseError``; the database is then as it was.
    func restore(from backup: String, for migrations: [String]) async throws -> (old: String?, unknown: [String])
}

extension SQLFileDriver {
    /// The path without symbolic links, beside which the engine keeps its log. Where a link leads to no file yet, it is
    /// the path at which the engine would create one.
    package static func realPath(_ path: String) -> String {
        var path = path
        // At most as many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            if let real = realpath(path, nil) {
                defer { free(real) }
                return String(cString: real)
            }
            guard errno == ENOENT,
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            else { break }
            // To Swift, a slash before a combining mark is another character.
            let slash = UInt8(ascii: "/")
            let folder = path.utf8.lastIndex(of: slash).map { String(Substring(path.utf8[...$0])) } ?? ""
            path = target.utf8.first == slash ? target : folder + target
        }
        return path
    }
}

/// The use of a database engine at a moment: its connections, and the statements that wait.
public struct SQLUse: Sendable, Equatable {
    /// The number of connections that run a statement or a transaction; nil if threads run them.
    public var busy: Int?
    /// Connections that are open and free.
    public var idle: Int?
    /// The maximum number of connections.
    public var limit: Int?
    /// Statements that wait for a connection or a thread.
    public var waiting: Int

    /// Creates a snapshot from the numbers that a driver knows.
    public init(busy: Int? = nil, idle: Int? = nil, limit: Int? = nil, waiting: Int) {
        (self.busy, self.idle, self.limit, self.waiting) = (busy, idle, limit, waiting)
    }
}
