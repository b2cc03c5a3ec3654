/// Walks over the parts of a field value, separated by a byte that does not count within quoted strings (RFC 9110
/// §5.6.4), byte by byte and without copies.
///
///     quoted-string = DQUOTE *( qdtext / quoted-pair ) DQUOTE
///     quoted-pair   = "\" ( HTAB / SP / VCHAR / obs-text )
///
/// It looks at bytes, not characters, like every other program that the field passes through. A `Character` that is
/// equal to a semicolon can be another letter (U+037E), and a combining mark after a semicolon makes it unequal.
struct DelimitedParts {
    /// The bytes after the parts returned so far; nil after the last part.
    private var rest: UnsafeBufferPointer<UInt8>?

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes }

    /// The next part, without the blanks around it; nil after the last. A text without separators is one part.
    mutating func next(before separator: UInt8) -> UnsafeBufferPointer<UInt8>? {
        guard let rest else { return nil }
        guard let end = Self.end(of: rest, separator) else {
            self.rest = nil
            return rest.trimmingBlanks()
        }
        self.rest = UnsafeBufferPointer(rebasing: rest[(end + 1)...])
        return UnsafeBufferPointer(rebasing: rest[..<end]).trimmingBlanks()
    }

    /// The next part that is not empty. Thousands of empty ones, which only an attacker sends, cost a few instructions
    /// each.
    mutating func nextPresent(before separator: UInt8) -> UnsafeBufferPointer<UInt8>? {
        while let rest {
            var start = 0
            while start < rest.count, rest[start] == separator || rest[start] == 0x20 || rest[start] == 0x09 {
                start += 1
            }
            self.rest = start == rest.count ? nil : UnsafeBufferPointer(rebasing: rest[start...])
            if let part = next(before: separator), !part.isEmpty { return part }
        }
        return nil
    }

    /// Returns the index of the first separator outside quotes; nil if there is none.
    private static func end(of bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8) -> Int? {
        var inQuotes = false
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case separator where !inQuotes: return index
            case UInt8(ascii: "\""): inQuotes.toggle()
            case UInt8(ascii: "\\") where inQuotes: index += 1
            default: break
            }
            index += 1
        }
        return nil
    }
}

extension String {
    /// Whether a field's value, which is a list (RFC 9110 §5.6.1), has a member; the case of letters makes no
    /// difference.
    /// - Parameter token: In lower case.
    func lists(_ token: String) -> Bool {
        guard utf8.count >= token.utf8.count else { return false }
        var (value, token) = (self, token)
        return token.withUTF8 { token in
            value.withUTF8 { bytes in
                var members = DelimitedParts(bytes)
                while let member = members.nextPresent(before: UInt8(ascii: ",")) {
                    if member.isEqualIgnoringCase(to: token) { return true }
                }
                return false
            }
        }
    }
}
