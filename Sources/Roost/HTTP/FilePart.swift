import Glibc

/// The bytes of a file that a response sends, read piece by piece.
final class FilePart: AsyncSequence, Sendable {
    let file: OpenFile
    let range: Range<Int>

    /// - Parameter range: The bytes; by default all of them.
    init(_ file: OpenFile, _ range: Range<Int>? = nil) {
        self.file = file
        self.range = range ?? 0..<file.size
    }

    /// Reads a small part at once and appends it to `output`. False when it could not be read; nothing is added then.
    func append(to output: ByteBuffer) -> Bool {
        let count = output.write(upTo: range.count) { space in
            Swift.max(0, pread(file.descriptor, space.baseAddress, range.count, range.lowerBound))
        }
        if count < range.count { output.truncate(to: output.count - count) }
        return count == range.count
    }

    func makeAsyncIterator() -> Iterator { Iterator(part: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let part: FilePart
        private var offset: Int

        init(part: FilePart) {
            self.part = part
            offset = part.range.lowerBound
        }

        /// The next piece, never beyond the length that was announced.
        mutating func next() async throws -> [UInt8]? {
            guard offset < part.range.upperBound else { return nil }
            let wanted = Swift.min(OpenFile.pieceSize, part.range.upperBound - offset)
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                let read = pread(part.file.descriptor, buffer.baseAddress, wanted, offset)
                if read < 0 { failure = errno }
                count = Swift.max(0, read)
            }
            guard !piece.isEmpty else { throw FileReadError(code: failure) }
            offset += piece.count
            return piece
        }
    }
}
