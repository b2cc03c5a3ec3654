/// Strings as JSON writes them (RFC 8259 §7).
///
///     string    = %x22 *char %x22
///     char      = unescaped / %x5C ( %x22 / %x5C / %x62 / %x66 / %x6E / %x72 / %x74 / %x75 4HEXDIG )
///     unescaped = %x20-21 / %x23-5B / %x5D-10FFFF
///
/// Nothing here looks at `Character`s: `\r\n` is a single one, and so is a quotation mark with a combining mark after
/// it.
enum JSONEscaping {
    /// Appends UTF-8 in quotation marks.
    /// - Parameters:
    ///   - text: A text in memory in which eight bytes can be read after it.
    ///   - isSafeInHTML: Whether it may stand in a `<script>` element. Then no tag, comment or character reference can
    ///     begin in it, and it has no U+2028 or U+2029, which JSON allows in a string and JavaScript did not before
    ///     ECMAScript 2019.
    static func append(padded text: UnsafeBufferPointer<UInt8>, to output: ByteBuffer, isSafeInHTML: Bool) {
        output.append(UInt8(ascii: "\""))
        if let source = text.baseAddress {
            if isSafeInHTML {
                EscapingCopy.append(
                    padded: source, count: text.count, to: output, specials: specialsInHTML, escape: escape)
            } else {
                EscapingCopy.append(
                    padded: source, count: text.count, to: output, specials: specials(in:), escape: escape)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// A word whose lowest set bit is in the first byte that a string must escape, a control, `"` or `\`; 0 if there is
    /// none (RFC 8259 §7).
    @inline(__always)
    static func specials(in word: UInt64) -> UInt64 {
        let controls = (word &- EscapingCopy.every(0x20)) & ~word & EscapingCopy.every(0x80)
        return controls | EscapingCopy.zeros(word ^ EscapingCopy.every(0x22))
            | EscapingCopy.zeros(word ^ EscapingCopy.every(0x5C))
    }

    /// Finds the same, `<`, `>`, `&`, and the byte with which U+2028 and U+2029 begin.
    @inline(__always)
    private static func specialsInHTML(_ word: UInt64) -> UInt64 {
        // `<` and `>`, 0x3C and 0x3E, differ in one bit; a mask without that bit finds both.
        specials(in: word)
            | EscapingCopy.zeros((word & EscapingCopy.every(0xFD)) ^ EscapingCopy.every(0x3C))
            | EscapingCopy.zeros(word ^ EscapingCopy.every(0x26)) | EscapingCopy.zeros(word ^ EscapingCopy.every(0xE2))
    }

    private static func escape(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
    ) -> (read: Int, written: Int) {
        let byte = source.load(as: UInt8.self)
        switch byte {
        case UInt8(ascii: "\""): return (1, EscapingCopy.write("\\\"", to: target))
        case UInt8(ascii: "\\"): return (1, EscapingCopy.write("\\\\", to: target))
        case 0x08: return (1, EscapingCopy.write("\\b", to: target))
        case 0x09: return (1, EscapingCopy.write("\\t", to: target))
        case 0x0A: return (1, EscapingCopy.write("\\n", to: target))
        case 0x0C: return (1, EscapingCopy.write("\\f", to: target))
        case 0x0D: return (1, EscapingCopy.write("\\r", to: target))
        case 0xE2: return escapeSeparator(source, target)
        default:
            let written = EscapingCopy.write("\\u00", to: target)
            (target + written).storeBytes(of: Hexadecimal.digit(byte >> 4), as: UInt8.self)
            (target + written + 1).storeBytes(of: Hexadecimal.digit(byte & 15), as: UInt8.self)
            return (1, written + 2)
        }
    }

    /// Escapes U+2028 or U+2029, whose UTF-8 is E2 80 A8 and E2 80 A9. Of any other character it copies a byte.
    private static func escapeSeparator(
        _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer
    ) -> (read: Int, written: Int) {
        let second = source.load(fromByteOffset: 1, as: UInt8.self)
        let third = source.load(fromByteOffset: 2, as: UInt8.self)
        if second == 0x80, third == 0xA8 { return (3, EscapingCopy.write("\\u2028", to: target)) }
        if second == 0x80, third == 0xA9 { return (3, EscapingCopy.write("\\u2029", to: target)) }
        target.storeBytes(of: 0xE2, as: UInt8.self)
        return (1, 1)
    }
}
