import Glibc
import Synchronization

// A Unix socket outlives its program as a file that nobody listens to. Whoever listens next must remove that file, but
// never one to which somebody listens, so looking at it, removing it, binding and listening happen under a lock that
// all servers share: that of the folder. It leaves nothing behind, and ends with the descriptor.

/// The file of the Unix socket that a server listens on. It is removed when the server takes no more connections.
final class SocketFile: Sendable {
    private let address: SocketAddress
    private let identity: Identity
    private let isRemoved = Atomic(false)

    /// A file, whatever its name.
    private struct Identity: Equatable {
        let device: dev_t
        let number: ino_t

        init(_ facts: stat) { (device, number) = (facts.st_dev, facts.st_ino) }
    }

    private init(_ address: SocketAddress, _ identity: Identity) {
        self.address = address
        self.identity = identity
    }

    deinit { remove() }

    /// Removes what a program has left that has crashed, and makes the socket.
    /// - Parameter body: Binds and listens.
    /// - Throws: ``StartError/unavailable(_:)`` when somebody listens there, ``StartError/configuration(_:)`` when
    ///   nobody can.
    static func claim<Result>(
        _ address: SocketAddress, _ body: () throws(SystemError) -> Result
    ) throws(StartError) -> (Result, SocketFile) {
        let lock = try lock(address)
        defer { close(lock) }
        try removeStale(address)
        do throws(SystemError) {
            let result = try body()
            guard let facts = facts(address) else { throw SystemError("lstat") }
            return (result, SocketFile(address, Identity(facts)))
        } catch {
            throw failure(address, error.code, "\(error)")
        }
    }

    /// Removes the file, unless another server has taken its place.
    func remove() {
        guard !isRemoved.exchange(true, ordering: .relaxed), let lock = try? Self.lock(address) else { return }
        defer { close(lock) }
        if let facts = Self.facts(address), Identity(facts) == identity { unlink(Self.path(address)) }
    }

    private static func path(_ address: SocketAddress) -> String { address.path ?? "" }

    private static func facts(_ address: SocketAddress) -> stat? {
        var facts = stat()
        return lstat(path(address), &facts) == 0 ? facts : nil
    }

    /// A descriptor that holds the lock of the file's folder.
    private static func lock(_ address: SocketAddress) throws(StartError) -> Int32 {
        let path = path(address)
        let folder = path.utf8[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
        let descriptor = open(folder.isEmpty ? "/" : String(Substring(folder)), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw .configuration("Cannot listen on \(address): its folder cannot be read: \(reason).")
        }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        return descriptor
    }

    private static func removeStale(_ address: SocketAddress) throws(StartError) {
        guard let facts = facts(address) else { return }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            throw .configuration(
                "Cannot listen on \(address): a file that is no socket is there; remove it, or set HOST to another "
                    + "path.")
        }
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let client = socket(AF_UNIX, flags, 0)
        defer { close(client) }
        let code = client >= 0 && address.connect(client) == 0 ? 0 : errno
        guard code == ECONNREFUSED else { throw failure(address, code == EACCES ? code : EADDRINUSE, "") }
        if unlink(path(address)) != 0 { throw failure(address, errno, String(cString: strerror(errno))) }
    }

    private static func failure(_ address: SocketAddress, _ code: Int32, _ reason: String) -> StartError {
        let sentence = "Cannot listen on \(address): "
        switch code {
        case EADDRINUSE:
            return .unavailable(
                sentence + "another program already listens there; stop it, or set HOST to another path.")
        case EACCES, EPERM, EROFS:
            return .configuration(
                sentence + "this user may not write there; set HOST to a path in a folder of its own.")
        default: return .unavailable(sentence + "\(reason).")
        }
    }
}
