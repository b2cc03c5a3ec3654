@testable import Roost

extension Cost {
    /// Heads that arrive whole, and the same heads in pieces.
    static var heads: [Cost] {
        table("head", budget: 80, headInputs) { parse($0, piece: $0.count) }
            + table("head", budget: 200, [dots]) { parse($0, piece: $0.count) }
            + table("head, 16 bytes at a time", budget: 150, headInputs) { parse($0, piece: 16) }
            + table("chunked body", budget: 100, chunkedInputs, decode)
    }

    private static let dots = Input("a path of dots", "GET ", repeating: "/a/..", "/ HTTP/1.1\r\nHost: a\r\n\r\n")

    private static let headInputs = [
        Input("a query of escapes", "GET /?", repeating: "%41", " HTTP/1.1\r\nHost: a\r\n\r\n"),
        Input("a long target", "GET /", repeating: "a", " HTTP/1.1\r\nHost: a\r\n\r\n"),
        Input("a path of escapes", "GET /", repeating: "%41", " HTTP/1.1\r\nHost: a\r\n\r\n"),
        Input("a long method", repeating: "A", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Input("one long value", "GET / HTTP/1.1\r\nHost: a\r\nX: ", repeating: "a", "\r\n\r\n"),
        Input("a value of blanks", "GET / HTTP/1.1\r\nHost: a\r\nX: ", repeating: " \t", "\r\n\r\n"),
        Input("one long name", "GET / HTTP/1.1\r\nHost: a\r\n", repeating: "x", ": a\r\n\r\n"),
        Input("many fields", "GET / HTTP/1.1\r\nHost: a\r\n", repeating: "a:\r\n", "\r\n"),
        Input("options of Connection", "GET / HTTP/1.1\r\nHost: a\r\nConnection: ", repeating: ",a", "\r\n\r\n"),
        Input("empty options", "GET / HTTP/1.1\r\nHost: a\r\nConnection: ", repeating: ",", "\r\n\r\n"),
        Input("a long host", "GET / HTTP/1.1\r\nHost: ", repeating: "a.", "\r\n\r\n"),
        Input("empty lines", repeating: "\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Input("no end", "GET / HTTP/1.1\r\nHost: a\r\nX: ", repeating: "a"),
        Input("no line", repeating: "a"),
    ]

    private static let chunkedInputs = [
        Input("chunks of one byte", repeating: "1\r\na\r\n", "0\r\n\r\n"),
        Input("a long extension", "1;", repeating: "a", "\r\na\r\n0\r\n\r\n"),
        Input("short extensions", repeating: "1;a\r\na\r\n", "0\r\n\r\n"),
        Input("trailers", "0\r\n", repeating: "a:\r\n", "\r\n"),
    ]

    /// With limits that let in the whole input: input that they cut off would cost nothing.
    private static func parse(_ input: UnsafeBufferPointer<UInt8>, piece: Int) {
        var limits = HeadLimits()
        (limits.requestLine, limits.fields, limits.fieldCount) = (1 << 20, 1 << 20, 1 << 20)
        var parser = RequestParser(limits: limits)
        let bytes = MessageBytes(copying: input)
        var cursor = 0
        bytes.count = 0
        while bytes.count < input.count {
            bytes.count = min(bytes.count + piece, input.count)
            guard let found = try? parser.next(in: bytes, at: &cursor) else { continue }
            result += found.request(in: bytes, body: Body()).path.utf8.count
        }
    }

    private static func decode(_ input: UnsafeBufferPointer<UInt8>) {
        let bytes = MessageBytes(copying: input)
        var decoder = ChunkedDecoder()
        var cursor = 0
        while case .content(let range)? = try? decoder.next(in: bytes, at: &cursor) { result += range.count }
    }
}
