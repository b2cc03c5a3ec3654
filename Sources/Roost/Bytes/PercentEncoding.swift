/// Percent-encoding of URLs (RFC 3986 §2.1).
///
///     pct-encoded = "%" HEXDIG HEXDIG
///     unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
package enum PercentEncoding {
    /// The bytes that encoded bytes stand for; an invalid escape stays unchanged. (In paths, the parser has refused
    /// those; in a form they are kept.)
    package static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            let rest = bytes[index...].dropFirst()
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hexadecimal.value),
                let low = rest.dropFirst().first.flatMap(Hexadecimal.value)
            {
                result.append(high << 4 | low)
                bytes.formIndex(&index, offsetBy: 3)
            } else {
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                bytes.formIndex(after: &index)
            }
        }
        return result
    }

    /// Decoded bytes as text; invalid UTF-8 becomes U+FFFD.
    package static func decodedText(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: decoded(bytes), as: UTF8.self)
    }

    /// A text as one path segment or query component: everything but the unreserved characters is encoded.
    package static func encoded(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isUnreserved) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        append(text, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// A path with each of its segments ``encoded(_:)``: its slashes stay.
    static func encodedPath(_ path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { encoded(String(Substring($0))) }.joined(separator: "/")
    }

    /// Appends a text as ``encoded(_:)`` writes it.
    static func append(_ text: String, to result: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), Hexadecimal.capitalDigit(byte >> 4), Hexadecimal.capitalDigit(byte & 15)]
            }
        }
    }

    /// A text as a URI reference (RFC 3986 §4.1): bytes that cannot be in one are encoded, and escapes are kept. CR, LF
    /// and NUL stay as well: a text with these is never a valid reference, and no header is sent with them.
    package static func encodedReference(_ text: String) -> String {
        var text = text
        let isReference = text.withUTF8 { bytes in bytes.indices.allSatisfy { standsInReference($0, bytes) } }
        if isReference { return text }
        return text.withUTF8 { bytes in
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + 16)
            for index in bytes.indices {
                let byte = bytes[index]
                if standsInReference(index, bytes) || byte == 0x0D || byte == 0x0A || byte == 0 {
                    result.append(byte)
                } else {
                    result += [
                        UInt8(ascii: "%"), Hexadecimal.capitalDigit(byte >> 4), Hexadecimal.capitalDigit(byte & 15),
                    ]
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static let reserved = ByteSet { ":/?#[]@!$&'()*+,;=".utf8.contains($0) }

    private static func standsInReference(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let byte = bytes[index]
        return isUnreserved(byte) || reserved.contains(byte) || escape(at: index, in: bytes) != nil
    }

    /// The byte that the escape at `index` stands for; nil when there is no escape.
    static func escape(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt8? {
        guard index < bytes.count - 2, bytes[index] == UInt8(ascii: "%"),
            let high = Hexadecimal.value(bytes[index + 1]),
            let low = Hexadecimal.value(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._~".utf8.contains(byte)
    }
}
