internal import CSQLite
import Glibc
internal import RoostSQL

/// A file that is being written, under a name that nobody else writes to, and gets its own name once it is whole and on
/// the disk.
struct PartialFile: Sendable {
    /// The name that it has meanwhile.
    let path: String
    private let target: String

    /// - Parameter target: The path that it is to have.
    init(of target: String) {
        self.target = target
        path = target + ".\(getpid())-\(UInt32.random(in: 0...UInt32.max)).partial"
    }

    /// Creates it, empty, for its owner only.
    func create() throws(DatabaseError) {
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
