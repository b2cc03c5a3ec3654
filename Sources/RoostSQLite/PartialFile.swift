internal import CSQLite
import FoundationEssentials
import Glibc
internal import RoostSQL

/// A file that is being written, under a name that nobody else writes to, and gets its own name once it is whole and on
/// the disk.
struct PartialFile: Sendable {
    /// The name that it has meanwhile.
    let path: String
    private let target: String
    /// A file that nobody has written to for so long has been left by a process that was killed.
    static let longestPause = 24 * 60 * 60

    /// - Parameter target: The path that it is to have.
    init(of target: String) {
        self.target = target
        path = target + ".roost-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
    }

    /// Creates it, empty, for its owner only, and removes those of the same target that processes which were killed
    /// have left.
    func create() throws(DatabaseError) {
        for suffix in Self.suffixes(of: target) where Self.isOfPartial(suffix) && Self.isLeft(target + suffix) {
            unlink(target + suffix)
        }
        // No other connection can have a lock on it yet, which closing would release.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.error(path) }
        close(descriptor)
    }

    /// Writes it to the disk. It must not be open.
    func sync() throws(DatabaseError) { try Self.sync(path, O_RDONLY) }

    /// Gives it its name, which nothing else may have.
    func publish() throws(DatabaseError) {
        try sync()
        try takeName()
        try Self.syncFolder(of: target)
    }

    private func takeName() throws(DatabaseError) {
        if link(path, target) == 0, unlink(path) == 0 { return }
        // FAT and some shares have no hard links; NFS, which has them, refuses such a renaming.
        let mayHaveNoLinks = [EPERM, EOPNOTSUPP, ENOSYS].contains(errno)
        guard mayHaveNoLinks, sqlite3_rename_to_new(AT_FDCWD, path, AT_FDCWD, target, 1) == 0 else {
            throw Self.error(target)
        }
    }

    func remove() { unlink(path) }

    /// Whether a suffix is that of a partial file, or of its journal: `.roost-12-34.partial`.
    private static func isOfPartial(_ suffix: String) -> Bool {
        guard suffix.utf8.starts(with: ".roost-".utf8) else { return false }
        let rest = suffix.utf8.dropFirst(".roost-".utf8.count)
            .drop { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return [".partial", ".partial-journal"].contains { rest.elementsEqual($0.utf8) }
    }

    /// Whether nobody writes to a file any more. The number of its process does not tell: that may be another
    /// container's.
    private static func isLeft(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mtim.tv_sec < time(nil) - longestPause
    }

    /// The ends of the names in a file's folder that begin with the file's name.
    static func suffixes(of path: String) -> [String] {
        let file = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder(of: path))) ?? []
        return names.filter { $0.utf8.starts(with: file) }.map { String(Substring($0.utf8.dropFirst(file.count))) }
    }

    /// A name is on the disk only once its folder is.
    static func syncFolder(of path: String) throws(DatabaseError) { try sync(folder(of: path), O_RDONLY | O_DIRECTORY) }

    /// The folder of a file, with the slash behind it, which is another character to Swift before a combining mark.
    static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[...$0])) } ?? "."
    }

    /// The error of the last system call.
    static func error(_ path: String) -> DatabaseError {
        let code = errno
        let text = "\(path): \(String(cString: strerror(code)))"
        return code == ENOSPC || code == EDQUOT ? .full(text) : .unavailable(text)
    }

    private static func sync(_ path: String, _ flags: Int32) throws(DatabaseError) {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw error(path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw error(path) }
    }
}
