import HTTPTypes

@testable import Roost

/// Cookies, media types and accepted types are read as a reader of single bytes reads them: others on the way look at
/// bytes, so a text's idea of a character must make no difference.
func fuzzFields(_ bytes: [UInt8]) throws {
    let value = bytes.map { ByteSet.fieldContent.contains($0) ? $0 : 0x20 }
    try checkCookies(value)
    let text = String(decoding: value, as: UTF8.self)
    let media = MediaType(text)
    try same(media.map(Parts.init), Parts(Array(text.utf8)), "a media type, and its bytes")
    let accept = Accept(text)
    for offer in [MediaType.html, .json, .problem] {
        try hold((0...1000).contains(accept.quality(of: offer)), "a quality is 0 to 1000 thousandths")
    }
    try same(accept.best(of: [.html, .json]), Accept("\(text),").best(of: [.html, .json]), "an empty range is none")
    try checkSetCookie(text)
}

/// A media type read byte by byte.
private struct Parts: Equatable {
    let type: String
    let subtype: String
    let parameters: [String: String]

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
            guard isToken(name), parameters[lowercased(name)] == nil else { continue }
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

private func checkCookies(_ value: [UInt8]) throws {
    let head = Array("GET / HTTP/1.1\r\nHost: a\r\nCookie: ".utf8) + value + Array("\r\n\r\n".utf8)
    let received = head.withUnsafeBufferPointer { MessageBytes(copying: $0) }
    var parser = RequestParser()
    var cursor = 0
    guard let parsed = try? parser.next(in: received, at: &cursor) else { return }
    let request = parsed.request(in: received, body: Body())
    let pairs = trimmed(value[...]).split(separator: 0x3B).compactMap { pair -> (name: [UInt8], value: [UInt8])? in
        guard let equals = pair.firstIndex(of: 0x3D) else { return nil }
        return (Array(trimmed(pair[..<equals])), Array(trimmed(pair[(equals + 1)...])))
    }
    for name in Set(pairs.map(\.name) + [Array("session".utf8)]) where isToken(name[...]) {
        let expected = pairs.first { $0.name == name }.map { String(decoding: $0.value, as: UTF8.self) }
        try same(request.cookie(String(decoding: name, as: UTF8.self)), expected, "a cookie, and its bytes")
    }
}

/// Whatever an application puts in a cookie, the field that is sent has no other attribute than those asked for.
private func checkSetCookie(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var cookie = Cookie(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : text)
    cookie.path = text
    guard let field = try? cookie.serialized() else { return }
    try same(field.utf8.count { $0 == 0x3B }, 3, "a cookie has its attributes only")
    try hold(field.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a cookie is visible ASCII")
}
