@testable import Roost

/// Frames give the same events and the same failure however they are cut; nothing is read after the end; and messages
/// that are written again are read as the same. The first byte says who sends, and what has been negotiated.
func fuzzWebSocket(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    let setting = Setting(first)
    let frames = Array(bytes.dropFirst())
    let whole = try read(frames, setting, cuts: [])
    try same(read(frames, setting, cuts: cuts(of: frames, count: 3)), whole, "cut in pieces, and whole")
    if frames.count <= 512 {
        try same(read(frames, setting, cuts: Array(frames.indices)), whole, "byte by byte, and whole")
    }
    var strict = setting
    strict.limit = 5
    try same(read(frames, strict, cuts: cuts(of: frames, count: 5)), read(frames, strict, cuts: []), "a low limit")
    for case .message(let message) in whole.events {
        try hold(message.count <= setting.limit, "no message is larger than the limit")
        try checkWritten(message)
    }
}

/// Any bytes are decompressed to the same content however they are cut, within the limit, or refused; what is
/// compressed comes out again; and any text is an offer that is agreed to, declined or refused.
func fuzzDeflate(_ bytes: [UInt8]) throws {
    let setting = Setting(0x1)
    let frame = compressedFrame(bytes)
    let whole = try read(frame, setting, cuts: [])
    try same(read(frame, setting, cuts: cuts(of: frame, count: 4)), whole, "cut in pieces, and whole")
    try checkWritten(.binary(bytes))
    let text = String(decoding: bytes, as: UTF8.self)
    for keepsContext in [false, true] {
        let compression = WebSocketCompression(keepsContext: keepsContext, windowBits: 10)
        guard let agreed = try? DeflateParameters.accept(text, compression) else { continue }
        let again = try? DeflateParameters.accept(agreed.agreement, WebSocketCompression(keepsContext: true))
        try hold(again?.serverBits == agreed.serverBits, "an agreement is an offer of the same: \(agreed.agreement)")
    }
}

/// A setting of the parser: the sender, whether messages may be compressed, and their largest size.
private struct Setting {
    let sender: FrameHeader.Sender
    let forgets: Bool?
    var limit = 4096

    init(_ byte: UInt8) {
        sender = byte & 2 == 0 ? .client : .server
        forgets = byte & 1 == 0 ? nil : byte & 4 == 0
    }
}

private struct Outcomes: Equatable {
    var events: [MessageReceiver.Event] = []
    var failure: WebSocketFailure?
}

/// Reads in memory of just the size of the bytes, so that the address sanitizer sees a read beyond them.
private func read(_ bytes: [UInt8], _ setting: Setting, cuts: [Int]) throws(BrokenLaw) -> Outcomes {
    let memory = MemoryBudget(.max)
    var outcome = Outcomes()
    try { () throws(BrokenLaw) in
        let pool = CompressorPool(memory: memory)
        let compression = setting.forgets.map { IncomingCompression(pool, windowBits: 15, forgets: $0) }
        var receiver = MessageReceiver(
            from: setting.sender, limit: setting.limit, compression: compression, memory: memory)
        let received = MessageBytes(capacity: max(1, bytes.count))
        var cursor = 0
        for end in cuts + [bytes.count] {
            while received.count < end {
                received.base[received.count] = bytes[received.count]
                received.count += 1
            }
            do throws(WebSocketFailure) {
                while let event = try receiver.next(in: received, at: &cursor, now: 0) { outcome.events.append(event) }
            } catch {
                try hold(outcome.failure == nil && receiver.isOver, "it fails once")
                outcome.failure = error
            }
            try hold(cursor <= received.count, "no more is read than there is")
            if receiver.isOver, outcome.failure == nil {
                guard case .close = outcome.events.last else { throw BrokenLaw(description: "it ends with a Close") }
            }
        }
        receiver.end()
    }()
    try hold(memory.count == 0, "no memory is counted after the end")
    return outcome
}

/// A message that the other side writes is read as the same, plain and compressed.
private func checkWritten(_ message: WebSocketMessage) throws {
    for forgets in [nil, true, false] {
        let pool = CompressorPool(memory: MemoryBudget(.max))
        let compression = forgets.map { OutgoingCompression(pool, windowBits: 15, forgets: $0, threshold: 0) }
        let output = ByteBuffer()
        for _ in 0..<2 {
            var outgoing = OutgoingMessage(message, compression, mask: 0xA1B2_C3D4)
            while outgoing.writeNext(to: output) {}
        }
        var setting = Setting(forgets.map { $0 ? 0x1 : 0x5 } ?? 0)
        setting.limit = max(1, message.count)
        let expected = Outcomes(events: [.message(message), .message(message)])
        try same(read(output.bytes, setting, cuts: cuts(of: output.bytes, count: 2)), expected, "written and read")
    }
}

/// A frame of a client's binary message with a compressed payload.
private func compressedFrame(_ payload: [UInt8]) -> [UInt8] {
    let output = ByteBuffer()
    payload.withUnsafeBufferPointer { FrameWriter.write(.binary, isCompressed: true, $0, mask: 0, to: output) }
    return output.bytes
}
