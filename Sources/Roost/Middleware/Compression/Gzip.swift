/// Makes a gzip file (RFC 1952) of what is written to it, part by part. It is used by one task at a time.
final class Gzip: ZlibCompressor {
    /// - Parameters:
    ///   - size: The number of bytes that will be written, if it is known: for a small body a small window is enough,
    ///     which takes less memory and less time to prepare (32 KiB instead of 256 for 4 KiB).
    ///   - level: From 1, the fastest, to 9.
    /// - Throws: ``HTTPError`` with 503 when there is no memory.
    init(size: Int? = nil, level: Int) throws(HTTPError) {
        // A window twice as large as the body sees all of it, whatever zlib keeps free ahead.
        let bits = size.map { min(15, max(10, Int.bitWidth - $0.leadingZeroBitCount)) } ?? 13
        try super.init(level: min(9, max(1, level)), windowBits: bits + 16, memoryLevel: min(8, bits - 7))
    }
}

/// A body that is compressed while it is sent, in pieces: a stream, a file, or one too large to be compressed at once.
struct GzipStream: AsyncSequence, KeepingStream, Sendable {
    let body: Body
    let level: Int
    /// Its place among those that are compressed at the same time.
    let place: Places.Place
    /// The cache that keeps the whole once it is compressed, and the file it is made of; nil for a body that is not
    /// kept.
    var kept: (files: CompressedFiles, file: OpenFile)?

    /// The most bytes that are compressed before others get their turn: about a millisecond's work.
    static let pieceSize = 32 * 1024

    /// A body in memory stays there as a whole.
    var keptCount: Int { body.countInMemory ?? 0 }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        /// The pieces of a stream or a file; nil for a body in memory, which is one. Counted here: compressed, the body
        /// has another length than was announced.
        private var pieces: CountedPieces?
        private let level: Int
        private let isLive: Bool
        private var gzip: Gzip?
        /// The part that is being compressed, from an offset on.
        private var piece: Body
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
            let isStream = stream.body.isStream
            pieces = isStream ? CountedPieces(stream.body) : nil
            piece = isStream ? Body() : stream.body
            level = stream.level
            isLive = isStream && stream.body.count == nil
        }

        mutating func next() async throws -> [UInt8]? {
            let gzip = try gzip ?? Gzip(level: level)
            self.gzip = gzip
            while !isAtEnd {
                if offset < piece.count ?? 0 {
                    await Task.yield()
                } else if let next = try await pieces?.next() {
                    (piece, offset) = (Body(next), 0)
                } else {
                    (piece, offset, isAtEnd) = (Body(), 0, true)
                }
                let count = piece.count ?? 0
                let end = Swift.min(count, offset + GzipStream.pieceSize)
                // The output so far of a stream without a known length is for the client now.
                let following: Gzip.Following = isAtEnd ? .end : isLive && end == count ? .pause : .more
                try piece.withBytes { bytes in
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
