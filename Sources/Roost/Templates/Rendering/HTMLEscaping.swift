/// Writes text into HTML so that it stays text, in element content and in quoted attribute values.
///
/// `&`, `<`, `>`, `"` and `'` become character references, and NUL becomes U+FFFD: HTML cannot contain it, and parsers
/// disagree about it (WHATWG HTML §13.2.5).
enum HTMLEscaping {
    /// Appends a text.
    static func append(_ text: some Sequence<UInt8>, to output: ByteBuffer) {
        let padded = text + Array(repeating: 0, count: 8)
        padded.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            append(padded: source, count: bytes.count - 8, to: output)
        }
    }

    /// The same for a text in memory in which eight bytes can be read after it.
    static func append(padded source: UnsafePointer<UInt8>, count: Int, to output: ByteBuffer) {
        EscapingCopy.append(padded: source, count: count, to: output, specials: { specials(in: $0) }) {
            source, target in
            (1, write(source.load(as: UInt8.self), to: target))
        }
    }

    /// `"` is 0x22. `&` and `'`, 0x26 and 0x27, differ in one bit, as do `<` and `>`, 0x3C and 0x3E; so a mask without
    /// that bit finds both.
    @inline(__always)
    private static func specials(in word: UInt64) -> UInt64 {
        EscapingCopy.zeros(word) | EscapingCopy.zeros(word ^ EscapingCopy.every(0x22))
            | EscapingCopy.zeros((word & EscapingCopy.every(0xFE)) ^ EscapingCopy.every(0x26))
            | EscapingCopy.zeros((word & EscapingCopy.every(0xFD)) ^ EscapingCopy.every(0x3C))
    }

    @inline(__always)
    private static func write(_ byte: UInt8, to target: UnsafeMutableRawPointer) -> Int {
        switch byte {
        case UInt8(ascii: "&"): EscapingCopy.write("&amp;", to: target)
        case UInt8(ascii: "<"): EscapingCopy.write("&lt;", to: target)
        case UInt8(ascii: ">"): EscapingCopy.write("&gt;", to: target)
        case UInt8(ascii: "\""): EscapingCopy.write("&quot;", to: target)
        case UInt8(ascii: "'"): EscapingCopy.write("&#39;", to: target)
        default: EscapingCopy.write("\u{FFFD}", to: target)
        }
    }
}
