import Glibc
public import Roost

/// An error of a database, the same for every engine.
///
/// A controller handles errors about the data, such as ``uniqueViolation(_:)``. An error about the database becomes a
/// 503 if nobody catches it, with `Retry-After` unless it is ``outcomeUnknown(_:)``.
public enum DatabaseError: Error, Sendable, Equatable {
    // MARK: About the data

    /// A value that must be unique already exists. Names the columns, in the order of their index (`users.name`, or
    /// `seats.room, seats.number`); for an index on an expression, the index. See ``isConflict(on:)``.
    case uniqueViolation(String)
    /// A row that excludes this one already exists. Names the constraint: that of PostgreSQL's `EXCLUDE`, or the text
    /// of `RAISE(ABORT, '…')` in a trigger of SQLite. See ``isConflict(on:)``.
    case exclusionViolation(String)
    /// A row refers to a row that does not exist, or cannot be deleted because another row refers to it. Names the
    /// constraint if it is known.
    case foreignKeyViolation(String)
    /// A value is missing. Names the column.
    case notNullViolation(String)
    /// A value is not allowed. Names the constraint.
    case checkViolation(String)
    /// A value cannot be bound to a statement.
    case invalidValue(String)

    // MARK: About the program

    /// A column of a row cannot be decoded: its name, and the reason.
    case column(String, reason: String)
    /// A query has more rows than ``DatabaseConfiguration/maximumRows``.
    case tooManyRows(limit: Int)
    /// The database refused the statement: the code (an SQLSTATE, or SQLite's), and the database's message.
    case statement(code: String, message: String)

    // MARK: About the database

    /// Another connection has held a lock for too long.
    case busy(String)
    /// The statement or the transaction took too long.
    case timeout(String)
    /// Too many statements are waiting, the database cannot be opened or reached, or its disk fails.
    case unavailable(String)
    /// The configuration is wrong in a way that waiting does not fix, such as a wrong password or a database that does
    /// not exist. A driver's `start()` turns it into a `StartError.configuration`.
    case misconfigured(String)
    /// The connection broke before anything could take effect.
    case connectionLost(String)
    /// A change was sent to be committed, but no reply came, the disk failed to flush it, or the database's file was
    /// moved: the change may have taken effect, may still do so, or may not. Do not undo what belongs to it, and check
    /// before you repeat it.
    case outcomeUnknown(String)
    /// Two transactions conflict. This one has changed nothing, and may be tried again.
    case serializationFailure(String)
    /// The disk is full.
    case full(String)
    /// The database can only be read.
    case readOnly(String)
    /// The file is damaged or is not a database.
    case corrupt(String)

    /// The message of ``unavailable(_:)`` for a driver that has not been started, or has been stopped.
    package static let notOpen = "it is not open: its service has not been started, or has stopped."

    /// The error of a statement whose time is over before it runs.
    package static let lateForItsTurn = timeout("the statement waited too long for its turn.")

    /// The error of a statement that was not sent, because it begins or ends a transaction.
    package static let transactionControl = statement(
        code: "transaction", message: "Use transaction { } instead of BEGIN, COMMIT and the like.")

    /// The error of a script that was refused, as a whole or at a statement that begins or ends a transaction.
    package static let transactionControlInScript = statement(
        code: "transaction", message: "A script already runs in a transaction: leave out BEGIN, COMMIT and the like.")

    /// The error of a statement in a transaction that was committed or rolled back before.
    package static let transactionHasEnded = statement(code: "25P01", message: "The transaction has ended.")

    /// The error of a migration's script, or of a statement in a transaction, that has ended the transaction around it.
    package static let endsTransaction = statement(
        code: "2D000", message: "It ends the transaction that it is in.")

    /// The error of a task that uses the database itself while it is in a transaction.
    package static let besideTransaction = statement(
        code: "25001",
        message: "The database is used inside its own transaction: use the argument of transaction { } instead.")

    /// The error of a transaction in which PostgreSQL has refused a statement, because the columns of its rows have
    /// changed since it was prepared, or its session has forgotten it. Elsewhere the driver prepares it again.
    package static let tableHasChanged = serializationFailure(
        "A table has changed since the statement was prepared, or the session has forgotten the statement.")

    /// Returns whether the row conflicts with an existing one on these columns or this constraint. The names are the
    /// same for every engine.
    ///
    ///     catch let error as DatabaseError where error.isConflict(on: "seats.room", "seats.number") { … }
    ///
    /// - Parameter names: The columns of a `UNIQUE` constraint or index, with their table and in any order; or the name
    ///   of an index on an expression, or of an ``exclusionViolation(_:)``. PostgreSQL names the index, rather than its
    ///   columns, to a user who may not read these.
    public func isConflict(on names: String...) -> Bool {
        switch self {
        case .uniqueViolation(let name):
            Set(name.split(separator: ", ").map { ExactText(String($0)) }) == Set(names.map { ExactText($0) })
        case .exclusionViolation(let name): names == [name]
        default: false
        }
    }

