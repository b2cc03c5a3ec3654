import HTTPTypes

@testable import Roost

/// Cookies, media types, accepted types and entity tags are read in the same way as a reader of single bytes reads
/// them. Other servers on the way look at bytes, so Swift's idea of a character must make no difference.
func fuzzFields(_ bytes: [UInt8]) throws {
    let value = bytes.map { ByteSet.fieldContent.contains($0) ? $0 : 0x20 }
    try checkCookies(value)
    let text = String(decoding: value, as: UTF8.self)
    let media = MediaType(text)
    let parts = Parts(Array(text.utf8))
    let isSmall = (parts?.count ?? 0) <= MediaType.maximumParameters
    try same(media.map(Parts.init), isSmall ? parts : nil, "a media type, and its bytes")
    try checkAccept(value, text)
    try checkEntityTags(value)
    try checkSetCookie(text)
}

/// A media type read byte by byte.
private struct Parts: Equatable {
    let type: String
    let subtype: String
    let parameters: [String: String]
    /// The number of parameters, whether or not two have one name.
    var count = 0

    static func == (left: Parts, right: Parts) -> Bool {
        (left.type, left.subtype) == (right.type, right.subtype) && left.parameters == right.parameters
    }

    init(_ media: MediaType) { (type, subtype, parameters) = (media.type, media.subtype, media.parameters) }

    init?(_ bytes: [UInt8]) {
        let parts = split(bytes, at: 0x3B).map(trimmed)
        let names = parts[0].split(separator: 0x2F, omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(isToken) else { return nil }
        (type, subtype) = (lowercased(names[0]), lowercased(names[1]))
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: 0x3D) else { continue }
            let name = trimmed(part[..<equals])
            guard isToken(name) else { continue }
            count += 1
            guard parameters[lowercased(name)] == nil else { continue }
            parameters[lowercased(name)] = unquoted(trimmed(part[(equals + 1)...]))
        }
        self.parameters = parameters
    }
}

private func split(_ bytes: [UInt8], at separator: UInt8) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var (start, index, inQuotes) = (0, 0, false)
    while index < bytes.count {
        if bytes[index] == 0x22 { inQuotes.toggle() }
        if bytes[index] == 0x5C, inQuotes { index += 1 }
        if index < bytes.count, bytes[index] == separator, !inQuotes {
            parts.append(bytes[start..<index])
            start = index + 1
        }
        index += 1
    }
    return parts + [bytes[start...]]
}

private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = bytes.drop(while: isBlank)
    return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? start
}

private func isToken(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(ByteSet.token.contains) }

private func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
}

private func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    let isQuoted = bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
    guard isQuoted else { return String(decoding: bytes, as: UTF8.self) }
    var content: [UInt8] = []
    var rest = bytes.dropFirst().dropLast()
    while let byte = rest.popFirst() {
        if byte != 0x5C { content.append(byte) } else if let escaped = rest.popFirst() { content.append(escaped) }
    }
    return String(decoding: content, as: UTF8.self)
}

/// The most specific range of a field decides, the first of those that are as specific.
private func checkAccept(_ value: [UInt8], _ text: String) throws {
    let ranges = split(value, at: 0x2C).map(trimmed).filter { !$0.isEmpty }.prefix(WeightedElements.maximum)
        .compactMap { AcceptedRange(Array($0)) }
    let accept = Accept(text)
    let names: [(Accept.Offer, String, String)] = [
        (.json, "application", "json"), (.problem, "application", "problem+json"), (.html, "text", "html"),
        (.text, "text", "plain"),
    ]
    for (offer, type, subtype) in names {
        let fitting = ranges.filter { range in
            range.isPlain
                && (range.type == "*" && range.subtype == "*"
                    || range.type == type
                        && (range.subtype == "*" || range.subtype == subtype))
        }
        let precise = fitting.map(\.precision).max()
        let expected = fitting.first { $0.precision == precise }?.quality ?? 0
        try same(accept.quality(of: offer), ranges.isEmpty ? 1000 : expected, "the quality of \(subtype)")
    }
    try same(accept.word, Accept("\(text),").word, "an empty range is none")
}

/// A range of `Accept` read byte by byte.
private struct AcceptedRange {
    let type: String
    let subtype: String
    var quality = 1000
    let isPlain: Bool

    var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

