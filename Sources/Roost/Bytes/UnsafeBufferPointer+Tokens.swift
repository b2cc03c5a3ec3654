import Glibc

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first such byte.
    func firstOffset(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(baseAddress).distance(to: found)
    }

    /// The number that decimal digits are; nil for anything else, and for a number that is too large.
    package var wholeNumber: UInt64? {
        guard !isEmpty else { return nil }
        var number: UInt64 = 0
        for byte in self {
            guard byte.isDigit else { return nil }
            let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
            let (sum, carries) = tens.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
            if isOver || carries { return nil }
            number = sum
        }
        return number
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
    package var isToken: Bool {
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
            for index in 0..<count { space[index] = self[index].lowercased }
            return count
        }
    }

    /// The content of a quoted string as text, or anything else; marks that are too many (``CombiningMarks``) become
    /// U+FFFD.
    func unquotedText() -> String { mayHaveMarks ? CombiningMarks.limited(unquoted()) : unquoted() }

    /// Whether their text can have combining marks that are too many: each has two bytes or more. To find that out
    /// takes a fraction of the time of a look at its characters.
    var mayHaveMarks: Bool { count > 2 * CombiningMarks.maximum && reduce(0) { $0 | $1 } >= 0x80 }

    private func unquoted() -> String {
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

extension String {
    /// The beginning of the text, of so many bytes at most, which ends behind a whole scalar value.
    package func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        // Such a byte continues a scalar value (RFC 3629 §3).
        let end = utf8.prefix(Swift.max(0, limit) + 1).lastIndex { $0 & 0xC0 != 0x80 } ?? startIndex
        return String(self[..<end])
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it.
    package func trimmingBlanks() -> SubSequence {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = utf8.firstIndex { !isBlank($0) } ?? endIndex
        var end = start
        for index in utf8[start...].indices where !isBlank(utf8[index]) { end = utf8.index(after: index) }
        return self[start..<end]
    }

    /// Whether it is a `token` (RFC 9110 §5.6.2).
    package var isToken: Bool { !isEmpty && utf8.allSatisfy(ByteSet.token.contains) }
}

extension Collection<UInt8> {
    /// Whether it is a label of a host's name: letters, digits, and hyphens between them, at most 63 (RFC 1034 §3.5,
    /// RFC 1123 §2.1).
    package var isHostLabel: Bool {
        let hyphen = UInt8(ascii: "-")
        guard let first, first != hyphen, count <= 63 else { return false }
        var last = first
        for byte in self {
            guard byte.isLetterOrDigit || byte == hyphen else { return false }
            last = byte
        }
        return last != hyphen
    }
}
