import Glibc
import Roost

/// A folder for accounts, certificates and challenges (mode 0700), a file for each (mode 0600), such as
/// `DATA_DIR/acme`. Programs on one machine may share it.
public struct FolderCertificateStorage: CertificateStorage {
    private let path: String

    /// A storage in the folder at a path, which ``open()`` creates.
    public init(_ path: String) { self.path = path }

    /// Creates the folder, and the one that it is in, if they are missing.
    /// - Throws: `StartError` when that cannot be done, or nothing can be written there.
    public func open() async throws {
        let path = path
        try await offload {
            if let slash = path.lastIndex(of: "/"), slash != path.startIndex { mkdir(String(path[..<slash]), 0o700) }
            mkdir(path, 0o700)
            guard access(path, R_OK | W_OK | X_OK) == 0 else {
                throw StartError.configuration(
                    "TLS=auto keeps certificates in the folder \(path), which cannot be used "
                        + "(\(String(cString: strerror(errno)))): let DATA_DIR be a folder that the program's user may "
                        + "write to.")
            }
        }
    }

    /// Reads a file.
    public func read(_ name: String) async throws -> [UInt8]? {
        let path = file(name)
        return try await offload {
            let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            if file < 0, errno == ENOENT { return nil }
            guard file >= 0 else { throw Self.failure(path) }
            defer { close(file) }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 16_384)
            while bytes.count < 1 << 20 {
                let count = Glibc.read(file, &piece, piece.count)
                guard count >= 0 else { throw Self.failure(path) }
                if count == 0 { break }
                bytes += piece[..<count]
            }
            return bytes
        }
    }

    /// Writes a file beside the old one, waits until the disk has it, and lets it take the old one's name.
    public func write(_ text: [UInt8], as name: String) async throws {
        let (path, folder) = (file(name), path)
        try await offload {
            let new = "\(path).\(getpid()).new"
            unlink(new)
            let file = Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.failure(path) }
            Self.giveToOwner(of: folder, file)
            let isWritten = Self.write(text, to: file) && fsync(file) == 0
            guard close(file) == 0, isWritten, rename(new, path) == 0 else {
                let failure = Self.failure(path)
                unlink(new)
                throw failure
            }
            let parent = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard parent >= 0 else { return }
            fsync(parent)
            close(parent)
        }
    }

    /// Removes a file.
    public func remove(_ name: String) async throws {
        let path = file(name)
        try await offload {
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(path) }
        }
    }

    /// Holds a lock on the file `lock` meanwhile, which goes away with the process.
    public func alone<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value? {
        let file = Glibc.open("\(path)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure("\(path)/lock") }
        defer { close(file) }
        Self.giveToOwner(of: path, file)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return try await work()
    }

    private func file(_ name: String) -> String { "\(path)/\(name)" }

    /// An administrator may give the command `certificates renew`: the site's user must be able to read what it makes.
    private static func giveToOwner(of folder: String, _ file: Int32) {
        var facts = stat()
        if geteuid() == 0, stat(folder, &facts) == 0 { _ = fchown(file, facts.st_uid, facts.st_gid) }
    }

    private static func write(_ text: [UInt8], to file: Int32) -> Bool {
        var rest = text[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func failure(_ path: String) -> ACMEProblem {
        ACMEProblem("\(path): \(String(cString: strerror(errno))).")
    }
}
