/// Tells which statements may share a connection with others: a `SELECT` that changes nothing, waits for nothing but a
/// table's lock, and so can be broken off and begun again.
///
/// It is judged by the text alone. Whatever is not certain is not plain: a function that is not listed here, for
/// instance, since it may sleep, take a lock, or count.
enum PlainRead {
    static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var scan = Scan(bytes: bytes)
            return scan.isPlain()
        }
    }

    /// Words that may stand before a parenthesis: of the grammar, and functions that only compute.
    private static let harmless: Set<String> = [
        "all", "and", "any", "between", "by", "distinct", "else", "except", "exists", "from", "having", "ilike", "in",
        "intersect", "join", "like", "limit", "not", "offset", "on", "or", "select", "then", "union", "using", "when",
        "where",
        "abs", "avg", "coalesce", "count", "greatest", "least", "length", "lower", "max", "min", "nullif", "round",
        "sum", "upper",
    ]

    /// `FOR UPDATE` and the like lock rows; `INTO` creates a table.
    private static let harmful: Set<String> = ["for", "into"]

    private struct Scan {
        let bytes: UnsafeBufferPointer<UInt8>
        private var place = 0
        private var isFirst = true
        /// Whether what stands before is a name that may be a function's.
        private var isAfterName = false
        /// Whether what stands before is the dot of a qualified name.
        private var isAfterDot = false

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func isPlain() -> Bool {
            while place < bytes.count {
                guard takeToken() else { return false }
            }
            return !isFirst
        }

        /// Goes beyond the next token; false if the statement is not plain.
        private mutating func takeToken() -> Bool {
            let byte = bytes[place]
            if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
                place += 1
                return true
            }
            if Self.isLetter(byte) { return takeWord() }
            // Only a word can be first.
            if isFirst { return false }
            let wasAfterName = isAfterName
            isAfterName = false
            isAfterDot = false
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                // With `U&"…" UESCAPE '!'`, a name may end with either.
                isAfterName = true
                return takeQuoted(byte)
            case UInt8(ascii: "("): if wasAfterName { return false }
            case UInt8(ascii: "."): (isAfterName, isAfterDot) = (true, true)
            // Blanks to some versions of the server and not to others.
            case 0x0B, 0x0C: return false
            // A dollar quote, a second statement, a comment, an escape.
            case UInt8(ascii: "$"): if !isDigit(place + 1) { return false }
            case UInt8(ascii: ";"), UInt8(ascii: "\\"), 0: return false
            case UInt8(ascii: "-"), UInt8(ascii: "/"):
                if place + 1 < bytes.count, bytes[place + 1] == byte || bytes[place + 1] == 0x2A { return false }
            default: break
            }
            place += 1
            return true
        }

        private mutating func takeWord() -> Bool {
            let start = place
            while place < bytes.count, Self.isLetter(bytes[place]) || isDigit(place) { place += 1 }
            let word = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
            if isFirst, word != "select" { return false }
            isFirst = false
            isAfterName = isAfterDot || !PlainRead.harmless.contains(word)
            isAfterDot = false
            return !PlainRead.harmful.contains(word)
        }

        private mutating func takeQuoted(_ quote: UInt8) -> Bool {
            guard let end = bytes[(place + 1)...].firstIndex(of: quote),
                !bytes[place..<end].contains(UInt8(ascii: "\\"))
            else { return false }
            place = end + 1
            return true
        }

        private func isDigit(_ place: Int) -> Bool {
            place < bytes.count && bytes[place] >= 0x30 && bytes[place] <= 0x39
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F || byte >= 0x80
        }
    }
}
