/// A message that is being sent: one frame or, when it is large, a fragment after the other, so that no more than one
/// is in memory, and control frames can come in between (RFC 6455 §5.4).
package struct OutgoingMessage {
    private let message: WebSocketMessage
    private let compression: OutgoingCompression?
    private let mask: UInt32?
    private var offset = 0
    private var hasBegun = false

    /// The most payload, before compression, that goes into one frame.
    static let pieceSize = 64 * 1024

    /// - Parameter compression: The compression of messages, if that has been negotiated.
    package init(_ message: WebSocketMessage, _ compression: OutgoingCompression?, mask: UInt32? = nil) {
        self.message = message
        self.mask = mask
        self.compression = compression.flatMap { $0.begin(count: message.count) ? $0 : nil }
    }

    /// Whether its frames are compressed.
    var isCompressed: Bool { compression != nil }

    /// Writes the next frame. False after the last one.
    package mutating func writeNext(to output: ByteBuffer) -> Bool {
        let (start, hasBegun, compression, mask) = (offset, hasBegun, compression, mask)
        let opcode = hasBegun ? .continuation : message.opcode
        let (end, count, isWritten) = message.withBytes { bytes in
            let end = min(bytes.count, start &+ Self.pieceSize)
            let isLast = end == bytes.count
            let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
            guard let compression else {
                FrameWriter.write(opcode, isFinal: isLast, piece, mask: mask, to: output)
                return (end, bytes.count, true)
            }
            let packed = ByteBuffer(capacity: Self.pieceSize / 4)
            compression.deflate(piece, isLast: isLast, to: packed)
            // The compressor may keep what it has got for later.
            guard isLast || packed.count > 0 else { return (end, bytes.count, false) }
            FrameWriter.write(
                opcode, isFinal: isLast, isCompressed: !hasBegun, packed.written, mask: mask, to: output)
            return (end, bytes.count, true)
        }
        offset = end
        self.hasBegun = hasBegun || isWritten
        return end < count
    }

    /// Gives up a message of which not everything has been written.
    func abandon() { compression?.end() }
}
