public import Roost

// What a driver is made of. A driver runs statements wherever it must, on threads of its own or on the event loops, and
// calls back for each row where the row is, so that rows are decoded without a copy in between.

/// An engine's language.
public enum SQLDialect: String, Sendable {
    /// SQLite's.
    case sqlite
    /// PostgreSQL's.
    case postgresql
}

/// How much transactions may see of each other. SQLite's never see anything; PostgreSQL does what the name says.
public enum SQLIsolation: Sendable {
    /// The engine's default.
    case standard
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first one.
    case repeatableRead
    /// As if transactions ran one after the other; one that cannot throws ``DatabaseError/serializationFailure(_:)``.
    case serializable
}

/// A statement for a driver.
public struct SQLStatement: Sendable {
    /// Text and values.
    public let sql: SQL
    /// Whether the caller asked for rows: a query may run where only reading is possible, if the engine finds that it
    /// changes nothing.
    public let isQuery: Bool
    /// When it must be over, waiting included; then the driver throws ``DatabaseError/timeout(_:)``.
    public let deadline: ContinuousClock.Instant

    /// A statement.
    public init(_ sql: SQL, isQuery: Bool, deadline: ContinuousClock.Instant) {
        self.sql = sql
        self.isQuery = isQuery
        self.deadline = deadline
    }
}

/// What a statement came to.
public struct SQLOutcome<State: Sendable>: Sendable {
    /// What was made of the rows.
    public var state: State
    /// How many rows were inserted, updated or deleted.
    public var changes: Int

    /// An outcome.
    public init(state: State, changes: Int) {
        self.state = state
        self.changes = changes
    }
}

/// Runs single statements: a driver, or one of its transactions.
public protocol SQLRunner: Sendable {
    /// Runs a statement and makes something of its rows, as `reduce(into:)` does of a sequence.
    ///
    /// A task that is cancelled while it waits withdraws the statement; one that is running is interrupted.
    /// - Parameter each: Called for each row where the driver has it, on any thread; false ends the statement. An error
    ///   ends it too, undoes it in SQLite and in transactions, and is rethrown. It may be called anew from the first
    ///   row with the first state, when the driver had to undo the statement for a reason of its own.
    /// - Throws: ``DatabaseError``, `CancellationError`, or what `each` throws.
    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome<State>
}

/// An engine's driver: connections, and what runs on them. ``Database`` is the face that programs see.
///
/// It is an object: by its identity it is known whether a task is in one of its transactions.
///
/// As a `Service` it opens its connections in `start()`, which must succeed without a server that is down: statements
/// then throw ``DatabaseError/unavailable(_:)`` until it is up. What waiting does not mend, such as a wrong password or
/// a missing folder, is a `StartError.configuration`, with which the program ends.
public protocol SQLDriver: AnyObject, SQLRunner, Service {
    /// The engine's language.
    var dialect: SQLDialect { get }

    /// Begins a transaction on a connection of its own.
    func begin(_ isolation: SQLIsolation, deadline: ContinuousClock.Instant) async throws -> any SQLDriverTransaction

    /// Runs statements in one transaction with as few journeys as possible: all or none.
    func batch(_ statements: [SQL], deadline: ContinuousClock.Instant) async throws

    /// Begins to read a result in portions.
    func open(_ statement: SQLStatement) async throws -> any SQLCursor
}

/// A transaction that has begun. After an error of the connection every call throws.
public protocol SQLDriverTransaction: SQLRunner {
    /// Runs statements separated by semicolons, which have no values: a migration's.
    func run(script: String, deadline: ContinuousClock.Instant) async throws

    /// Makes what was done last; the connection is let go, whatever comes of it.
    func commit(deadline: ContinuousClock.Instant) async throws

    /// Undoes everything and lets the connection go, in a cancelled task too. It cannot fail: where the engine does not
    /// answer, the connection is closed, which undoes as well.
    func rollBack() async
}

/// A result that is read in portions, which is how a reader that is slow holds back the engine.
public protocol SQLCursor: Sendable {
    /// Reads on.
    /// - Parameter count: How many rows at most; fewer only at the end.
    /// - Returns: What was made of the rows, and whether that was the end.
    func fetch<State: Sendable>(
        atMost count: Int,
        deadline: ContinuousClock.Instant,
        into state: State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Void
    ) async throws -> (state: State, isAtEnd: Bool)

    /// Lets the connection go, whether the end is reached or not; callable from any thread, any number of times, and
    /// while nothing is being fetched.
    func close()
}
