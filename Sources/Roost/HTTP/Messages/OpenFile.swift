import Glibc

/// A regular file that is being sent, read piece by piece; it closes itself.
final class OpenFile: AsyncSequence, Sendable {
    let descriptor: Int32
    /// The length in bytes at the time it was opened.
    let size: Int

    /// How much is read at once.
    private static let pieceSize = 64 * 1024

    private let budget: FileBudget

    /// Takes over a descriptor; nil when it is invalid, or is not of a regular file.
    /// - Throws: ``TooManyOpenFiles``; the descriptor is closed then, too.
    init?(_ descriptor: Int32, in budget: FileBudget) throws(TooManyOpenFiles) {
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        guard budget.enter(isSlow: status.st_size > Self.pieceSize) else {
            close(descriptor)
            throw TooManyOpenFiles()
        }
        self.descriptor = descriptor
        self.budget = budget
        size = Int(status.st_size)
    }

    deinit {
        close(descriptor)
        budget.leave()
    }

    /// Reads the whole of a small file and appends it to `output`. False when it could not be read; nothing is added
    /// then.
    func append(to output: ByteBuffer) -> Bool {
        let count = output.write(upTo: size) { space in
            Swift.max(0, pread(descriptor, space.baseAddress, size, 0))
        }
        if count < size { output.truncate(to: output.count - count) }
        return count == size
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: self) }

    struct Iterator: AsyncIteratorProtocol {
        let file: OpenFile
        private var offset = 0

        init(file: OpenFile) { self.file = file }

        /// The next piece, never beyond the length that was announced.
        mutating func next() async throws -> [UInt8]? {
            guard offset < file.size else { return nil }
            let wanted = Swift.min(OpenFile.pieceSize, file.size - offset)
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
                let read = pread(file.descriptor, buffer.baseAddress, wanted, offset)
                if read < 0 { failure = errno }
                count = Swift.max(0, read)
            }
            guard !piece.isEmpty else { throw FileReadError(code: failure) }
            offset += piece.count
            return piece
        }
    }
}

/// A file could not be read to the end that it had when sending began.
struct FileReadError: Error, CustomStringConvertible {
    let code: Int32
    var description: String {
        "A file could not be sent completely: \(code == 0 ? "it has become shorter" : String(cString: strerror(code)))."
    }
}

/// So many files are being sent that the remaining file descriptors are kept for other purposes.
struct TooManyOpenFiles: Error {}
