/// Collects a file that comes in pieces: in memory, and in a temporary file from a size on.
struct FileSpool {
    private let memoryThreshold: Int
    private var bytes: [UInt8] = []
    private var file: TemporaryFile?
    /// The share of the bytes that are in memory.
    private let lease: MemoryLease?

    /// The number of bytes that are written at once, because each write costs a change of threads.
    private static let batch = 256 * 1024

    init(memoryThreshold: Int, _ memory: MemoryBudget?) {
        self.memoryThreshold = memoryThreshold
        lease = memory.map { MemoryLease(0, of: $0) }
    }

    /// Takes the next bytes.
    mutating func append(_ piece: [UInt8]) async throws {
        bytes += piece
        if file == nil { try lease?.grow(by: piece.count) }
        if bytes.count > (file == nil ? memoryThreshold : Self.batch) { try await flush() }
    }

    private mutating func flush() async throws {
        let file = try file ?? TemporaryFile()
        self.file = file
        let batch = bytes
        bytes = []
        try await offload { try file.append(batch) }
    }

    /// The file of all bytes.
    mutating func file(name: String, contentType: MediaType?) async throws -> UploadedFile {
        if file != nil { try await flush() }
        let content = file.map { UploadedFile.Content.disk($0) } ?? .memory(bytes, lease)
        return UploadedFile(name: name, contentType: contentType, content: content)
    }
}
