internal import CZlib

/// Decompresses the payloads of messages (RFC 7692 §7.2.2).
///
/// It is used by one connection at a time, on that connection's loop.
final class Inflater {
    /// zlib keeps a pointer to its struct, so the struct must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The memory that it takes from what clients may use together, while a connection has it.
    var lease: MemoryLease?

    /// About how much memory one needs: its window and zlib's state.
    static let size = 48 * 1024
    /// The maximum number of bytes that are decompressed at once, so that the limit is checked before much is written.
    private static let step = 16 * 1024

    /// Creates a stream; nil when there is no memory.
    init?(windowBits: Int) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A negative number means data without zlib's own header.
        let code = inflateInit2_(
            stream, -Int32(windowBits), ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        // The memory is given back by `deinit`, which runs then, too.
        guard code == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses the next part of a message and appends the result.
    /// - Parameter limit: The most that `content` may have; beyond it the message fails at once.
    func inflate(
        _ input: UnsafeBufferPointer<UInt8>, to content: inout [UInt8], limit: Int
    ) throws(WebSocketFailure) {
        guard let base = input.baseAddress, !input.isEmpty else { return }
        // One read brings far less than zlib takes at once.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: base)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        var isFull = true
        while isFull || stream.pointee.avail_in > 0 {
            let code = advance(&content, &isFull)
            guard content.count <= limit else { throw .tooBig }
            switch code {
            case Z_OK: break
            case Z_BUF_ERROR: return  // nothing more can be made from what there is
            case Z_STREAM_END: inflateResetKeep(stream)  // a last block; another may follow (RFC 7692 §7.2.3.5)
            default: throw .invalidCompression
            }
        }
    }

    private func advance(_ content: inout [UInt8], _ isFull: inout Bool) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.step) { space in
            stream.pointee.next_out = space.baseAddress
            stream.pointee.avail_out = UInt32(Self.step)
            let code = CZlib.inflate(stream, Z_SYNC_FLUSH)
            isFull = stream.pointee.avail_out == 0
            content += UnsafeBufferPointer(rebasing: space[..<(Self.step - Int(stream.pointee.avail_out))])
            return code
        }
    }

    /// Decompresses the four bytes that every message ends with, and that are not sent (RFC 7692 §7.2.2).
    func finish(to content: inout [UInt8], limit: Int) throws(WebSocketFailure) {
        let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
        try tail.withUnsafeBufferPointer { (tail) throws(WebSocketFailure) in
            try inflate(tail, to: &content, limit: limit)
        }
    }

    /// Forgets the messages before.
    func reset() { inflateReset(stream) }
}
