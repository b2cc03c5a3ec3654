/// What a statement does, as far as its first words tell: enough to refuse what is a driver's business before it is
/// sent, and to choose a connection. What hides (`DO`, `CALL`) an engine must find by itself.
package enum StatementKind: Sendable {
    /// It may be a query; SQLite knows when it has been prepared.
    case query
    /// It changes rows.
    case change
    /// It changes the schema, which a transaction can hold, too.
    case definition
    /// It begins or ends a transaction, or attaches a file, which is the driver's business.
    case transactionControl
    /// It makes a savepoint, forgets it or returns to it.
    case savepoint
    /// Another, such as `VACUUM` or `PRAGMA`.
    case other

    /// Looks at a statement's first words, in an engine's language.
    package init(_ text: String, in dialect: SQLDialect) {
        var text = text
        self = text.withUTF8 { bytes in
            var words = SQLWords(bytes, dialect)
            return Self(&words)
        }
    }

    private init(_ words: inout SQLWords) {
        switch words.next() {
        case "SELECT", "VALUES", "EXPLAIN", "WITH": self = .query
        case "INSERT", "UPDATE", "DELETE", "REPLACE": self = .change
        case "CREATE", "ALTER", "DROP", "ANALYZE", "REINDEX": self = .definition
        case "BEGIN", "START", "END", "ABORT", "ATTACH", "DETACH": self = .transactionControl
        // PREPARED ends what another session has left, and no transaction of this one.
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
