import Glibc
import Synchronization

/// A store of files in a folder, which several instances of an application may share.
///
/// A file is written under another name, flushed to the disk, and then renamed, so that it is there as a whole or not
/// at all, even after a loss of power. Only the owner can read the files.
public final class FolderFileStore: FileStore {
    private let path: String
    private let reserve: Int
    private let time = TimeSource.current
    private let opened = Mutex<FileFolder?>(nil)

    /// Creates a store in a folder, which is opened when it is first needed, and again when another folder has replaced
    /// it.
    ///
    /// It leaves 128 MiB of its file system free for others, such as a database: a file that would need them gets 507.
    /// ``HealthCheck/diskSpace(_:atLeast:)`` asks for half of that, so what users upload cannot make an instance
    /// unready.
    public convenience init(_ path: String) { self.init(path, leaving: FileWriting.reserve) }

    init(_ path: String, leaving reserve: Int) {
        self.path = path
        self.reserve = reserve
    }

    /// Opens the folder; if it is missing, creates it and those above it. Call it at the start, so that a mistake shows
    /// then.
    /// - Throws: ``StartError`` when the folder cannot be made or read.
    public func open() throws(StartError) { _ = try folder() }

    private func folder() throws(StartError) -> FileFolder {
        try opened.withLock { (opened) throws(StartError) in
            if let opened, opened.isStill(at: path) { return opened }
            // One that is being exchanged is not made here: the new one could not take its place.
            if opened == nil {
                // When it is opened, only that it is not there would be known.
                let code = FolderPath.create(path)
                if code != 0, code != EEXIST, access(path, F_OK) != 0, errno == ENOENT {
                    throw FileFolder.unreadable(path, code, to: "made")
                }
            }
            let folder = try FileFolder(path, .process)
            opened = folder
            return folder
        }
    }

    /// Keeps a file under a name.
    /// - Throws: An error for a name that no store takes; ``HTTPError`` with 507 when there is no room; an error of the
    ///   system.
    public func save(_ file: UploadedFile, as name: String) async throws {
        try InvalidFileName.check(name)
        let folder = try self.folder()
        try await offload { [reserve] in
            try FileWriting.checkRoom(for: file.count, at: folder.descriptor) { _ in reserve }
            try folder.write(file, as: name)
        }
    }

    /// Returns the file, with an `ETag` and `Last-Modified`.
    /// - Throws: ``HTTPError`` with 412 and 416 as RFC 9110 says, 503 when no descriptor is left.
    public func response(to request: Request, for name: String, contentType: String) async throws -> Response? {
        guard InvalidFileName.isFit(name), let file = try folder().file(at: name) else { return nil }
        return try FileResponse(file: file, contentType: contentType).response(to: request)
    }

    /// Removes a file.
    /// - Throws: An error for a name that no store takes; an error of the system.
    public func remove(_ name: String) async throws {
        try InvalidFileName.check(name)
        let folder = try self.folder()
        try await offload { try folder.remove(name) }
    }

    /// Removes files to which nothing refers, and files that were left half written.
    @discardableResult
    public func removeUnused(
        olderThan age: Duration, used: @Sendable ([String]) async throws -> Set<String>
    ) async throws -> Int {
        let folder = try self.folder()
        let now = time.secondsSince1970()
        let names = try await offload { try folder.names(writtenUpTo: now - age.wholeSeconds) }
        let parts = names.filter(FileFolder.isPart)
        try await offload { for name in parts { try folder.remove(name) } }
        return try await remove(names.filter(InvalidFileName.isFit), unless: used) + parts.count
    }
}

extension FileFolder {
    /// Whether a path leads to this folder, and not to nothing or to another one.
    fileprivate func isStill(at path: String) -> Bool {
        var (own, there) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { return false }
        // Where the path cannot be looked at, as when the program has given up rights, the open folder goes on.
        guard stat(path, &there) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return own.st_dev == there.st_dev && own.st_ino == there.st_ino
    }

    /// Writes a file as a whole. It blocks.
    fileprivate func write(_ file: UploadedFile, as name: String) throws {
        let temporary = ".\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36))"  // as `isPart` knows it
        let output = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw FileWriting.error(errno) }
        do {
            defer { close(output) }
            for start in stride(from: 0, to: file.count, by: Self.pieceSize) {
                let piece = try file.read(start..<min(start + Self.pieceSize, file.count))
                try FileWriting.write(piece, to: output, at: start)
            }
            guard fsync(output) == 0 else { throw FileWriting.error(errno) }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw FileWriting.error(errno) }
            // Some file systems of a network have no folders to flush.
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileWriting.error(errno) }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    /// Whether a name is that of a file that has not been written to its end: a dot, its name, a dot, and digits of
    /// base 36.
    fileprivate static func isPart(_ name: String) -> Bool {
        let bytes = name.utf8
        guard bytes.first == UInt8(ascii: "."), let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex
        else { return false }
        let digits = bytes[dot...].dropFirst()
        return !digits.isEmpty && digits.allSatisfy { $0.isDigit || $0.isLowercaseLetter }
            && InvalidFileName.isFit(String(Substring(bytes[..<dot].dropFirst())))
    }

    private static var pieceSize: Int { 1 << 20 }

    /// Removes a file, if it is there. It blocks.
    fileprivate func remove(_ name: String) throws {
        guard unlinkat(descriptor, name, 0) != 0, errno != ENOENT else { return }
        throw FileWriteError(code: errno)
    }
}

/// Makes folders for what an application keeps.
package enum FolderPath {
    /// Creates a folder and those above it, as far as they are missing, for their owner only. Whether it worked shows
    /// when the folder is used.
    /// - Returns: The reason if it did not make the folder, which is `EEXIST` for one that is there; 0 if it did.
    @discardableResult
    package static func create(_ path: String) -> Int32 {
        guard !path.isEmpty else { return 0 }
        let code = make(path)
        guard code == ENOENT else { return code }
        let reason = create(parent(of: path))
        let second = make(path)
        return second == ENOENT ? reason : second
    }

    /// Creates a folder and puts its name on the disk, as far as the folder above it can be read.
    /// - Returns: The reason if it did not make the folder; 0 if it did.
    private static func make(_ path: String) -> Int32 {
        guard mkdir(path, 0o700) == 0 else { return errno }
        let parent = open(path + "/..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return 0 }
        fsync(parent)
        close(parent)
        return 0
    }

    private static func parent(of path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[..<slash])
    }
}
