import FoundationEssentials

@testable import Roost

/// Escapes, forms and local paths are read as a reader of single bytes reads them, and are the same when written again.
func fuzzURL(_ bytes: [UInt8]) throws {
    try checkPercentEncoding(bytes)
    try checkForm(bytes)
    try checkLocalPath(String(decoding: bytes, as: UTF8.self))
    try checkAuthority(bytes)
    try checkDate(String(decoding: bytes, as: UTF8.self))
}

private func checkPercentEncoding(_ bytes: [UInt8]) throws {
    let decoded = PercentEncoding.decoded(bytes)
    try same(decoded, unescaped(bytes[...]), "escapes are decoded once")
    try same(PercentEncoding.decoded(bytes.dropFirst()), unescaped(bytes.dropFirst()), "escapes of a slice")
    let text = String(decoding: bytes, as: UTF8.self)
    let encoded = PercentEncoding.encoded(text)
    try same(PercentEncoding.decoded(encoded.utf8), Array(text.utf8), "encoded and decoded")
    try hold(encoded.utf8.allSatisfy { ByteSet.token.contains($0) && $0 != 0x2B }, "what is encoded needs no care")
    bytes.withUnsafeBufferPointer { bytes in
        for index in bytes.indices { _ = PercentEncoding.escape(at: index, in: bytes) }
    }
}

private func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        let digits = rest.prefix(2).compactMap(hexValue)
        if byte == 0x25, digits.count == 2 {
            result.append(digits[0] * 16 + digits[1])
            rest = rest.dropFirst(2)
        } else {
            result.append(byte)
        }
    }
    return result
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    let digits = "0123456789abcdefABCDEF".utf8
    let index = digits.firstIndex(of: byte).map { digits.distance(from: digits.startIndex, to: $0) }
    return index.map { UInt8($0 < 16 ? $0 : $0 - 6) }
}

private func checkForm(_ bytes: [UInt8]) throws {
    let form = bytes.withUnsafeBufferPointer { Form(urlEncoded: $0) }
    try same(form.fields.count, bytes.split(separator: 0x26).count, "a field for each pair")
    try same(Form(text: form.urlEncoded).fields, form.fields, "a form written anew")
    for field in form.fields {
        try hold(form[values: field.name].contains(field.value), "a value is found by its name")
        try same(form[field.name], form[values: field.name].first, "the first of them")
    }
    _ = try? FormDecoder.decode(FormInput.self, from: form)
}

/// An input type that asks for every kind of value.
private struct FormInput: Decodable {
    let a: String?
    let b: Int?
    let c: [UInt8]?
    let d: Bool
    let e: Double?
    let f: [String]
    let g: [String: Int]?
    let h: Date?
    let i: [Date]
}

/// A date of a form, written as JSON, begins as it was typed.
private func checkDate(_ text: String) throws {
    guard let date = DateTime.parse(input: text), text.utf8.count == 10 else { return }
    let written = try JSONCoder().encode([date])
    try same(String(decoding: written, as: UTF8.self), "[\"\(text)T00:00:00Z\"]", "a date written anew")
}

/// Checks a local path as browsers read a redirect (WHATWG URL §4.4): they drop blanks around it and tabs and
/// line ends in it, and take a backslash for a slash.
private func checkLocalPath(_ text: String) throws {
    guard let path = LocalPath(text) else { return }
    let dropped: Set<UInt8> = [0x09, 0x0A, 0x0D]
    let seen = path.text.utf8.drop { $0 <= 0x20 }.filter { !dropped.contains($0) }.map { $0 == 0x5C ? 0x2F : $0 }
    try hold(seen.first == 0x2F && seen.dropFirst().first != 0x2F, "a local path leads to no other site")
    try hold(path.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a local path can stand in a field")
}

private func checkAuthority(_ bytes: [UInt8]) throws {
    guard bytes.withUnsafeBufferPointer(Authority.isValid) else { return }
    let delimiters = Array("/?#@\\<>\"{}|^` ".utf8)
    try hold(bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && !delimiters.contains($0) }, "a host has no delimiter")
    let port = bytes.reversed().prefix { $0 != 0x3A && $0 != 0x5D }
    try hold(!bytes.isEmpty && (port.count == bytes.count || bytes[0] != 0x3A), "a host is not empty")
}

extension Form {
    /// The fields of a query or a form's body.
    init(text: String) {
        var text = text
        self = text.withUTF8 { Form(urlEncoded: $0) }
    }
}
