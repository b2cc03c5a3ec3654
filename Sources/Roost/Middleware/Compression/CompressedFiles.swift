import CoreMetrics
import Synchronization

/// Files in compressed form, each kept from its first request on until the file changes, or all together become too
/// many.
///
/// A file is known by what the system says of it, not by a path: one path may lead to another file for each query or
/// for each client.
final class CompressedFiles: Sendable {
    private let limit: Int
    private let state = Mutex((files: [OpenFile.Identity: [UInt8]](), size: 0))
    private let hits = Counter(label: "roost_compressed_file_cache_hits_total")
    private let misses = Counter(label: "roost_compressed_file_cache_misses_total")

    /// - Parameter limit: The most bytes that they may have together.
    init(limit: Int) { self.limit = limit }

    /// The most compressed bytes that one of them may have.
    var largest: Int { limit / 8 }

    /// The compressed bytes of a file, if they are here.
    func known(_ file: OpenFile) -> [UInt8]? {
        let known = state.withLock { $0.files[file.identity] }
        if known != nil { hits.increment() }
        return known
    }

    /// Compresses a file that is not here yet, at once, and keeps it.
    func compressed(_ file: OpenFile, level: Int) throws -> [UInt8] {
        misses.increment()
        let input = ByteBuffer()
        guard FilePart(file).append(to: input) else { throw FileReadError(code: 0) }
        let output = ByteBuffer()
        try Gzip(size: file.size, level: level).write(input.written, followedBy: .end, to: output)
        let bytes = Array(output.written)
        keep(bytes, of: file)
        return bytes
    }

    /// Keeps the compressed bytes of a file, unless they are too many.
    func keep(_ bytes: [UInt8], of file: OpenFile) {
        guard bytes.count <= largest else { return }
        state.withLock { state in
            if state.size + bytes.count > limit { state = ([:], 0) }
            if state.files.updateValue(bytes, forKey: file.identity) == nil { state.size += bytes.count }
        }
    }
}
