/// Strings as JSON writes them (RFC 8259 §7).
///
///     string    = %x22 *char %x22
///     char      = unescaped / %x5C ( %x22 / %x5C / %x62 / %x66 / %x6E / %x72 / %x74 / %x75 4HEXDIG )
///     unescaped = %x20-21 / %x23-5B / %x5D-10FFFF
///
/// Eight bytes at a time are tested and copied, up to the next byte that needs an escape. Nothing here looks at
/// `Character`s: `\r\n` is a single one, and so is a quotation mark with a combining mark after it.
enum JSONEscaping {
    /// Appends a string in quotation marks.
    @inline(__always)
    static func append(_ text: String, to buffer: ByteBuffer, isSafeInHTML: Bool) {
        var text = text
        text.withUTF8 { append($0, to: buffer, isSafeInHTML: isSafeInHTML) }
    }

    /// Appends UTF-8 in quotation marks.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: ByteBuffer, isSafeInHTML: Bool) {
        guard let start = text.baseAddress else { return buffer.append("\"\"") }
        if isSafeInHTML { return appendSafeInHTML(text, to: buffer) }
        let count = text.count
        if appendShort(start, count: count, to: buffer) { return }
        let clean = appendClean(start, count: count, to: buffer)
        if clean < count { appendRest(start + clean, count: count &- clean, to: buffer) }
    }

    /// Appends the opening quotation mark, and the text up to the first byte that needs an escape. If there is none,
    /// appends the closing mark too. Returns how many bytes of the text were appended.
    @inline(__always)
    private static func appendClean(_ source: UnsafePointer<UInt8>, count: Int, to buffer: ByteBuffer) -> Int {
        var clean = 0
        _ = buffer.write(upTo: count &+ slack) { room in
            guard let target = room.baseAddress else { return 0 }
            target[0] = UInt8(ascii: "\"")
            clean = copyClean(source, count: count, to: target + 1)
            if clean < count { return clean &+ 1 }
            target[count &+ 1] = UInt8(ascii: "\"")
            return count &+ 2
        }
        return clean
    }

    /// Appends text that begins with a byte that needs an escape, and the closing quotation mark.
    @inline(never)
    private static func appendRest(_ source: UnsafePointer<UInt8>, count: Int, to buffer: ByteBuffer) {
        var index = 0
        while index < count {
            _ = buffer.write(upTo: count &- index &+ slack) { room in
                guard let target = room.baseAddress else { return 0 }
                let escaped = escape(source[index], to: target)
                index &+= 1
                let clean = copyClean(source + index, count: count &- index, to: target + escaped)
                index &+= clean
                return escaped &+ clean
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Room beyond the text: eight bytes for a word that is stored before it is tested, six for an escape, two for the
    /// quotation marks.
    private static let slack = 16

    /// Copies the bytes before the first one that needs an escape. Returns how many there are.
    @inline(__always)
    private static func copyClean(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        if count < 8 { return copyShort(source, count: count, to: target) }
        let last = count &- 8
        var index = 0
        while true {
            let word = UInt64(littleEndian: UnsafeRawPointer(source + index).loadUnaligned(as: UInt64.self))
            UnsafeMutableRawPointer(target + index).storeBytes(of: word.littleEndian, as: UInt64.self)
            let special = JSONWord.special(word)
            if special != 0 { return index &+ special.trailingZeroBitCount &>> 3 }
            if index == last { return count }
            // The last word overlaps the one before.
            index = min(index &+ 8, last)
        }
    }

    /// The same for fewer than eight bytes. Of four or more, the first four and the last four, which may overlap, are
    /// tested together.
    @inline(__always)
    private static func copyShort(
        _ source: UnsafePointer<UInt8>, count: Int, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        if count >= 4 {
            let first = UnsafeRawPointer(source).loadUnaligned(as: UInt32.self)
            let last = UnsafeRawPointer(source + count - 4).loadUnaligned(as: UInt32.self)
            if JSONWord.special(UInt64(first) | UInt64(last) &<< 32) == 0 {
                UnsafeMutableRawPointer(target).storeBytes(of: first, as: UInt32.self)
                UnsafeMutableRawPointer(target + count - 4).storeBytes(of: last, as: UInt32.self)
                return count
            }
        }
        var index = 0
        while index < count, !isSpecial(source[index]) {
            target[index] = source[index]
            index &+= 1
        }
        return index
    }

    /// Whether a byte may not stand in a string as it is.
    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

// MARK: - Escapes

extension JSONEscaping {
    /// Writes the escape of a byte. Returns its length.
    @inline(__always)
    private static func escape(_ byte: UInt8, to target: UnsafeMutablePointer<UInt8>) -> Int {
        target[0] = UInt8(ascii: "\\")
        target[1] = letter(for: byte)
        guard target[1] == UInt8(ascii: "u") else { return 2 }
        target[2] = UInt8(ascii: "0")
        target[3] = UInt8(ascii: "0")
        target[4] = UInt8(ascii: "0") &+ byte >> 4
        target[5] = Hexadecimal.digit(byte & 15)
        return 6
    }

    /// Returns the byte that follows the backslash; `u` if there is no short form.
    @inline(__always)
    private static func letter(for byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: UInt8(ascii: "u")
        }
    }

    /// Appends text that may stand in a `<script>` element. No tag, comment or character reference can begin in it. It
    /// has no U+2028 or U+2029, which JSON allows in a string and JavaScript did not before ECMAScript 2019.
    @inline(never)
    private static func appendSafeInHTML(_ text: UnsafeBufferPointer<UInt8>, to buffer: ByteBuffer) {
        buffer.append(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            let byte = text[index]
            if isSpecial(byte) || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&") {
                _ = buffer.write(upTo: 6) { room in room.baseAddress.map { escape(byte, to: $0) } ?? 0 }
            } else if let separator = lineSeparator(text[index...]) {
                buffer.append(separator)
                index += 2
            } else {
                buffer.append(byte)
            }
            index += 1
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// The escape of U+2028 or U+2029, where one begins.
    private static func lineSeparator(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> StaticString? {
        if text.starts(with: [0xE2, 0x80, 0xA8]) { return "\\u2028" }
        return text.starts(with: [0xE2, 0x80, 0xA9]) ? "\\u2029" : nil
    }
}
