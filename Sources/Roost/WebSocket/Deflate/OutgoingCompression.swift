/// The compression of one connection's messages: what has been agreed on, and the compressor while one is in use.
package final class OutgoingCompression {
    private let pool: CompressorPool
    private let windowBits: Int
    private let forgets: Bool
    private let threshold: Int
    private var deflater: Deflater?

    /// - Parameters:
    ///   - forgets: Whether each message is compressed by itself, so that the compressor can serve others in between.
    ///   - threshold: The length in bytes from which messages are compressed.
    package init(_ pool: CompressorPool, windowBits: Int, forgets: Bool, threshold: Int) {
        self.pool = pool
        self.windowBits = windowBits
        self.forgets = forgets
        self.threshold = threshold
    }

    /// Whether a message is long enough.
    func compresses(_ count: Int) -> Bool { count > 0 && count >= threshold }

    /// A message begins. False when it is to be sent as it is, because it is short or because there is no memory.
    func begin(count: Int) -> Bool {
        guard compresses(count) else { return false }
        if deflater == nil { deflater = pool.takeDeflater(windowBits: windowBits) }
        return deflater != nil
    }

    /// Compresses the next part of the message.
    func deflate(_ piece: UnsafeBufferPointer<UInt8>, isLast: Bool, to output: ByteBuffer) {
        deflater?.deflate(piece, isLast: isLast, to: output)
        if isLast, forgets { end() }
    }

    /// Gives the compressor back; also when a message will never be whole.
    func end() {
        if let deflater, forgets { pool.give(deflater, windowBits: windowBits) }
        deflater = nil
    }
}
