/// The compressors of one event loop, lent to a connection for one message at a time: an idle connection has none.
///
/// Used on the loop's thread only.
package final class CompressorPool {
    private let memory: MemoryBudget
    private var inflaters: [Inflater] = []
    private var deflaters: [Deflater] = []

    /// The maximum number of each that are kept when nobody uses them.
    private static let mostIdle = 2

    package init(memory: MemoryBudget) { self.memory = memory }

    /// A decompressor for messages that do not refer to each other.
    func takeInflater(windowBits: Int) throws(WebSocketFailure) -> Inflater {
        guard memory.hasRoom(for: Inflater.size, of: Inflater.size),
            let inflater = inflaters.popLast() ?? Inflater(windowBits: windowBits)
        else { throw .memoryIsFull }
        inflater.lease = MemoryLease(Inflater.size, of: memory)
        return inflater
    }

    /// A compressor; nil when there is no memory for it, and the message is better sent as it is.
    func takeDeflater(windowBits: Int) -> Deflater? {
        guard memory.hasRoom(for: Deflater.size, of: Deflater.size),
            let deflater = (windowBits == Self.windowBits ? deflaters.popLast() : nil)
                ?? (try? Deflater(windowBits: windowBits))
        else { return nil }
        deflater.lease = MemoryLease(Deflater.size, of: memory)
        return deflater
    }

    /// The window of those that are kept. A decompressor with it takes any other window's messages, too.
    static let windowBits = 15

    /// Takes a decompressor back.
    func give(_ inflater: Inflater) {
        inflater.lease = nil
        inflater.reset()
        if inflaters.count < Self.mostIdle { inflaters.append(inflater) }
    }

    /// Takes a compressor back.
    func give(_ deflater: Deflater, windowBits: Int) {
        deflater.lease = nil
        deflater.reset()
        if deflaters.count < Self.mostIdle, windowBits == Self.windowBits { deflaters.append(deflater) }
    }
}
