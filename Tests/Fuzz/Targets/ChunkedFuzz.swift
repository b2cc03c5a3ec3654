@testable import Roost

/// The result of decoding a chunked body.
private enum Decoded: Equatable {
    case end(content: [UInt8], at: Int)
    case partial(content: [UInt8])
    case invalid
}

/// A chunked body gives the same result wherever it is cut; a lenient reader sees the same content and the same end;
/// and its content, written in chunks again, is read as the same.
func fuzzChunked(_ bytes: [UInt8]) throws {
    let whole = try decode(bytes, cuts: [])
    try same(decode(bytes, cuts: cuts(of: bytes, count: 3)), whole, "cut in pieces, and whole")
    if bytes.count <= 1024 {
        try same(decode(bytes, cuts: Array(bytes.indices)), whole, "byte by byte, and whole")
    }
    guard case .end(let content, let end) = whole else { return }
    try same(readLeniently(bytes), whole, "read strictly, and leniently")
    let output = ByteBuffer()
    let middle = cuts(of: content, count: 1)[0]
    for part in [content[..<middle], content[middle...]] where !part.isEmpty {
        ResponseSerializer.writePiece(Array(part), .chunked, to: output)
    }
    ResponseSerializer.writeBodyEnd(.chunked, to: output)
    try same(decode(output.bytes, cuts: []), .end(content: content, at: output.count), "content written anew")
    try same(decode(Array(bytes[..<end]) + [0x78], cuts: []), whole, "what follows belongs to the next message")
}

/// Decodes in memory of just the size of the bytes, so that the address sanitizer sees a read beyond them.
private func decode(_ bytes: [UInt8], cuts: [Int]) throws(BrokenLaw) -> Decoded {
    let received = MessageBytes(capacity: max(1, bytes.count))
    var decoder = BodyDecoder(.chunked)
    var cursor = 0
    var content: [UInt8] = []
    for end in cuts + [bytes.count] {
        while received.count < end {
            received.base[received.count] = bytes[received.count]
            received.count += 1
        }
        var step = BodyDecoder.Piece.partial
        repeat {
            do throws(ParseError) {
                step = try decoder.next(in: received, at: &cursor)
            } catch {
                try same(error, .malformedChunk, "the only error of a chunked body")
                return .invalid
            }
            if case .content(let range) = step {
                try hold(!range.isEmpty && Int(range.end) == cursor, "content is there, and read")
                content += Array(received.slice(range))
            }
        } while step != .partial && step != .end
        try hold(decoder.isAtEnd == (step == .end), "at the end when it says so")
        if step == .end { return .end(content: content, at: cursor) }
        try hold(cursor == received.count, "all is read while more is wanted")
    }
    return .partial(content: content)
}

/// A reader without extensions, limits or refusals, as other servers on the way may have.
private func readLeniently(_ bytes: [UInt8]) -> Decoded {
    var content: [UInt8] = []
    var index = 0
    func line() -> ArraySlice<UInt8>? {
        guard let feed = bytes[index...].firstIndex(of: 0x0A) else { return nil }
        defer { index = feed + 1 }
        return bytes[index..<feed].prefix { $0 != 0x0D }
    }
    while let sizeLine = line() {
        guard let size = Int(String(decoding: sizeLine.prefix { $0 != 0x3B }, as: UTF8.self), radix: 16) else { break }
        if size == 0 {
            while let trailer = line() {
                if trailer.isEmpty { return .end(content: content, at: index) }
            }
            break
        }
        guard size <= bytes.count - index - 2 else { break }
        content += bytes[index..<index + size]
        index += size + 2
    }
    return .partial(content: content)
}
