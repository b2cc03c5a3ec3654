/// What went wrong with a database, the same for every engine.
///
/// A controller answers what is about the data, such as ``uniqueViolation(_:)``. What makes the database unavailable
/// becomes a 503 with `Retry-After` by itself where nobody catches it.
public enum DatabaseError: Error, Sendable, Equatable {
    // MARK: About the data

    /// Something that must be unique is there already. Names the columns (`users.name`) in SQLite, the constraint in
    /// PostgreSQL.
    case uniqueViolation(String)
    /// A row refers to one that is not there, or is referred to and cannot go. Names the constraint where it is known.
    case foreignKeyViolation(String)
    /// A value is missing. Names the column.
    case notNullViolation(String)
    /// A value is not allowed. Names the constraint.
    case checkViolation(String)
    /// A value cannot be bound.
    case invalidValue(String)

    // MARK: About the program

    /// A row cannot be decoded: the column, and what is wrong with it.
    case column(String, reason: String)
    /// A result has more rows than ``DatabaseConfiguration/maximumRows``.
    case tooManyRows(limit: Int)
    /// The database refuses the statement: its code (an SQLSTATE, or SQLite's), and what it says.
    case statement(code: String, message: String)

    // MARK: About the database

    /// Somebody else holds a lock for too long.
    case busy(String)
    /// The time for the statement or the transaction is over.
    case timeout(String)
    /// Too much is waiting, or the database cannot be opened or reached.
    case unavailable(String)
    /// The database cannot be opened as the configuration says, and waiting does not mend that: a wrong password, a
    /// database that does not exist. A driver's `start()` makes a `ConfigurationError` of it.
    case misconfigured(String)
    /// The connection broke: what was under way may have happened or not.
    case connectionLost(String)
    /// Two transactions would contradict each other; this one has done nothing and may be tried again.
    case serializationFailure(String)
    /// The disk is full.
    case full(String)
    /// The database can be read only.
    case readOnly(String)
    /// The file is damaged or is no database, or the disk fails.
    case corrupt(String)

    /// What ``unavailable(_:)`` says of a driver that has not been started, or has been stopped.
    public static let notOpen = "it is not open: its service has not been started, or has stopped."

    /// A statement that was refused before it was sent, since it begins or ends a transaction.
    package static let transactionControl = statement(
        code: "transaction", message: "Use transaction { } instead of BEGIN, COMMIT and the like.")

    /// A script that was refused as a whole, or at such a statement.
    package static let transactionControlInScript = statement(
        code: "transaction", message: "A script already runs in a transaction: leave out BEGIN, COMMIT and the like.")

    /// A migration's text, or a statement of a transaction, has committed or undone what belongs together.
    package static let endsTransaction = statement(
        code: "2D000", message: "It ends the transaction that it is in.")

    /// A task that is in a transaction uses the database itself.
    package static let besideTransaction = statement(
        code: "25001",
        message: "The database is used inside its own transaction: use the argument of transaction { } instead.")

    /// Whether it is the database that is unavailable, not the statement that is wrong.
    public var isUnavailability: Bool {
        switch self {
        case .busy, .timeout, .unavailable, .misconfigured, .connectionLost, .serializationFailure, .full, .readOnly,
            .corrupt:
            true
        default: false
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    /// One sentence for the log, without values.
    public var description: String {
        switch self {
        case .uniqueViolation(let name): "\(name) must be unique, but such a row already exists."
        case .foreignKeyViolation(let name): "A foreign key is violated: \(name)"
        case .notNullViolation(let name): "\(name) must have a value."
        case .checkViolation(let name): "A check is violated: \(name)"
        case .invalidValue(let text): text
        case .column(let name, let reason): "Column \(name): \(reason)"
        case .tooManyRows(let limit):
            "The result has more than \(limit) rows: select fewer, or read them with stream(_:as:)."
        case .statement(let code, let message): "The database refuses the statement (\(code)): \(message)"
        case .busy(let text): "The database is locked: \(text)"
        case .timeout(let text): "The database took too long: \(text)"
        case .unavailable(let text): "The database is unavailable: \(text)"
        case .misconfigured(let text): text
        case .connectionLost(let text): "The connection to the database is lost: \(text)"
        case .serializationFailure(let text): "Two transactions conflict with each other: \(text)"
        case .full(let text): "The disk of the database is full: \(text)"
        case .readOnly(let text): "The database can only be read: \(text)"
        case .corrupt(let text): "The database is damaged: \(text)"
        }
    }
}
