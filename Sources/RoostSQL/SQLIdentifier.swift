/// The name of a table, a column or a channel as SQL quotes it: `"` around it, and each `"` in it twice.
///
///     try SQLIdentifier("odd \" name").quoted     // "odd "" name"
///
/// Bytes are looked at, as engines do. To Swift a quote with a combining mark behind it, or U+0600 before it, is
/// another `Character` than a quote, and would end the name.
package struct SQLIdentifier: Sendable {
    /// The name in quotes.
    package let quoted: String

    /// A name that may hold anything but NUL.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a name with a NUL, where C's strings end.
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
