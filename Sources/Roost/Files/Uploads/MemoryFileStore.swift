import HTTPTypes
import Synchronization

/// A store of files in memory, until the process ends: for tests, and for a site that keeps nothing.
public final class MemoryFileStore: FileStore {
    private struct Entry {
        let bytes: [UInt8]
        let validators: Validators
        let kept: ContinuousClock.Instant
    }

    private let files = Mutex<[String: Entry]>([:])
    private let maximumSize: Int
    private let time = TimeSource.current

    /// Creates an empty store.
    /// - Parameter maximumSize: The most bytes of all files together.
    public init(maximumSize: Int = 64 * 1024 * 1024) { self.maximumSize = maximumSize }

    /// The names of the files.
    public var names: [String] { files.withLock { $0.keys.sorted() } }

    /// Keeps a file under a name.
    /// - Throws: An error for a name that no store takes; ``HTTPError`` with 507 when there is no room.
    public func save(_ file: UploadedFile, as name: String) async throws {
        try InvalidFileName.check(name)
        guard file.count <= maximumSize else { throw FileWriting.noRoom }
        let bytes = try await file.bytes(upTo: .max)
        let tag = EntityTag(String(UInt64.random(in: 0 ... .max), radix: 36))
        let entry = Entry(
            bytes: bytes, validators: Validators(tag: tag, modified: time.secondsSince1970()), kept: time.instant())
        try files.withLock { files in
            let others = files.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.bytes.count) }
            guard bytes.count <= maximumSize - others else { throw FileWriting.noRoom }
            files[name] = entry
        }
    }

    /// Returns the file, with an `ETag` and `Last-Modified`.
    /// - Throws: ``HTTPError`` with 412 and 416 as RFC 9110 says.
    public func response(to request: Request, for name: String, contentType: String) async throws -> Response? {
        guard let entry = files.withLock({ $0[name] }) else { return nil }
        let (bytes, size) = (entry.bytes, entry.bytes.count)
        let state = FileState(
            validators: entry.validators, size: size, contentType: contentType, cacheControl: "no-cache")
        return try state.response(to: request, now: time.secondsSince1970()) { range in
            Body(range.map { Array(bytes[$0]) } ?? bytes)
        }
    }

    /// Removes a file.
    public func remove(_ name: String) async throws {
        try InvalidFileName.check(name)
        files.withLock { $0[name] = nil }
    }

    /// Removes files to which nothing refers.
    @discardableResult
    public func removeUnused(
        olderThan age: Duration, used: @Sendable ([String]) async throws -> Set<String>
    ) async throws -> Int {
        let now = time.instant()
        let names = files.withLock { files in files.filter { $0.value.kept.duration(to: now) >= age }.map(\.key) }
        return try await remove(names, unless: used)
    }
}
