/// A set of bytes, for the character classes of the grammars: two words below 128, and all or none above.
struct ByteSet: Sendable {
    private let low: UInt64
    private let high: UInt64
    private let includesUpperHalf: Bool

    /// The bytes below 128 for which `isMember` holds, and on request all others.
    init(includingUpperHalf: Bool = false, where isMember: (UInt8) -> Bool) {
        var words: (UInt64, UInt64) = (0, 0)
        for byte in UInt8(0)..<128 where isMember(byte) {
            if byte < 64 { words.0 |= 1 << UInt64(byte) } else { words.1 |= 1 << UInt64(byte - 64) }
        }
        (low, high) = words
        includesUpperHalf = includingUpperHalf
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte >= 128 { return includesUpperHalf }
        return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }

    /// Returns the index after the run of members that begins at `start`.
    @inline(__always)
    func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, contains(bytes[index]) { index += 1 }
        return index
    }

    /// `tchar` (RFC 9110 §5.6.2): any visible ASCII character but delimiters.
    static let token = ByteSet { byte in
        let delimiters = Array("\"(),/:;<=>?@[\\]{}".utf8)
        return byte > 0x20 && byte < 0x7F && !delimiters.contains(byte)
    }

    /// The bytes of a field value (RFC 9110 §5.5): blanks, visible ASCII characters and `obs-text`.
    static let fieldContent = ByteSet(includingUpperHalf: true) { byte in
        byte == 0x09 || (byte >= 0x20 && byte < 0x7F)
    }
}
