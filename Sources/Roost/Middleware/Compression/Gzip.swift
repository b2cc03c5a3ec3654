internal import CZlib

/// Makes a gzip file (RFC 1952) of what is written to it, part by part. It is used by one task at a time.
final class Gzip {
    /// zlib keeps a pointer to its struct, so the struct must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private static let step = 16 * 1024

    /// - Parameters:
    ///   - size: The number of bytes that will be written, if it is known: for a small body a small window is enough,
    ///     which takes less memory and less time to prepare (32 KiB instead of 256 for 4 KiB).
    ///   - level: From 1, the fastest, to 9.
    /// - Throws: ``HTTPError`` with 503 when there is no memory.
    init(size: Int? = nil, level: Int) throws(HTTPError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window twice as large as the body sees all of it, whatever zlib keeps free ahead.
        let bits = size.map { min(15, max(10, Int.bitWidth - $0.leadingZeroBitCount)) } ?? 13
        let code = deflateInit2_(
            stream, Int32(min(9, max(1, level))), Z_DEFLATED, Int32(bits + 16), Int32(min(8, bits - 7)),
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
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
    func write(_ input: UnsafeBufferPointer<UInt8>, followedBy following: Following, to output: ByteBuffer) {
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
}

/// A body that is compressed while it is sent, in pieces: a stream, a file, or one too large to be compressed at once.
struct GzipStream: AsyncSequence, Sendable {
    let body: Body
    let level: Int
    /// Its place among those that are compressed at the same time.
    let place: Places.Place
    /// The cache that keeps the whole once it is compressed, and the file it is made of; nil for a body that is not
    /// kept.
    var kept: (files: CompressedFiles, file: OpenFile)?

    /// The most bytes that are compressed before others get their turn: about a millisecond's work.
    static let pieceSize = 32 * 1024

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        private var pieces: Body.AsyncIterator
        private let level: Int
        private let isLive: Bool
        /// The announced length of a stream, and the number of bytes that are left of it.
        private var length: (announced: Int, rest: Int)?
        private var gzip: Gzip?
        private var piece: [UInt8] = []
        private var offset = 0
        private var isAtEnd = false
        private let output = ByteBuffer()
        private let place: Places.Place
        private var kept: (files: CompressedFiles, file: OpenFile)?
        /// All that has been compressed, while it may be kept.
        private var whole: [UInt8] = []

        fileprivate init(_ stream: GzipStream) {
            place = stream.place
            kept = stream.kept
            pieces = stream.body.makeAsyncIterator()
            level = stream.level
            isLive = stream.body.isStream && stream.body.count == nil
            length = stream.body.isStream ? stream.body.count.map { ($0, $0) } : nil
        }

        mutating func next() async throws -> [UInt8]? {
            let gzip = try gzip ?? Gzip(level: level)
            self.gzip = gzip
            while !isAtEnd {
                if offset < piece.count {
                    await Task.yield()
                } else if let next = try await pieces.next() {
                    try count(next)
                    (piece, offset) = (next, 0)
                } else {
                    try checkEnd()
                    (piece, offset, isAtEnd) = ([], 0, true)
                }
                let end = Swift.min(piece.count, offset + GzipStream.pieceSize)
                // The output so far of a stream without a known length is for the client now.
                let following: Gzip.Following = isAtEnd ? .end : isLive && end == piece.count ? .pause : .more
                piece.withUnsafeBufferPointer { bytes in
                    gzip.write(UnsafeBufferPointer(rebasing: bytes[offset..<end]), followedBy: following, to: output)
                }
                offset = end
                gather()
                guard output.written.isEmpty else {
                    defer { output.truncate(to: 0) }
                    return Array(output.written)
                }
            }
            return nil
        }

        /// Compressed, the body has another length, which nobody could compare with the announced one any more.
        private mutating func count(_ piece: [UInt8]) throws {
            guard let (announced, rest) = length else { return }
            guard piece.count <= rest else { throw BodyLengthError(announced: announced, isLonger: true) }
            length = (announced, rest - piece.count)
        }

        /// - Throws: ``BodyLengthError`` if some of the body is missing, unless it has ended because its task was
        ///   cancelled.
        private func checkEnd() throws {
            guard let (announced, rest) = length, rest > 0 else { return }
            try Task.checkCancellation()
            throw BodyLengthError(announced: announced, isLonger: false)
        }

        /// Gathers what is to be kept, and lets go of everything at the end.
        private mutating func gather() {
            if let (files, file) = kept {
                whole += output.written
                if isAtEnd { files.keep(whole, of: file) }
                if isAtEnd || whole.count > files.largest { (kept, whole) = (nil, []) }
            }
            if isAtEnd { place.giveBack() }
        }
    }
}