    /// Whether PostgreSQL does not know a prepared statement, or refuses to run it because a table has changed.
    package var isStalePlan: Bool {
        guard case .statement(let code, _) = self else { return self == .tableHasChanged }
        return code == "26000" || code == "0A000"
    }

    /// Whether PostgreSQL has refused to begin a prepared statement, because it does not know it or its table has
    /// changed; the statement itself can give the code for that, too, unless it is a query or a change.
    package var isRefusal: Bool {
        guard case .statement(let code, _) = self else { return self == .tableHasChanged }
        return code == "26000"
    }

    /// Whether PostgreSQL may have refused a statement only because it was prepared before a table changed: it keeps
    /// the types that the values had then, which may no longer fit the columns.
    package func mayBeStale(_ sql: SQL) -> Bool {
        guard !isStalePlan else { return true }
        guard case .statement(let code, _) = self, !sql.bindings.isEmpty else { return false }
        return code.utf8.starts(with: "42".utf8) || code == "22003"
    }

    /// Whether the database is unavailable, as opposed to the statement being wrong.
    package var isUnavailability: Bool {
        switch self {
        case .busy, .timeout, .unavailable, .misconfigured, .connectionLost, .outcomeUnknown, .serializationFailure,
            .full, .readOnly, .corrupt:
            true
        default: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// One sentence for the log, without bound values.
    public var description: String {
        switch self {
        case .uniqueViolation(let name): "\(name) must be unique, but such a row already exists."
        case .exclusionViolation(let name): "A row that excludes this one already exists: \(name)"
        case .foreignKeyViolation(let name): "A foreign key is violated: \(name)"
        case .notNullViolation(let name): "\(name) must have a value."
        case .checkViolation(let name): "A check is violated: \(name)"
        case .invalidValue(let text): text
        case .column(let name, let reason): "Column \(name): \(reason)\(advice)"
        case .tooManyRows(let limit):
            "The result has more than \(limit) rows: select fewer, or read them with stream(_:as:)."
        case .statement(let code, let message): "The database refuses the statement (\(code)): \(message)\(advice)"
        case .busy(let text): "The database is locked: \(text)"
        case .timeout(let text): "The database took too long: \(text)"
        case .unavailable(let text): "The database is unavailable: \(text)"
        case .misconfigured(let text): text
        case .connectionLost(let text): "The connection to the database is lost: \(text)"
        case .outcomeUnknown(let text): "Nobody knows whether the change has taken effect: \(text)"
        case .serializationFailure(let text): "Two transactions conflict with each other: \(text)"
        case .full(let text): "The disk of the database is full: \(text)"
        case .readOnly(let text): "The database can only be read: \(text)"
        case .corrupt(let text): "The database is damaged: \(text)"
        }
    }

    /// The advice where neither the engine nor the type that was read names the mistake; otherwise empty.
    private var advice: String {
        switch self {
        case .column(_, ColumnDecoder.noArray), .column(_, ColumnDecoder.noParts): " Keep it as a JSONColumn."
        case .statement(_, let message)
        where message == "row value misused" || message.hasSuffix("= record") || message.hasSuffix("<> record")
            || message == "input of anonymous composite types is not implemented":
            ". A \\(list:) has parentheses of its own: write IN \\(list: …)."
        default: ""
        }
    }
}

extension DatabaseError: ResponseError {
    /// 503 with `Retry-After` when the database is unavailable; nil for a bug in the program, which becomes a 500. If a
    /// change may have taken effect, `Retry-After` is left out, since a repetition might make the change twice.
    public var httpError: HTTPError? {
        guard isUnavailability else { return nil }
        if case .outcomeUnknown = self { return HTTPError.outcomeUnknown }
        return HTTPError(
            .serviceUnavailable,
            "The data cannot be reached at the moment. Try again soon.",
            headers: [.retryAfter: "\(Self.retryAfter)"]
        )
    }

    /// The time to wait in seconds: shorter than a person waits, longer than most locks are held.
    private static let retryAfter = 2
}

extension DatabaseError: ExitError {
    /// 78 when something has to be changed before the database can be opened, 69 for an unavailable database, 1 for a
    /// mistake of the program.
    public var exitCode: Int32 {
        if case .misconfigured = self { return EX_CONFIG }
        return isUnavailability ? EX_UNAVAILABLE : EXIT_FAILURE
    }
}

extension MigrationError: ExitError {
    /// 78: the migrations or the database have to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}
