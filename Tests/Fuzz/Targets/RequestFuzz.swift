import HTTPTypes

@testable import Roost

/// Pipelined requests give the same result however they are cut, and a request written again is read as the same one.
func fuzzRequest(_ bytes: [UInt8]) throws {
    let whole = outcomes(of: bytes, cuts: [])
    try same(outcomes(of: bytes, cuts: cuts(of: bytes, count: 3)), whole, "cut in pieces, and whole")
    if bytes.count <= 512 {
        try same(outcomes(of: bytes, cuts: Array(bytes.indices)), whole, "byte by byte, and whole")
    }
    var tight = HeadLimits()
    (tight.requestLine, tight.fields, tight.fieldCount) = (24, 40, 3)
    let limited = outcomes(of: bytes, cuts: [], tight)
    try same(outcomes(of: bytes, cuts: cuts(of: bytes, count: 8), tight), limited, "the same under tight limits")
    var start = 0
    for case .complete(let message) in whole {
        try checkHead(bytes[start..<message.end], message)
        try checkRoundTrip(message)
        start = message.end
    }
    try exerciseRequest(bytes)
}

/// All messages, and why no more follow.
private func outcomes(of bytes: [UInt8], cuts: [Int], _ limits: HeadLimits = HeadLimits()) -> [Outcome] {
    var wire = Wire(capacity: max(1, bytes.count), limits: limits)
    var outcomes: [Outcome] = []
    var start = 0
    for end in cuts + [bytes.count] {
        var outcome = wire.receive(bytes[start..<end])
        while case .complete = outcome {
            outcomes.append(outcome)
            outcome = wire.next()
        }
        if case .invalid = outcome { return outcomes + [outcome] }
        start = end
    }
    return outcomes + [.partial]
}

/// No accepted head contains anything that another server on the way could read differently.
private func checkHead(_ bytes: ArraySlice<UInt8>, _ message: Message) throws {
    var head = bytes.drop { $0 == 0x0D || $0 == 0x0A }
    while !head.starts(with: Array("\r\n\r\n".utf8)), let byte = head.popFirst() {
        let next = head.first
        try hold(byte != 0, "no NUL in a head")
        try hold(byte != 0x0D || next == 0x0A, "no carriage return but before a line feed")
        try hold(next != 0x0A || byte == 0x0D, "no line feed but behind a carriage return")
    }
    let lengths = message.fields.filter { $0.name == .contentLength }.map(\.value)
    try hold(lengths.allSatisfy { Int($0) == message.body.count }, "the body is as long as the field says")
    try hold(!lengths.isEmpty || message.body.isEmpty || message.isChunked, "no length, no body")
    let names = message.fields.map(\.name.canonicalName)
    try hold(names.count { $0 == "host" } == 1 || message.isHTTP10 && !names.contains("host"), "one Host")
    try hold(names.count { $0 == "content-length" || $0 == "transfer-encoding" } <= 1, "one length")
    try hold(message.path.isEmpty || message.path.utf8.first == 0x2F, "a path begins with a slash")
    let segments = message.path.utf8.split(separator: 0x2F).map { PercentEncoding.decodedText($0) }
    try hold(!segments.contains(".") && !segments.contains(".."), "no dot segments: \(message.path)")
}

private func checkRoundTrip(_ message: Message) throws {
    var text = "\(message.method) \(message.target) HTTP/1.\(message.isHTTP10 ? 0 : 1)\r\n"
    for field in message.fields { text += "\(field.name.rawName): \(field.value)\r\n" }
    var bytes = Array((text + "\r\n").utf8)
    if message.isChunked {
        let output = ByteBuffer()
        ResponseSerializer.writePiece(message.body, .chunked, to: output)
        ResponseSerializer.writeBodyEnd(.chunked, to: output)
        bytes += output.bytes
    } else {
        bytes += message.body
    }
    var expected = message
    expected.end = bytes.count
    try same(outcomes(of: bytes, cuts: []), [.complete(expected), .partial], "a request written anew")
}

/// Calls everything on the first request that an application may call.
private func exerciseRequest(_ bytes: [UInt8]) throws {
    var parser = RequestParser()
    var cursor = 0
    let received = bytes.withUnsafeBufferPointer { MessageBytes(copying: $0) }
    guard let parsed = try? parser.next(in: received, at: &cursor) else { return }
    let request = parsed.request(in: received, body: Body())
    try same(request.query.fields.isEmpty, Form(text: request.query.urlEncoded).fields.isEmpty, "a query written anew")
    try hold(request.path == "*" || request.path.utf8.first == 0x2F, "a decoded path begins with a slash")
    for field in request.headers.list {
        let values = request.headers[values: field.name]
        let separator = field.name == .cookie ? "; " : ", "
        try same(request.headers[field.name], values.joined(separator: separator), "values of one name are a list")
        try hold(request.headers.contains(field.name), "a listed name is found")
    }
    _ = (request.cookie("a"), request.contentType, request.prefersPage)
    try exerciseMove(request)
}

/// A request that waits, in its own memory, says the same as before.
private func exerciseMove(_ original: Request) throws {
    var request = original
    var saying: [String] {
        let fields = request.headers.list.map { "\($0.name): \($0.value)" }
        return [request.method.rawValue, request.target, request.path, request.queryString ?? "", request.authority]
            + fields + [request.capture(0)]
    }
    var captures = PathCaptures()
    captures.append(request.head.path)
    request.setCaptures(captures)
    let before = saying
    request.moveOut(of: request.bytes)
    try same(saying, before, "a request that has moved")
    try hold(request.bytes.capacity == request.head.end, "a request that has moved is all there is in its memory")
}

extension Message {
    fileprivate var isChunked: Bool { fields.contains { $0.name == .transferEncoding } }
}
