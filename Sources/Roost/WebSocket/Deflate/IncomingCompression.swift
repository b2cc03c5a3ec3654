/// The decompression of one connection's messages: what has been agreed on, and the decompressor while one is in use.
package final class IncomingCompression {
    private let pool: CompressorPool
    private let windowBits: Int
    /// Whether each message is compressed by itself, so that the decompressor can serve others in between.
    private let forgets: Bool
    private var inflater: Inflater?

    /// - Parameter forgets: Whether the peer compresses each message by itself.
    package init(_ pool: CompressorPool, windowBits: Int, forgets: Bool) {
        self.pool = pool
        self.windowBits = windowBits
        self.forgets = forgets
    }

    /// A compressed message begins.
    func begin() throws(WebSocketFailure) {
        if inflater == nil {
            inflater = try pool.takeInflater(windowBits: forgets ? CompressorPool.windowBits : windowBits)
        }
    }

    /// Decompresses the next part of the message.
    func inflate(
        _ piece: UnsafeBufferPointer<UInt8>, to content: inout [UInt8], limit: Int
    ) throws(WebSocketFailure) {
        try inflater?.inflate(piece, to: &content, limit: limit)
    }

    /// The message is whole.
    func finish(to content: inout [UInt8], limit: Int) throws(WebSocketFailure) {
        try inflater?.finish(to: &content, limit: limit)
        if forgets { end() }
    }

    /// Gives the decompressor back.
    func end() {
        if let inflater, forgets { pool.give(inflater) }
        inflater = nil
    }
}