    init?(_ bytes: [UInt8]) {
        let parts = split(bytes, at: 0x3B).map(trimmed)
        guard let media = Parts(Array(parts[0])) else { return nil }
        (type, subtype) = (media.type, media.subtype)
        let parameters = parts.dropFirst().compactMap { part -> (name: String, value: ArraySlice<UInt8>)? in
            guard let equals = part.firstIndex(of: 0x3D), isToken(trimmed(part[..<equals])) else { return nil }
            return (lowercased(trimmed(part[..<equals])), trimmed(part[(equals + 1)...]))
        }
        isPlain = parameters.allSatisfy { $0.name == "q" || $0.name == "charset" }
        let weights = parameters.filter { $0.name == "q" }.map { Self.thousandths(Array($0.value)) }
        for case nil in weights { return nil }
        if let first = weights.first, let weight = first { quality = weight }
    }

    private static func thousandths(_ text: [UInt8]) -> Int? {
        let isDigit: (UInt8) -> Bool = { $0 >= 0x30 && $0 <= 0x39 }
        guard text.first == 0x30 || text.first == 0x31, text.count == 1 || text[1] == 0x2E, text.count <= 5,
            text.dropFirst(2).allSatisfy(isDigit)
        else { return nil }
        let digits = text.filter(isDigit) + [UInt8](repeating: 0x30, count: 3)
        let value = digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= 1000 ? value : nil
    }
}

/// Tags are found as a reader of the whole list finds them, and a malformed list matches nothing.
private func checkEntityTags(_ value: [UInt8]) throws {
    guard let matching = request("If-Match: ", value), let noneMatching = request("If-None-Match: ", value) else {
        return
    }
    let field = trimmed(value[...])
    let list = entityTags(Array(field))
    let isAny = field == [0x2A]
    // Entity tags that applications make are ASCII.
    let plain = (list ?? []).filter { $0.value.allSatisfy { $0 < 0x7F && $0 != 0x25 } }.prefix(8)
    for (value, isWeak) in plain + [(Array("a".utf8), false), ([], true)] {
        let tag = EntityTag(String(decoding: value, as: UTF8.self), isWeak: isWeak)
        let strong = !isWeak && (list ?? []).contains { $0.value == value && !$0.isWeak }
        try same(matching.ifMatch(tag), isAny || strong, "If-Match, and its bytes")
        let weak = (list ?? []).contains { $0.value == value }
        try same(!noneMatching.isFresh(tag), !isAny && !weak, "If-None-Match, and its bytes")
    }
}

/// The tags of a list read byte by byte; nil when it is malformed.
private func entityTags(_ bytes: [UInt8]) -> [(value: [UInt8], isWeak: Bool)]? {
    var tags: [(value: [UInt8], isWeak: Bool)] = []
    var rest = bytes[...]
    while true {
        while let byte = rest.first, byte == 0x20 || byte == 0x09 || byte == 0x2C { rest.removeFirst() }
        if rest.isEmpty { return tags }
        let isWeak = rest.starts(with: [0x57, 0x2F])
        if isWeak { rest.removeFirst(2) }
        guard rest.popFirst() == 0x22, let end = rest.firstIndex(of: 0x22) else { return nil }
        guard rest[..<end].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        tags.append((Array(rest[..<end]), isWeak))
        rest = rest[(end + 1)...]
        while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
        guard rest.isEmpty || rest.first == 0x2C else { return nil }
    }
}

/// A request with one more field; nil when it is refused.
private func request(_ name: String, _ value: [UInt8]) -> Request? {
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\n\(name)".utf8) + value + Array("\r\n\r\n".utf8)
    let received = head.withUnsafeBufferPointer { MessageBytes(copying: $0) }
    var parser = RequestParser()
    var cursor = 0
    return try? parser.next(in: received, at: &cursor)?.request(in: received, body: Body())
}

private func checkCookies(_ value: [UInt8]) throws {
    guard let request = request("Cookie: ", value) else { return }
    let pairs = trimmed(value[...]).split(separator: 0x3B).compactMap { pair -> (name: [UInt8], value: [UInt8])? in
        guard let equals = pair.firstIndex(of: 0x3D) else { return nil }
        return (Array(trimmed(pair[..<equals])), Array(trimmed(pair[(equals + 1)...])))
    }
    for name in Set(pairs.map(\.name) + [Array("session".utf8)]) where isToken(name[...]) {
        let expected = pairs.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
        try same(request.cookie(String(decoding: name, as: UTF8.self)), expected, "a cookie, and its bytes")
    }
}

/// Whatever an application puts into a cookie, the field that is sent has only the attributes that were asked for.
private func checkSetCookie(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var cookie = Cookie(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : text)
    cookie.path = text
    guard let field = try? cookie.serialized() else { return }
    try same(field.utf8.count { $0 == 0x3B }, 3, "a cookie has its attributes only")
    try hold(field.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a cookie is visible ASCII")
}
