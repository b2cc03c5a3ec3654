/// A text that a visitor typed, as a form shows it again: cut if it is longer than a number of bytes.
///
/// No person typed a text that is far too long, and escaping it for a page can make it six times as long.
enum TypedText {
    /// The first bytes of a text, without a character that would be cut in the middle.
    static func shown(_ text: String, upTo maximumBytes: Int) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        var count = maximumBytes
        // Such a byte continues a character (RFC 3629 §3).
        while count > 0, text.utf8[text.utf8.index(text.startIndex, offsetBy: count)] & 0xC0 == 0x80 { count -= 1 }
        return String(decoding: text.utf8.prefix(count), as: UTF8.self)
    }
}
