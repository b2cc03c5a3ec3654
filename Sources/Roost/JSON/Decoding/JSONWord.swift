/// Tests on eight bytes at once, in a word with the first byte in the lowest bits.
///
/// A result has the top bit set of each byte that was found. Bytes after the first one found may be marked wrongly,
/// because the subtraction borrows. So only two things may be used: whether the result is 0, and its lowest bit.
enum JSONWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Finds bytes that a string must escape: controls, `"` and `\` (RFC 8259 §7).
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let controls = (word &- 0x20 &* ones) & ~word
        return (controls | zeros(word ^ 0x22 &* ones) | zeros(word ^ 0x5C &* ones)) & tops
    }

    /// Finds the same, and bytes outside ASCII.
    @inline(__always)
    static func specialOrForeign(_ word: UInt64) -> UInt64 {
        special(word) | word & tops
    }

    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
