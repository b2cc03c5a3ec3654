import Glibc

/// The kind of a statement, judged by its first words. That is enough to refuse, before sending it, what is the
/// driver's business, and to choose a connection. What runs inside another statement (`DO`, `CALL`) is left to the
/// engine.
package enum StatementKind: Sendable {
    /// It may be a query; SQLite knows only after preparing it.
    case query
    /// It changes rows.
    case change
    /// It changes the schema, which is possible in a transaction too.
    case definition
    /// It begins or ends a transaction, or attaches a file, which is the driver's business.
    case transactionControl
    /// It creates, releases or rolls back to a savepoint.
    case savepoint
    /// Any other, such as `VACUUM` or `PRAGMA`.
    case other

    /// Classifies a statement in an engine's dialect by its first words.
    package init(_ text: String, in dialect: SQLDialect) {
        var text = text
        self = text.withUTF8 { bytes in
            // By far the most frequent, and looked at for each.
            if Self.isSelect(bytes) { return .query }
            var words = SQLWords(bytes, dialect)
            return Self(&words)
        }
    }

    private static func isSelect(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let word: StaticString = "SELECT "
        guard let base = bytes.baseAddress, bytes.count >= word.utf8CodeUnitCount else { return false }
        return memcmp(base, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    private init(_ words: inout SQLWords) {
        switch words.next() {
        case "SELECT", "VALUES", "EXPLAIN", "WITH": self = .query
        case "INSERT", "UPDATE", "DELETE", "REPLACE": self = .change
        case "CREATE", "ALTER", "DROP", "ANALYZE", "REINDEX": self = .definition
        case "BEGIN", "START", "END", "ABORT", "ATTACH", "DETACH": self = .transactionControl
        // PREPARED refers to a transaction that another session has prepared, not to this one.
        case "COMMIT": self = words.next() == "PREPARED" ? .other : .transactionControl
        case "ROLLBACK": self = Self.rollback(&words)
        case "PREPARE": self = words.next() == "TRANSACTION" ? .transactionControl : .other
        case "SAVEPOINT", "RELEASE": self = .savepoint
        default: self = .other
        }
    }

    /// `ROLLBACK [WORK | TRANSACTION] [TO … | AND …]`, or `ROLLBACK PREPARED …`.
    private static func rollback(_ words: inout SQLWords) -> StatementKind {
        var word = words.next()
        if word == "PREPARED" { return .other }
        if word == "WORK" || word == "TRANSACTION" { word = words.next() }
        return word == "TO" ? .savepoint : .transactionControl
    }
}
