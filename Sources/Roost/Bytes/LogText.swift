/// Makes text from outside safe to log.
enum LogText {
    /// Escapes what could forge a line of the log, control a terminal, or show a text in another order.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: misleads) else { return text }
        return text.unicodeScalars.map { scalar in
            misleads(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

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
