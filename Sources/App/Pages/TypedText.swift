/// What somebody typed, as a form shows it again: whole up to a number of bytes, and cut behind them.
///
/// What is far too long was typed by no person, and escaped for a page it is up to six times as long.
enum TypedText {
    /// The first bytes of a text; a character that goes on behind them is left out.
    static func shown(_ text: String, upTo maximumBytes: Int) -> String {
        guard text.utf8.count > maximumBytes else { return text }
        var count = maximumBytes
        // A byte that continues a character (RFC 3629 §3).
        while count > 0, text.utf8[text.utf8.index(text.startIndex, offsetBy: count)] & 0xC0 == 0x80 { count -= 1 }
        return String(decoding: text.utf8.prefix(count), as: UTF8.self)
    }
}
