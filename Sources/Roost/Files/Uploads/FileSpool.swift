/// Collects a file that comes in pieces: in memory, and in a temporary file from a size on.
struct FileSpool {
    private let memoryThreshold: Int
    private var bytes: [UInt8] = []
    private var file: TemporaryFile?
    /// The share of the bytes in memory, which has room for ``counted`` of them.
    private let lease: MemoryLease?
    private var counted = 0
    /// The most bytes that could ever have a share.
    private let largest: Int

    /// The number of bytes that are written at once, because each write costs a change of threads.
    private static let batch = 256 * 1024

    init(memoryThreshold: Int, _ memory: MemoryBudget?) {
        self.memoryThreshold = memoryThreshold
        lease = memory.map { MemoryLease(0, of: $0) }
        largest = memory?.largest ?? .max
    }

    /// Takes the next bytes.
    mutating func append(_ piece: [UInt8]) async throws {
        bytes += piece
        let isCounted = count()
        // What would never fit goes to a file, whatever the threshold is.
        guard isCounted || file != nil || bytes.count > largest else { throw HTTPError.memoryIsFull }
        if !isCounted || bytes.count > (file == nil ? memoryThreshold : Self.batch) { try await flush() }
    }

    /// Lets the share grow with the bytes; returns false if there is no room. It stays when they are written, for those
    /// that follow.
    private mutating func count() -> Bool {
        let more = bytes.count - counted
        guard let lease, more > 0 else { return true }
        guard lease.hasGrown(by: more) else { return false }
        counted = bytes.count
        return true
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
