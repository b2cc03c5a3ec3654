/// Turns the inside of a JSON string back into the UTF-8 it stands for (RFC 8259 §7).
///
/// The text must be one that ``JSONScanner`` reads or has passed.
enum JSONUnescaping {
    static func string(of escaped: UnsafeBufferPointer<UInt8>) -> String {
        let isPlain = !escaped.contains(UInt8(ascii: "\\"))
        return isPlain ? String(decoding: escaped, as: UTF8.self) : String(decoding: bytes(of: escaped), as: UTF8.self)
    }

    static func bytes(of escaped: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var index = 0
        while index < escaped.count {
            guard escaped[index] == UInt8(ascii: "\\"), index + 1 < escaped.count else {
                bytes.append(escaped[index])
                index += 1
                continue
            }
            index = unescape(escaped, at: index + 1, into: &bytes)
        }
        return bytes
    }

    /// Appends what an escape stands for. Returns the index after it.
    /// - Parameter index: That of the character after the backslash.
    private static func unescape(
        _ escaped: UnsafeBufferPointer<UInt8>, at index: Int, into bytes: inout [UInt8]
    ) -> Int {
        switch escaped[index] {
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): return unescapeScalar(escaped, at: index + 1, into: &bytes)
        case let character: bytes.append(character)
        }
        return index + 1
    }

    private static func unescapeScalar(
        _ escaped: UnsafeBufferPointer<UInt8>, at index: Int, into bytes: inout [UInt8]
    ) -> Int {
        let unit = codeUnit(escaped, at: index)
        guard unit & 0xFC00 == 0xD800 else {
            append(unit, to: &bytes)
            return index + 4
        }
        let low = codeUnit(escaped, at: index + 6)
        append(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, to: &bytes)
        return index + 10
    }

    /// The value of the four hexadecimal digits at an index.
    private static func codeUnit(_ escaped: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
        guard index >= 0, index + 4 <= escaped.count else { return 0xFFFD }
        return escaped[index..<(index + 4)].reduce(0) { $0 << 4 | UInt32(Hexadecimal.value($1) ?? 0) }
    }

    private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }
}
