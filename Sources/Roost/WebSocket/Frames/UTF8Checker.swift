//     UTF8-2 = %xC2-DF UTF8-tail
//     UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
//     UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
//     UTF8-tail = %x80-BF

/// Checks text that comes in pieces, which may end within a character (RFC 3629 §4).
struct UTF8Checker: BitwiseCopyable {
    /// The number of bytes of the current character that are still to come.
    private var missing: UInt8 = 0
    /// The least and the largest that the next of them may be.
    private var least: UInt8 = 0x80
    private var largest: UInt8 = 0xBF

    /// Whether the text may end here.
    var isBetweenCharacters: Bool { missing == 0 }

    /// Takes the next piece. False at the first byte that cannot be part of the text.
    mutating func accepts(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var offset = 0
        while offset < bytes.count {
            if missing == 0 {
                offset = Self.skipASCII(base, from: offset, to: bytes.count)
                guard offset < bytes.count else { return true }
                guard begin(base[offset]) else { return false }
            } else {
                guard base[offset] >= least, base[offset] <= largest else { return false }
                missing &-= 1
                (least, largest) = (0x80, 0xBF)
            }
            offset &+= 1
        }
        return true
    }

    private static func skipASCII(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
        var offset = start
        let raw = UnsafeRawPointer(base)
        while end &- offset >= 8,
            raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { offset &+= 8 }
        while offset < end, base[offset] < 0x80 { offset &+= 1 }
        return offset
    }

    /// The first byte of a character of more than one.
    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            if byte == 0xE0 { least = 0xA0 }
            if byte == 0xED { largest = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            if byte == 0xF0 { least = 0x90 }
            if byte == 0xF4 { largest = 0x8F }
        default: return false
        }
        return true
    }
}
