internal import CLinux
import Glibc

/// A TCP or Unix socket that listens; it closes itself.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32

    /// The maximum number of connections that wait to be accepted (`listen(2)`).
    private static let backlog: Int32 = 1024

    /// One socket for each loop, all bound to one address; the kernel spreads connections over them.
    ///
    /// The first is bound without `SO_REUSEPORT`, so that a second server on a taken port is refused instead of getting
    /// half of the connections; only then does it let the others join.
    /// - Parameter prefix: The beginning of the names of its variables.
    static func bind(
        _ address: SocketAddress,
        count: Int,
        isShared: Bool,
        unreachableTimeout: Duration? = nil,
        prefix: String = ""
    ) throws(StartError) -> (SocketAddress, [Int32]) {
        let first: ListeningSocket
        do throws(SystemError) {
            first = try ListeningSocket(opening: address)
        } catch {
            throw failure(address, error, prefix)
        }
        var others: [Int32] = []
        do throws(SystemError) {
            let bound = try SocketAddress(boundTo: first.descriptor)
            giveUp(after: unreachableTimeout, first.descriptor)
            if isShared {
                others = try duplicates(of: repeatElement(first.descriptor, count: max(count, 1) - 1))
                return (bound, [first.release()] + others)
            }
            try first.setOption(SOL_SOCKET, SO_REUSEPORT)
            for _ in 1..<max(count, 1) {
                let socket = try ListeningSocket(opening: bound, sharesPort: true)
                giveUp(after: unreachableTimeout, socket.descriptor)
                others.append(socket.release())
            }
            return (bound, [first.release()] + others)
        } catch {
            for socket in others { close(socket) }
            throw .unavailable("Cannot listen on \(address): \(error).")
        }
    }

    /// Descriptors, for each loop its own, of a Unix socket, and its file.
    /// - Parameter mode: The permissions of the file, which decide who may connect.
    static func bind(
        unix address: SocketAddress, mode: Int, count: Int
    ) throws(StartError) -> ([Int32], SocketFile) {
        try SocketFile.claim(address) { () throws(SystemError) in
            let first = try ListeningSocket(opening: address, mode: mode_t(mode))
            let others = try duplicates(of: repeatElement(first.descriptor, count: max(count, 1) - 1))
            return others + [first.release()]
        }
    }

    /// Descriptors, for each loop its own, of the sockets that the program was started with (`sd_listen_fds(3)`).
    ///
    /// They are used as they are, except for options of the connections accepted from them: to send without delay, to
    /// keep little that is not sent, and to give up on clients that cannot be reached.
    static func inherit(
        _ sockets: Int,
        from first: Int32 = 3,
        count: Int,
        unreachableTimeout: Duration? = nil
    ) throws(StartError) -> (SocketAddress, [[Int32]]) {
        var address: SocketAddress?
        for socket in first..<first + Int32(sockets) {
            let bound = try? SocketAddress(boundTo: socket)
            let isStream = option(SO_TYPE, of: socket) == Int32(SOCK_STREAM.rawValue)
            guard option(SO_ACCEPTCONN, of: socket) == 1, isStream, let bound, bound.isUsable else {
                throw .configuration(
                    "LISTEN_FDS is \(sockets), but descriptor \(socket) is not a listening TCP or Unix socket.")
            }
            address = address ?? bound
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
            _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
            set(socket, Int32(IPPROTO_TCP), TCP_NODELAY)
            keepLittleUnsent(socket)
            giveUp(after: unreachableTimeout, socket)
        }
        guard let address else { throw .configuration("LISTEN_FDS is 0.") }
        do throws(SystemError) {
            let copies = try duplicates(of: repeatElement(first..<first + Int32(sockets), count: count).joined())
            return (address, (0..<count).map { Array(copies[$0 * sockets..<($0 + 1) * sockets]) })
        } catch {
            throw .unavailable("Cannot listen on \(address): \(error).")
        }
    }

    /// Whether this machine alone reaches the sockets that the program was started with.
    static func areOnThisMachine(_ sockets: Int, from first: Int32 = 3) -> Bool {
        (0..<sockets).allSatisfy { (try? SocketAddress(boundTo: first + Int32($0)))?.isLoopback ?? false }
    }

    /// Ends the connections accepted from a socket, which inherit its options, when their clients cannot be reached for
    /// this long. A system that does not know these options does without.
    private static func giveUp(after timeout: Duration?, _ socket: Int32) {
        guard let timeout else { return }
        let seconds = Int32(timeout.wholeSeconds)
        let first = seconds / 2
        set(socket, SOL_SOCKET, SO_KEEPALIVE)
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPIDLE, first)
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, (seconds - first) / 3))
        set(socket, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
        set(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, seconds * 1000)
    }

    /// The maximum number of bytes that the kernel takes for a client ahead of sending them.
    private static let mostUnsent: Int32 = 128 * 1024

    /// Lets the kernel take only so much more than it can send (`tcp(7)`, `TCP_NOTSENT_LOWAT`). It would otherwise keep
    /// megabytes for each client that hardly reads, which no limit of the server counts. Accepted sockets inherit it; a
    /// system that does not know it does without.
    private static func keepLittleUnsent(_ socket: Int32) {
        set(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, mostUnsent)
    }

    /// A duplicate of each socket; when one cannot be had, none is left.
    private static func duplicates(of sockets: some Sequence<Int32>) throws(SystemError) -> [Int32] {
        var copies: [Int32] = []
        for socket in sockets {
            let copy = fcntl(socket, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else {
                let error = SystemError("fcntl")
                for copy in copies { close(copy) }
                throw error
            }
            copies.append(copy)
        }
        return copies
    }

    private static func option(_ option: Int32, of socket: Int32) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1
    }

    /// The error for an address that cannot be listened on.
    static func failure(_ address: SocketAddress, _ error: SystemError, _ prefix: String) -> StartError {
        let sentence = "Cannot listen on \(address): "
        switch error.code {
        case EADDRINUSE:
            let advice = "another program already listens there; stop it, or set \(prefix)PORT to another number."
            return .unavailable(sentence + advice)
        case EACCES:
            return .configuration(
                sentence + "ports below 1024 need privileges; set \(prefix)PORT to a larger number, or let systemd "
                    + "open it (docs/deploy/roost.socket).")
        case EPERM:
            return .configuration(
                sentence + "the system forbids it; in a unit of systemd with SocketBindDeny=any, add "
                    + "SocketBindAllow=tcp:\(address.port).")
        case EADDRNOTAVAIL:
            // The port for TLS is that of the site's own host.
            let host = prefix == "TLS_" ? "HOST" : "\(prefix)HOST"
            return .configuration(sentence + "this machine has no such address; set \(host) to one of its own.")
        default: return .unavailable(sentence + "\(error).")
        }
    }

    /// - Parameter mode: The permissions of a Unix socket's file.
    private init(opening address: SocketAddress, mode: mode_t = 0, sharesPort: Bool = false) throws(SystemError) {
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, flags, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        let path = address.path
        if path == nil {
            try setOption(SOL_SOCKET, SO_REUSEADDR)
            if sharesPort { try setOption(SOL_SOCKET, SO_REUSEPORT) }
            // Accepted sockets inherit it: a response never waits for the client's delayed acknowledgement.
            try setOption(Int32(IPPROTO_TCP), TCP_NODELAY)
            Self.keepLittleUnsent(descriptor)
        }
        guard address.bind(descriptor) == 0 else { throw SystemError("bind") }
        guard path.map({ chmod($0, mode) == 0 }) ?? true, listen(descriptor, Self.backlog) == 0 else {
            let error = SystemError("listen")
            if let path { unlink(path) }
            throw error
        }
    }

    deinit { close(descriptor) }

    private consuming func release() -> Int32 {
        let descriptor = self.descriptor
        discard self
        return descriptor
    }

    private borrowing func setOption(_ level: Int32, _ option: Int32) throws(SystemError) {
        guard Self.set(descriptor, level, option) else { throw SystemError("setsockopt") }
    }

    /// Sets an option of a socket; returns whether that has succeeded.
    @discardableResult
    static func set(_ socket: Int32, _ level: Int32, _ option: Int32, _ value: Int32 = 1) -> Bool {
        var value = value
        return setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}

extension SystemError: ExitError {
    /// 69: the system has no thread or file descriptor left; the next start may find one.
    package var exitCode: Int32 { EX_UNAVAILABLE }
}
