import CoreMetrics
import Synchronization

/// Files in compressed form, each kept from its first request on until the file changes, or all together become too
/// many.
final class CompressedFiles: Sendable {
    private struct Name: Hashable {
        let path: ExactText
        let tag: ExactText
    }

    private let limit: Int
    private let state = Mutex((files: [Name: [UInt8]](), size: 0))
    private let hits = Counter(label: "roost_compressed_file_cache_hits_total")
    private let misses = Counter(label: "roost_compressed_file_cache_misses_total")

    /// - Parameter limit: How many bytes they may have together.
    init(limit: Int) { self.limit = limit }

    /// The compressed bytes of a file, which its tag tells from any other state of it.
    func compressed(_ part: FilePart, _ tag: String, of path: String, level: Int) throws -> [UInt8] {
        let name = Name(path: ExactText(path), tag: ExactText(tag))
        if let known = state.withLock({ $0.files[name] }) {
            hits.increment()
            return known
        }
        misses.increment()
        let input = ByteBuffer()
        guard part.append(to: input) else { throw FileReadError(code: 0) }
        let output = ByteBuffer()
        try Gzip(size: part.range.count, level: level).write(input.written, followedBy: .end, to: output)
        let bytes = Array(output.written)
        state.withLock { state in
            if state.size + bytes.count > limit { state = ([:], 0) }
            if state.files.updateValue(bytes, forKey: name) == nil { state.size += bytes.count }
        }
        return bytes
    }
}
