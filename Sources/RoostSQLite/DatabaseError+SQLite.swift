internal import CSQLite
internal import RoostSQL

extension DatabaseError {
    /// The error that a result code stands for (https://sqlite.org/rescode.html).
    /// - Parameter message: SQLite's message, which names tables and columns but contains no values.
    init(code: Int32, message: String, path: String) {
        let place = "\(message) (\(path))"
        // The commit stands in the log, and may be found there after a crash.
        if code == SQLITE_IOERR_FSYNC {
            self = .outcomeUnknown(place)
            return
        }
        switch code & 0xFF {
        case SQLITE_CONSTRAINT: self = Self.violation(code, message)
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy(place)
        // It has the same code, and the same message, for a table that has no next id.
        case SQLITE_FULL: self = .full("\(place), or a table with AUTOINCREMENT has a row with the greatest id")
        case SQLITE_READONLY: self = .readOnly(place)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(place)
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PERM: self = .unavailable(place)
        case SQLITE_INTERRUPT: self = .timeout("the statement was interrupted.")
        case SQLITE_TOOBIG: self = .invalidValue("A value or a statement is too large for SQLite.")
        default: self = .statement(code: "SQLite \(code)", message: message)
        }
    }

    private static func violation(_ code: Int32, _ message: String) -> DatabaseError {
        // "UNIQUE constraint failed: users.name"
        let name = message.split(separator: ": ", maxSplits: 1).dropFirst().first.map(String.init) ?? message
        switch code {
        case SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_ROWID:
            // "index 'users_lower'" for an index on an expression
            guard name.hasPrefix("index '") else { return .uniqueViolation(name) }
            return .uniqueViolation(String(name.dropFirst(7).dropLast()))
        // `ON DELETE RESTRICT` is a trigger of SQLite's own.
        case SQLITE_CONSTRAINT_TRIGGER where message == "FOREIGN KEY constraint failed":
            return .foreignKeyViolation(message)
        case SQLITE_CONSTRAINT_TRIGGER: return .exclusionViolation(message)
        case SQLITE_CONSTRAINT_FOREIGNKEY: return .foreignKeyViolation(name)
        case SQLITE_CONSTRAINT_NOTNULL: return .notNullViolation(name)
        case SQLITE_CONSTRAINT_CHECK: return .checkViolation(name)
        default: return .statement(code: "SQLite \(code)", message: message)
        }
    }

    /// Whether a connection that met this error should be opened again: what it knows about the file may be wrong.
    var endsConnection: Bool {
        switch self {
        case .readOnly, .corrupt, .unavailable, .outcomeUnknown: true
        default: false
        }
    }
}

// Codes that are macros with arithmetic in C, which Swift does not import.
let SQLITE_CONSTRAINT_CHECK = SQLITE_CONSTRAINT | (1 << 8)
let SQLITE_CONSTRAINT_FOREIGNKEY = SQLITE_CONSTRAINT | (3 << 8)
let SQLITE_CONSTRAINT_NOTNULL = SQLITE_CONSTRAINT | (5 << 8)
let SQLITE_CONSTRAINT_PRIMARYKEY = SQLITE_CONSTRAINT | (6 << 8)
let SQLITE_CONSTRAINT_TRIGGER = SQLITE_CONSTRAINT | (7 << 8)
let SQLITE_CONSTRAINT_UNIQUE = SQLITE_CONSTRAINT | (8 << 8)
let SQLITE_CONSTRAINT_ROWID = SQLITE_CONSTRAINT | (10 << 8)
let SQLITE_IOERR_FSYNC = SQLITE_IOERR | (4 << 8)
