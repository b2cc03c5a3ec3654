/// Finds where a field value ends: at the first byte that no value may contain, a control character other than a tab.
///
///     field-value = *( field-vchar / SP / HTAB / obs-text )          ; RFC 9110 §5.5
enum FieldContent {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// The offset of the first control character; there must be one before `limit`.
    @inline(__always)
    static func end(from start: Int, in base: UnsafeMutablePointer<UInt8>, limit: Int) -> Int {
        var index = start
        // Eight bytes at a time as long as none is a control character.
        while index + 8 <= limit {
            let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
            let below20 = (word &- ones &* 0x20) & ~word
            let word7F = word ^ (ones &* 0x7F)
            let is7F = (word7F &- ones) & ~word7F
            if (below20 | is7F) & (ones &* 0x80) != 0 { break }
            index += 8
        }
        while base[index] >= 0x20 && base[index] != 0x7F || base[index] == 0x09 { index += 1 }
        return index
    }
}

extension Headers.Field {
    /// Writes the field line. False when the value contains a control character, such as a line break, which would end
    /// the line early.
    @inline(__always)
    func write(to output: ByteBuffer) -> Bool {
        output.append(name.rawName)
        output.append(": ")
        let start = output.count
        output.append(value)
        let end = output.count
        // The line's own end comes after the value: there the search for a control character stops at the latest.
        output.append("\r\n")
        return FieldContent.end(from: start, in: output.base, limit: output.count) == end
    }
}
