/// A tag that tells one state of a resource from another (RFC 9110 §8.8.3).
///
///     entity-tag = [ weak ] opaque-tag
///     weak       = %s"W/"
///     opaque-tag = DQUOTE *etagc DQUOTE
///     etagc      = %x21 / %x23-7E / obs-text
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The text between the quotes: visible ASCII characters other than a quote, so that tags are compared by their
    /// bytes (RFC 9110 §8.8.3.2).
    let value: String
    /// Whether it stands for equivalent states, rather than for the same bytes.
    var isWeak: Bool

    /// A tag for a value, such as a version or a hash, without quotes.
    ///
    /// Any text makes a tag, and different texts make different tags: characters that a tag cannot have are
    /// percent-encoded, and so is the percent sign.
    public init(_ value: String, isWeak: Bool = false) {
        var value = value
        let isPlain = value.withUTF8 { $0.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x25 } }
        self.value = isPlain ? value : PercentEncoding.encoded(value)
        self.isWeak = isWeak
    }

    /// A tag as it is written in a field; nil for what is none.
    init?(field text: String) {
        let isWeak = text.utf8.starts(with: "W/".utf8)
        let quoted = text.utf8.dropFirst(isWeak ? 2 : 0)
        let value = quoted.dropFirst().dropLast()
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
            value.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != quote })
        else { return nil }
        (self.value, self.isWeak) = (String(Substring(value)), isWeak)
    }

    /// The tag as it is written in a field: `"7"`, or `W/"7"`.
    public var description: String { (isWeak ? "W/\"" : "\"") + value + "\"" }
}
