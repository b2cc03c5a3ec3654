import Testing

@testable import Roost

/// The outcome of one message, which must not depend on how it was cut on its way: it is read whole, cut in two at
/// every offset, and byte by byte. A valid one is partial until its last byte.
func read(
    _ text: String,
    limits: HeadLimits = HeadLimits(),
    at location: Testing.SourceLocation = #_sourceLocation
) -> Outcome {
    read(Array(text.utf8), limits: limits, at: location)
}

/// The same for bytes that are not text.
func read(
    _ bytes: [UInt8],
    limits: HeadLimits = HeadLimits(),
    at location: Testing.SourceLocation = #_sourceLocation
) -> Outcome {
    let whole = readInPieces(bytes, cuts: [], limits)
    #expect(readInPieces(bytes, cuts: Array(bytes.indices.dropFirst()), limits) == whole, sourceLocation: location)
    let end = whole.message?.end ?? bytes.count
    for cut in bytes.indices.dropFirst() {
        let outcome = readInPieces(bytes, cuts: [cut], limits)
        #expect(outcome == whole, "cut at \(cut) of \(bytes.count)", sourceLocation: location)
        let early = readInPieces(Array(bytes[..<cut]), cuts: [], limits)
        let isExpected = whole.error.map { early == .partial || early == .invalid($0) } ?? (early == .partial)
        #expect(isExpected || cut >= end, "only \(cut) of \(bytes.count): \(early)", sourceLocation: location)
    }
    return whole
}

/// The first outcome other than partial of bytes that come in pieces.
func readInPieces(_ bytes: [UInt8], cuts: [Int], _ limits: HeadLimits = HeadLimits()) -> Outcome {
    var wire = Wire(capacity: max(1, bytes.count), limits: limits)
    var start = 0
    for end in cuts + [bytes.count] {
        let outcome = wire.receive(bytes[start..<end])
        guard outcome == .partial else { return outcome }
        start = end
    }
    return .partial
}

/// Expects that a message is complete.
func whole(_ text: String, at location: Testing.SourceLocation = #_sourceLocation) throws -> Message {
    let outcome = read(text, at: location)
    return try #require(outcome.message, "\(outcome)", sourceLocation: location)
}
