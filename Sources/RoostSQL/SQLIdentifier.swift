/// The name of a table, a column or a channel as SQL quotes it: inside `"`, with each `"` in it doubled.
///
///     try SQLIdentifier("odd \" name").quoted     // "odd "" name"
///
/// It works on bytes, as engines do. To Swift, a quotation mark followed by a combining mark, or preceded by U+0600, is
/// a different `Character`; to an engine it would end the name.
package struct SQLIdentifier: Sendable {
    /// The name in quotes.
    package let quoted: String

    /// Quotes a name, which may contain anything but NUL.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a name that contains NUL, where C's strings end.
    package init(_ name: String) throws(DatabaseError) {
        let quote = UInt8(ascii: "\"")
        var bytes = [quote]
        bytes.reserveCapacity(name.utf8.count + 2)
        for byte in name.utf8 {
            guard byte != 0 else { throw .invalidValue("An identifier contains a NUL character.") }
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
        quoted = String(decoding: bytes, as: UTF8.self)
    }
}
