/// Compresses the payloads of messages (RFC 7692 §7.2.1).
///
/// It is used by one connection at a time, on that connection's loop.
final class Deflater: ZlibCompressor {
    /// The memory that it takes from what clients may use together, while a connection has it.
    var lease: MemoryLease?

    /// About how much memory one needs: its window, its hash table and what waits to be written.
    static let size = 272 * 1024

    /// A compressor that looks back at most `1 << windowBits` bytes.
    ///
    /// zlib has no window of 256 bytes, but with one of 512 it never looks back more than 250: it keeps 262 bytes ahead
    /// of it free (`MIN_LOOKAHEAD`). So 8 bits are kept too.
    /// - Throws: ``HTTPError`` with 503 when there is no memory.
    init(windowBits: Int) throws(HTTPError) {
        try super.init(level: -1, windowBits: -max(windowBits, 9), memoryLevel: 8)
    }

    /// Compresses the next part of a message, and appends what can be sent of it.
    /// - Parameter isLast: Whether the message ends with it. Then the four bytes that every message ends with are left
    ///   out.
    func deflate(_ input: UnsafeBufferPointer<UInt8>, isLast: Bool, to output: ByteBuffer) {
        write(input, followedBy: isLast ? .pause : .more, to: output)
        if isLast { output.truncate(to: max(0, output.count - 4)) }
    }
}
