@testable import Roost

/// A part, and what it contains.
private struct Part: Equatable {
    let head: MultipartHead
    var content: [UInt8] = []
}

/// A multipart body gives the same result wherever it is cut, and its parts, written anew, are read as the same. Up to
/// the first line end the input is the boundary.
func fuzzMultipart(_ bytes: [UInt8]) throws {
    let line = bytes.prefix { $0 != 0x0A }
    let boundary = String(decoding: line, as: UTF8.self)
    let body = Array(bytes.dropFirst(line.count + 1))
    guard (try? MultipartParser(boundary: boundary, limits: MultipartLimits())) != nil else { return }
    let whole = try read(body, boundary, cuts: [])
    try same(read(body, boundary, cuts: cuts(of: body, count: 3)), whole, "cut in pieces, and whole")
    if body.count <= 1024 {
        try same(read(body, boundary, cuts: Array(body.indices)), whole, "byte by byte, and whole")
    }
    guard let whole else { return }
    for part in whole {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        let padded = [0x0D, 0x0A] + part.content
        try hold(!contains(padded, delimiter), "no boundary is in a content")
        let name = part.head.fileName ?? ""
        try hold(!name.utf8.contains { $0 < 0x20 || $0 == 0x2F || $0 == 0x5C }, "a file's name is not a path")
    }
    var written: [UInt8] = []
    for part in whole {
        written += Array("--\(boundary)\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8) + part.content
        written += [0x0D, 0x0A]
    }
    let again = try read(written + Array("--\(boundary)--".utf8), boundary, cuts: [])
    try same(again?.map(\.content), whole.map(\.content), "contents written anew")
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.count >= part.count && (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
}

/// The parts; nil for a malformed body.
private func read(_ body: [UInt8], _ boundary: String, cuts: [Int]) throws -> [Part]? {
    var limits = MultipartLimits(maximumSize: 1 << 20, maximumPartSize: 1000)
    limits.maximumHeaderSize = 200
    limits.maximumParts = 10
    var parser = try MultipartParser(boundary: boundary, limits: limits)
    var parts: [Part] = []
    var isOver = false
    var start = 0
    do throws(HTTPError) {
        for end in cuts + [body.count] {
            try parser.receive(Array(body[start..<end]))
            start = end
            while let event = try parser.next() {
                if case .part(let head) = event { parts.append(Part(head: head)) }
                if case .content(let piece) = event { parts[parts.count - 1].content += piece }
                isOver = event == .end
            }
        }
        try parser.finish()
    } catch {
        return nil
    }
    try hold(isOver, "a body that is complete has an end")
    return parts
}
