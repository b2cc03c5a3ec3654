import Glibc

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

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first such byte.
    func firstOffset(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(baseAddress).distance(to: found)
    }

    /// The bytes without the spaces and tabs around them (`OWS`, RFC 9110 §5.6.3).
    func trimmingBlanks() -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = count
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return UnsafeBufferPointer(rebasing: self[start..<end])
    }

    /// Whether they are a `token` (RFC 9110 §5.6.2).
    var isToken: Bool {
        let token = ByteSet.token
        return !isEmpty && allSatisfy { token.contains($0) }
    }

    /// Whether they are a `quoted-string` (RFC 9110 §5.6.4), which ends at its last byte.
    var isQuotedString: Bool {
        guard count >= 2, first == UInt8(ascii: "\"") else { return false }
        var index = 1
        while index < count, self[index] != UInt8(ascii: "\"") { index += self[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index == count - 1
    }

    /// A token as text in lower case.
    func lowercasedToken() -> String {
        String(unsafeUninitializedCapacity: count) { space in
            for index in 0..<count {
                let byte = self[index]
                space[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            return count
        }
    }

    /// The content of a quoted string as text; anything else unchanged.
    func unquotedText() -> String {
        let quote = UInt8(ascii: "\"")
        guard count >= 2, first == quote, last == quote else { return String(decoding: self, as: UTF8.self) }
        var escaped = false
        let content = dropFirst().dropLast().filter { byte in
            let isKept = byte != UInt8(ascii: "\\") || escaped
            escaped = !isKept
            return isKept
        }
        return String(decoding: content, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it.
    func trimmingBlanks() -> SubSequence {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = utf8.firstIndex { !isBlank($0) } ?? endIndex
        var end = start
        for index in utf8[start...].indices where !isBlank(utf8[index]) { end = utf8.index(after: index) }
        return self[start..<end]
    }

    /// Whether it is a `token` (RFC 9110 §5.6.2).
    var isToken: Bool { !isEmpty && utf8.allSatisfy(ByteSet.token.contains) }
}

extension String {
    /// Whether a field's value, which is a list (RFC 9110 §5.6.1), has a member; the case of letters makes no
    /// difference.
    /// - Parameter token: In lower case.
    func lists(_ token: StaticString) -> Bool {
        guard utf8.count >= token.utf8CodeUnitCount else { return false }
        var value = self
        return value.withUTF8 { bytes in
            var members = DelimitedParts(bytes)
            while let member = members.nextPresent(before: UInt8(ascii: ",")) {
                if member.isEqualIgnoringCase(to: token) { return true }
            }
            return false
        }
    }
}
