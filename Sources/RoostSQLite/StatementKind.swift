/// What a statement does, as far as its first word tells.
enum StatementKind {
    /// It may be a query; SQLite knows when it has been prepared.
    case query
    /// It changes rows.
    case change
    /// It changes the schema, which a transaction can hold, too.
    case definition
    /// It begins or ends a transaction, which is the driver's business.
    case transactionControl
    /// Another, such as `VACUUM` or `PRAGMA`, that cannot be in a transaction with others.
    case other

    init(_ text: String) {
        switch Self.firstWord(text) {
        case "SELECT", "VALUES", "EXPLAIN", "WITH": self = .query
        case "INSERT", "UPDATE", "DELETE", "REPLACE": self = .change
        case "CREATE", "ALTER", "DROP", "ANALYZE", "REINDEX": self = .definition
        case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH":
            self = .transactionControl
        default: self = .other
        }
    }

    /// The first word in capitals, behind blanks and comments.
    private static func firstWord(_ text: String) -> String {
        var bytes = text.utf8[...]
        while let byte = bytes.first {
            if byte <= 0x20 || byte == UInt8(ascii: ";") {
                bytes.removeFirst()
            } else if bytes.starts(with: "\u{FEFF}".utf8) {
                // A byte order mark, which is a blank to SQLite.
                bytes.removeFirst(3)
            } else if bytes.starts(with: "--".utf8) {
                bytes = bytes.drop { $0 != 0x0A }
            } else if bytes.starts(with: "/*".utf8) {
                bytes = Self.behindComment(bytes)
            } else {
                break
            }
        }
        return String(Substring(bytes.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })).uppercased()
    }

    private static func behindComment(_ text: Substring.UTF8View) -> Substring.UTF8View {
        var rest = text.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
        return rest.dropFirst(2)
    }
}
