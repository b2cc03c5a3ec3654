/// The words at the beginning of a statement, one after the other, with blanks and comments skipped. It reads bytes, in
/// the same way as the engines do.
struct SQLWords {
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
        let word = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self).uppercased()
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
