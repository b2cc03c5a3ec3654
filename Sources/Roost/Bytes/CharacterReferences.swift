/// The character references that `HTMLEscaping` writes, those of XML, and those by number, of at most
/// 10 bytes. They are found by bytes, whatever stands beside them.
package enum CharacterReferences {
    private static let names: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    package static func replaced(in bytes: some Collection<UInt8>) -> String {
        let parts = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        var result = Array(parts[0])
        for part in parts.dropFirst() {
            let name = part.prefix(11).prefix { $0 != UInt8(ascii: ";") }
            let character = name.count < min(part.count, 11) ? character(String(decoding: name, as: UTF8.self)) : nil
            result += character.map { Array(String($0).utf8) } ?? [UInt8(ascii: "&")]
            result += character == nil ? part[...] : part.dropFirst(name.count + 1)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func character(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return names[name] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return (isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)).flatMap(Unicode.Scalar.init)
    }
}
