/// Turns the inside of a JSON string back into the UTF-8 it stands for (RFC 8259 §7).
///
/// The text must be one that ``JSONScanner`` reads or has passed.
enum JSONUnescaping {
    static func string(of escaped: UnsafeBufferPointer<UInt8>) -> String {
        let isPlain = !escaped.contains(UInt8(ascii: "\\"))
        return isPlain ? String(decoding: escaped, as: UTF8.self) : String(decoding: bytes(of: escaped), as: UTF8.self)
    }

    private static func bytes(of escaped: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(escaped.count)
        var index = 0
        while index < escaped.count {
            let byte = escaped[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < escaped.count else {
                bytes.append(byte)
                continue
            }
            let character = escaped[index]
            index += 1
            switch character {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                var value = codeUnit(escaped, at: index)
                index += 4
                if value & 0xFC00 == 0xD800 {
                    value = 0x10000 + (value & 0x3FF) << 10 + codeUnit(escaped, at: index + 2) & 0x3FF
                    index += 6
                }
                bytes.append(contentsOf: (Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
            default: bytes.append(character)
            }
        }
        return bytes
    }

    /// The value of the four hexadecimal digits at an index.
    private static func codeUnit(_ escaped: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
        guard index + 4 <= escaped.count else { return 0xFFFD }
        return escaped[index..<(index + 4)].reduce(0) { $0 << 4 | UInt32(Hexadecimal.value($1) ?? 0) }
    }
}
