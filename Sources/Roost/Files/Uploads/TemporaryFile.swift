import Glibc
import Synchronization

/// A file without a name, which the system removes when nobody has it open: also when the program crashes.
///
/// It is in the folder that `TMPDIR` names, or in `/tmp`. Where that is in memory (`tmpfs`), so are such files.
package final class TemporaryFile: Sendable {
    private let descriptor: Int32
    private let size = Atomic(0)

    /// The length in bytes.
    var count: Int { size.load(ordering: .relaxed) }

    /// - Throws: ``HTTPError`` with 503 when no descriptor is left for it; ``FileWriteError``.
    init(folder: String = TemporaryFile.folder) throws {
        guard FileBudget.process.enter(isSlow: true) else { throw HTTPError.tooManyFiles }
        descriptor = Self.open(in: folder)
        guard descriptor >= 0 else {
            let code = errno
            FileBudget.process.leave()
            throw FileWriting.error(code, temporaryIn: folder)
        }
    }

    /// Makes sure that such files can be made, and returns the folder. It may block.
    /// - Throws: ``HTTPError`` with 503 when no descriptor is left for it; ``FileWriteError``.
    package static func check() throws -> String {
        _ = try TemporaryFile()
        return folder
    }

    deinit {
        if descriptor < 0 { return }
        if count <= Self.largestClosedAtOnce { return Self.close(descriptor) }
        let descriptor = descriptor
        Task.detached { Self.close(descriptor) }
    }

    /// The largest size of a file that a loop closes itself, in bytes: with its last descriptor, the system frees its
    /// blocks, and a loop does not wait for that if there are many.
    private static let largestClosedAtOnce = 1 << 20

    /// Returns the bytes to leave free: as for files that stay, or a quarter of a small file system, such as a
    /// container's `/tmp` in memory.
    static func reserve(_ facts: statvfs) -> Int { min(FileWriting.reserve, facts.allBytes / 4) }

    private static func close(_ descriptor: Int32) {
        Glibc.close(descriptor)
        FileBudget.process.leave()
    }

    private static var folder: String {
        ProcessEnvironment.variables["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Opens a file without a name; where the file system has none, the file has a name for a moment.
    private static func open(in folder: String) -> Int32 {
        let withoutName = Int32(0o20_000_000) | O_DIRECTORY  // O_TMPFILE
        let descriptor = Glibc.open(folder, withoutName | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor >= 0 || errno != EOPNOTSUPP && errno != EISDIR { return descriptor }
        var path = Array("\(folder)/roost-XXXXXX".utf8CString)
        let named = mkstemp(&path)
        guard named >= 0 else { return named }
        unlink(path)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

    /// Adds bytes at the end. It may block: call it within ``offload(_:)``.
    /// - Throws: ``HTTPError`` with 507 when there is no room; ``FileWriteError``.
    func append(_ bytes: [UInt8]) throws {
        let offset = count
        try FileWriting.checkRoom(for: bytes.count, at: descriptor, leaving: Self.reserve)
        try FileWriting.write(bytes, to: descriptor, at: offset)
        size.add(bytes.count, ordering: .relaxed)
    }

    /// The bytes of a range, as far as there are any. It may block.
    /// - Throws: ``FileReadError``.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        try OpenFile.bytes(range.clamped(to: 0..<count), of: descriptor)
    }
}
