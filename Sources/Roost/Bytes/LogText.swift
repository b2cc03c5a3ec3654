/// Makes text from outside safe to log.
package enum LogText {
    /// Stands behind a text of which a log shows only the beginning.
    static let cutMark = "…"

    /// Escapes what could forge a line of the log, control a terminal, or show a text in another order.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: misleads) else { return text }
        return text.unicodeScalars.map { scalar in
            misleads(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// Whether each byte of a text means itself in every format of the log: it is printable ASCII, and neither `"` nor
    /// `\`.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool { plain.end(in: text, from: 0) == text.count }

    private static let plain = ByteSet { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }

    /// Whether it is a control character, a separator of lines or paragraphs, or changes the direction of text (UAX
    /// #9).
    static func misleads(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
