/// The bytes of a file that a response sends, read piece by piece.
final class FilePart: AsyncSequence, Sendable {
    let file: OpenFile
    let range: Range<Int>

    /// - Parameter range: The bytes; by default all of them.
    init(_ file: OpenFile, _ range: Range<Int>? = nil) {
        self.file = file
        self.range = range ?? 0..<file.size
    }

    /// Whether its client may take long for it.
    var isSlow: Bool { range.count > OpenFile.pieceSize }

    /// The bytes of a part that is small; nil for a large one, and when they could not be read.
    var smallBytes: [UInt8]? { isSlow ? nil : try? OpenFile.bytes(range, of: file.descriptor) }

    /// Reads a small part at once and appends it to `output`. False when it could not be read; nothing is added then.
    func append(to output: ByteBuffer) -> Bool {
        let count = output.write(upTo: range.count) { space in
            let memory = UnsafeMutableRawBufferPointer(space)
            return (try? OpenFile.fill(memory, from: file.descriptor, at: range.lowerBound)) == nil ? 0 : range.count
        }
        return count == range.count
    }

    /// The pieces, never beyond the length that was announced.
    func makeAsyncIterator() -> MadePieces<Int>.AsyncIterator {
        MadePieces(from: self.range.lowerBound) { [file, range] offset in
            guard offset < range.upperBound else { return nil }
            let end = Swift.min(offset + OpenFile.pieceSize, range.upperBound)
            let piece = try OpenFile.bytes(offset..<end, of: file.descriptor)
            offset = end
            return piece
        }
        .makeAsyncIterator()
    }
}
