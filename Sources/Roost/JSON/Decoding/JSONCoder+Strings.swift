extension JSONCoder {
    /// The members of an object whose values are all strings, such as what a session keeps. Reading them one after the
    /// other takes a tenth of the time that `Decodable` takes.
    /// - Throws: The errors of ``decode(_:from:)`` for a text that is not such an object.
    package func strings(in text: String) throws -> [String: String] {
        var text = text
        return try text.withUTF8 { bytes in
            if let strings = plainStrings(in: bytes) { return strings }
            try check(bytes)
            return try Self.strings(in: bytes) ?? decode(from: bytes)
        }
    }

    /// The members of an object as a coder writes it for programs: of few strings in ASCII, none of which is escaped,
    /// and without blanks. Nil for any other text, and when a name comes twice.
    private func plainStrings(in text: UnsafeBufferPointer<UInt8>) -> [String: String]? {
        let most = min(maximumMembers, maximumValues - 1, 32)
        guard maximumDepth > 0, most > 0, text.count > 2, text[0] == UInt8(ascii: "{") else { return nil }
        var strings = [String: String](minimumCapacity: 6)
        var index = 1
        for count in 1...most {
            guard let name = Self.plainString(in: text, at: &index, followedBy: UInt8(ascii: ":")) else { return nil }
            let isLast = UInt8(ascii: "}"), isNext = UInt8(ascii: ",")
            guard let value = Self.plainString(in: text, at: &index, followedBy: isNext, or: isLast) else { return nil }
            strings[name] = value
            guard strings.count == count else { return nil }
            if text[index - 1] == isLast { return index == text.count ? strings : nil }
        }
        return nil
    }

    /// The string at an index, which moves behind the byte that follows it.
    private static func plainString(
        in text: UnsafeBufferPointer<UInt8>, at index: inout Int, followedBy end: UInt8, or otherEnd: UInt8? = nil
    ) -> String? {
        guard index < text.count, text[index] == UInt8(ascii: "\"") else { return nil }
        let start = index + 1
        var next = start
        while next < text.count, Self.isPlain(text[next]) { next += 1 }
        guard next + 1 < text.count, text[next] == UInt8(ascii: "\"") else { return nil }
        guard text[next + 1] == end || text[next + 1] == otherEnd else { return nil }
        index = next + 2
        return String(decoding: UnsafeBufferPointer(rebasing: text[start..<next]), as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The members, of a text that has been checked; nil if it is anything else than an object of strings.
    private static func strings(in text: UnsafeBufferPointer<UInt8>) -> [String: String]? {
        let walker = JSONWalker(text)
        guard walker.container(at: walker.start) == .object else { return nil }
        let parts = walker.parts(ofValueAt: walker.start)
        var strings = [String: String](minimumCapacity: parts.count)
        for part in parts {
            guard let value = walker.string(at: part.value) else { return nil }
            strings[String(decoding: walker.name(of: part), as: UTF8.self)] = String(decoding: value, as: UTF8.self)
        }
        return strings
    }
}
