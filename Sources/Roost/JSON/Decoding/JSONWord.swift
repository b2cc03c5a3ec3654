/// Questions asked of eight bytes at once, the first in the lowest bits.
///
/// Each answer has the top bit of a byte set where that byte is meant. Bytes above the first such one may be marked
/// wrongly, because the subtraction borrows; so only whether there is one, and the lowest, count.
enum JSONWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Bytes that a string cannot hold as they are: controls, `"` and `\`.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let controls = (word &- 0x20 &* ones) & ~word
        return (controls | zeros(word ^ 0x22 &* ones) | zeros(word ^ 0x5C &* ones)) & tops
    }

    /// The above, and bytes outside ASCII.
    @inline(__always)
    static func specialOrForeign(_ word: UInt64) -> UInt64 {
        special(word) | word & tops
    }

    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
}
