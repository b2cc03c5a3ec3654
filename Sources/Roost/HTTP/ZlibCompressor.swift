internal import CZlib

/// A stream of zlib that compresses what is written to it, part by part. It is used by one task at a time.
class ZlibCompressor {
    /// zlib keeps a pointer to its struct, so the struct must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private static let step = 16 * 1024

    /// - Parameters:
    ///   - level: From 1, the fastest, to 9; -1 for zlib's own choice.
    ///   - windowBits: It looks back at most `1 << windowBits` bytes. With 16 more it makes a gzip file (RFC 1952), and
    ///     with a negative number data without any header.
    ///   - memoryLevel: From 1 to 9; one more takes twice the memory beside the window.
    /// - Throws: ``HTTPError`` with 503 when there is no memory.
    init(level: Int, windowBits: Int, memoryLevel: Int) throws(HTTPError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = deflateInit2_(
            stream, Int32(level), Z_DEFLATED, Int32(windowBits), Int32(memoryLevel), Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        // The memory is given back by `deinit`, which runs then, too.
        guard code == Z_OK else { throw .memoryIsFull }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The continuation after a part, which decides how much of the output is flushed.
    enum Following {
        /// Another part: what has been written may wait for it.
        case more
        /// A pause: the client gets all that has been written.
        case pause
        case end
    }

    /// Compresses the next part, and appends what can be sent of it.
    final func write(_ input: UnsafeBufferPointer<UInt8>, followedBy following: Following, to output: ByteBuffer) {
        stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0) }
        stream.pointee.avail_in = UInt32(clamping: input.count)
        let flush =
            switch following {
            case .more: Z_NO_FLUSH
            case .pause: Z_SYNC_FLUSH
            case .end: Z_FINISH
            }
        repeat {
            _ = output.write(upTo: Self.step) { space in
                stream.pointee.next_out = space.baseAddress
                stream.pointee.avail_out = UInt32(Self.step)
                _ = deflate(stream, flush)
                return Self.step - Int(stream.pointee.avail_out)
            }
        } while stream.pointee.avail_out == 0
    }

    /// Forgets what has been written.
    final func reset() { deflateReset(stream) }
}
