import Glibc
import Roost

/// The kind of a statement, judged by its first words. That is enough to refuse, before sending it, what is the
/// driver's business, and to choose a connection. What runs inside another statement (`DO`, `CALL`) is left to the
/// engine.
package enum StatementKind: Sendable {
    /// A query, perhaps; SQLite knows only after preparing it.
    case query
    /// A change of rows.
    case change
    /// A change of the schema, which is possible in a transaction, too.
    case definition
    /// The beginning or end of a transaction, or the attachment of a file: the driver's business.
    case transactionControl
    /// The creation or release of a savepoint, or a rollback to one.
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

    /// Whether a text has no statement, but only blanks, comments and semicolons.
    package static func isNone(_ text: String, in dialect: SQLDialect) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var words = SQLWords(bytes, dialect)
            return words.isAtEnd()
        }
    }

    fileprivate static func isSelect(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let word: StaticString = "SELECT "
        guard let base = bytes.baseAddress, bytes.count >= word.utf8CodeUnitCount else { return false }
        return memcmp(base, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    private init(_ words: inout SQLWords) {
        switch words.next() {
        case "SELECT", "VALUES", "EXPLAIN", "WITH": self = .query
        case "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE": self = .change
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

extension SQL {
    /// Whether it may insert, update or delete rows, judged by its words: certainly when it begins with such a word;
    /// possibly when it begins with `WITH` or `EXPLAIN`, and has such a word anywhere.
    package var changesRows: Bool {
        var text = text
        let first = text.withUTF8 { bytes in
            if StatementKind.isSelect(bytes) { return "SELECT" }
            var words = SQLWords(bytes, .postgresql)
            return words.next()
        }
        let changes: [StaticString] = ["INSERT", "UPDATE", "DELETE", "MERGE"]
        guard first == "WITH" || first == "EXPLAIN" else { return changes.contains { $0.description == first } }
        return changes.contains { contains(word: $0) }
    }

    /// Whether the text has a word of capitals anywhere, in letters of any case, a literal or a comment included.
    package func contains(word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        var text = text
        return text.withUTF8 { bytes in
            guard let first = word.first, bytes.count >= word.count else { return false }
            return (0...bytes.count - word.count).contains { start in
                guard bytes[start] & 0xDF == first else { return false }
                let end = start + word.count
                return word.indices.allSatisfy { bytes[start + $0] & 0xDF == word[$0] }
                    && (start == 0 || !bytes[start - 1].beginsName)
                    && (end == bytes.count || !(bytes[end].beginsName || bytes[end].isDigit))
            }
        }
    }
}

extension UInt8 {
    /// Whether a name may begin with it. A digit or `$` may end what stands before a keyword: `SELECT 1INTO t`.
    fileprivate var beginsName: Bool { isLetter || self == UInt8(ascii: "_") || self >= 0x80 }
}

/// The words at the beginning of a statement, one after the other, with blanks and comments skipped. It reads bytes, in
/// the same way as the engines do.
private struct SQLWords {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>
    private let dialect: SQLDialect
    private var isFirst = true

    /// Starts at the first word of a text, whose memory must stay valid.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ dialect: SQLDialect) {
        rest = bytes[...]
        self.dialect = dialect
    }

    /// The next word in capitals; empty when the next token is not a word, or at the end.
    mutating func next() -> String {
        skipToWord()
        isFirst = false
        let word = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self).uppercased()
    }

    /// Whether there is nothing more.
    mutating func isAtEnd() -> Bool {
        skipToWord()
        return rest.isEmpty
    }

    private mutating func skipToWord() {
        while let byte = rest.first {
            // A statement may be preceded by empty ones.
            if byte <= 0x20 || byte == UInt8(ascii: ";") && isFirst {
                rest.removeFirst()
            } else if begins(0xEF, 0xBB), rest.dropFirst(2).first == 0xBF {
                // A byte order mark: a blank to SQLite; to PostgreSQL the beginning of a syntax error.
                rest.removeFirst(3)
            } else if begins(0x2D, 0x2D) {
                skipLine()
            } else if begins(0x2F, 0x2A) {
                skipComment()
            } else {
                return
            }
        }
    }

    private func begins(_ first: UInt8, _ second: UInt8) -> Bool {
        rest.first == first && rest.dropFirst().first == second
    }

    /// Skips a `--` comment, up to the end of the line; for PostgreSQL a carriage return ends the line too.
    private mutating func skipLine() {
        let endsAtReturn = dialect == .postgresql
        rest = rest.drop { $0 != 0x0A && !(endsAtReturn && $0 == 0x0D) }
    }

    /// Skips a `/* … */` comment; in PostgreSQL they nest.
    private mutating func skipComment() {
        var depth = 0
        while !rest.isEmpty {
            if begins(0x2F, 0x2A), depth == 0 || dialect == .postgresql {
                depth += 1
                rest.removeFirst(2)
            } else if begins(0x2A, 0x2F) {
                depth -= 1
                rest.removeFirst(2)
                if depth == 0 { return }
            } else {
                rest.removeFirst()
            }
        }
    }
}
