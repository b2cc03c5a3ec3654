/// Makes text from outside safe to log.
package enum LogText {
    /// Stands behind a text of which a log shows only the beginning.
    static let cutMark = "…"

    /// Escapes what could forge a line of the log, control a terminal, or show a text in another order.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: misleads) else { return text }
        return text.unicodeScalars.map { scalar in
            misleads(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// Whether each byte of a text means itself in every format of the log: it is printable ASCII, and neither `"` nor
    /// `\`. Eight bytes are tested at a time. The subtraction may borrow and mark a further byte, which does not
    /// matter, since it only happens after a byte that is marked rightly.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = text.baseAddress else { return true }
        var marks: UInt64 = 0
        var index = 0
        while index &+ 8 <= text.count {
            marks |= special(UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
            index &+= 8
        }
        while index < text.count {
            marks |= special(UInt64(start[index]) | blanks &<< 8)
            index &+= 1
        }
        return marks == 0
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080
    private static let blanks: UInt64 = 0x2020_2020_2020_2020

    /// Returns a number that is not 0 if a byte of the word is a control character, `"`, `\`, or outside ASCII.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let controls = (word &- blanks) & ~word
        let quotes = word ^ 0x22 &* ones
        let backslashes = word ^ 0x5C &* ones
        let deletes = word ^ 0x7F &* ones
        let zeros = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (deletes &- ones) & ~deletes
        return (controls | zeros | word) & tops
    }

    /// Whether it is a control character, a separator of lines or paragraphs, or changes the direction of text (UAX
    /// #9).
    static func misleads(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
