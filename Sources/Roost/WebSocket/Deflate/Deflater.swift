internal import CZlib

/// Compresses the payloads of messages (RFC 7692 §7.2.1).
///
/// It is used by one connection at a time, on that connection's loop.
final class Deflater {
    /// zlib keeps a pointer to its struct, so the struct must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The memory that it takes from what clients may use together, while a connection has it.
    var lease: MemoryLease?

    /// About how much memory one needs: its window, its hash table and what waits to be written.
    static let size = 272 * 1024
    private static let step = 16 * 1024
    private static let memoryLevel: Int32 = 8

    /// A compressor that looks back at most `1 << windowBits` bytes; nil when there is no memory.
    ///
    /// zlib has no window of 256 bytes, but with one of 512 it never looks back more than 250: it keeps 262 bytes ahead
    /// of it free (`MIN_LOOKAHEAD`). So 8 bits are kept too.
    init?(windowBits: Int) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -Int32(max(windowBits, 9)), Self.memoryLevel,
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        // The memory is given back by `deinit`, which runs then, too.
        guard code == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses the next part of a message, and appends what can be sent of it.
    /// - Parameter isLast: Whether the message ends with it. Then the four bytes that every message ends with are left
    ///   out.
    func deflate(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool, to output: ByteBuffer) {
        stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0) }
        stream.pointee.avail_in = UInt32(clamping: input.count)
        repeat {
            _ = output.write(upTo: Self.step) { space in
                stream.pointee.next_out = space.baseAddress
                stream.pointee.avail_out = UInt32(Self.step)
                _ = CZlib.deflate(stream, isLast ? Z_SYNC_FLUSH : Z_NO_FLUSH)
                return Self.step - Int(stream.pointee.avail_out)
            }
        } while stream.pointee.avail_out == 0
        if isLast { output.truncate(to: max(0, output.count - 4)) }
    }

    /// Forgets the messages before.
    func reset() { deflateReset(stream) }
}
