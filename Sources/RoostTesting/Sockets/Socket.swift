import Glibc
import Roost
import Synchronization

/// A TCP connection whose calls block the calling thread, each until a deadline.
///
/// The descriptor itself never blocks: a call that cannot go on waits in `poll` for the rest of its time. So the limit
/// is for the whole call, and a peer that sends a few bytes at a time cannot stretch it.
struct Socket: Sendable {
    /// POLLRDHUP, which Glibc's headers define only for GNU sources: the peer sent FIN, whether or not bytes are left.
    private static let peerFinished: Int16 = 0x2000

    private let descriptor: SharedDescriptor

    init(_ number: Int32) {
        descriptor = SharedDescriptor(number)
    }

    /// Appends to `bytes` what has arrived, waiting for at least one byte; appends nothing once the peer has finished.
    func read(into bytes: inout [UInt8], before deadline: Deadline) throws {
        try descriptor.use { number in
            let chunk = try [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
                count = try repeating("recv", on: number, for: Int16(POLLIN), before: deadline) {
                    recv(number, space.baseAddress, space.count, 0)
                }
            }
            bytes += chunk
        }
    }

    /// Writes all of `bytes`; if it throws, `written` tells how many were written.
    func write(_ bytes: [UInt8], written: inout Int, before deadline: Deadline) throws {
        try descriptor.use { number in
            try bytes.withUnsafeBytes { buffer in
                while written < buffer.count {
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                    written += try repeating("send", on: number, for: Int16(POLLOUT), before: deadline) {
                        send(number, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    }
                }
            }
        }
    }

    /// Waits until the peer has finished sending; unread bytes do not matter.
    func waitForEnd(before deadline: Deadline) throws {
        try descriptor.use { number in
            try Self.wait(for: Self.peerFinished, on: number, before: deadline)
        }
    }

    /// Whether the peer has finished sending, as far as the kernel knows now.
    var isAtEnd: Bool {
        let events = try? descriptor.use { number in
            var entry = pollfd(fd: number, events: Self.peerFinished, revents: 0)
            return poll(&entry, 1, 0) > 0
        }
        return events ?? true
    }

    func shutdownWrite() throws {
        try descriptor.use { number in
            if shutdown(number, Int32(SHUT_WR)) != 0 {
                throw SocketFailure.systemCall("shutdown", errno: errno)
            }
        }
    }

    func close() {
        descriptor.close()
    }

    /// Closes with RST: anything in flight in either direction is lost.
    func reset() {
        try? descriptor.use { number in
            var hard = linger(l_onoff: 1, l_linger: 0)
            _ = setsockopt(number, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        }
        descriptor.close()
    }

    /// Repeats a system call until it succeeds, waiting in between while it would block.
    private func repeating(
        _ name: String,
        on number: Int32,
        for events: Int16,
        before deadline: Deadline,
        _ call: () -> Int
    ) throws -> Int {
        while true {
            let count = call()
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN: try Self.wait(for: events, on: number, before: deadline)
            case ECONNRESET, EPIPE: throw SocketFailure.reset
            default: throw SocketFailure.systemCall(name, errno: errno)
            }
        }
    }

    /// Waits until the descriptor has one of `events`, an error or a hang-up.
    /// - Throws: ``SocketFailure``; `CancellationError` when nobody waits for this any more, which it notices soon.
    static func wait(for events: Int16, on number: Int32, before deadline: Deadline) throws {
        let longest: Int32 = 100
        var entry = pollfd(fd: number, events: events, revents: 0)
        while true {
            let left = deadline.millisecondsLeft
            let count = poll(&entry, 1, min(left, longest))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw SocketFailure.systemCall("poll", errno: errno) }
            if count == 0, left <= longest { throw SocketFailure.timedOut(after: deadline.timeout) }
            try BlockingThread.checkCancellation()
        }
    }
}

/// The cause of a failed call on a ``Socket``.
///
/// The socket knows the cause, and its caller knows what it was waiting for; ``WireClientError`` combines both.
enum SocketFailure: Error {
    case timedOut(after: Duration)
    /// The peer sent RST, or no longer reads.
    case reset
    /// The connection was closed on this side.
    case closedHere
    case systemCall(String, errno: Int32)
}

/// The moment by which a blocking call must be done.
struct Deadline: Sendable {
    let timeout: Duration
    private let instant: ContinuousClock.Instant

    init(after timeout: Duration) {
        self.timeout = timeout
        instant = .now.advanced(by: timeout)
    }

    /// The time left, in whole milliseconds rounded up, as `poll` takes it; 0 once the moment has passed.
    var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        guard left > .zero else { return 0 }
        return Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
    }
}

extension SocketAddress {
    /// A socket connected to this address.
    ///
    /// - Parameter receiveBufferSize: The number of bytes that the kernel keeps for a client that does not read. It has
    ///   to be set before connecting, because the handshake determines how far the window can open.
    func connect(receiveBufferSize: Int?, before deadline: Deadline) throws -> Socket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(family, kind, 0)
        guard number >= 0 else { throw SocketFailure.systemCall("socket", errno: errno) }
        let connected = Socket(number)
        if let receiveBufferSize { setOption(SOL_SOCKET, SO_RCVBUF, Int32(clamping: receiveBufferSize), on: number) }
        setOption(Int32(IPPROTO_TCP), TCP_NODELAY, 1, on: number)
        if connect(number) != 0, errno != EINPROGRESS, errno != EINTR {
            throw SocketFailure.systemCall("connect", errno: errno)
        }
        try Socket.wait(for: Int16(POLLOUT), on: number, before: deadline)
        try checkOutcome(of: number)
        return connected
    }

    private func checkOutcome(of number: Int32) throws {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
            throw SocketFailure.systemCall("connect", errno: code == 0 ? errno : code)
        }
    }

    private func setOption(_ level: Int32, _ option: Int32, _ value: Int32, on number: Int32) {
        var value = value
        _ = setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// A file descriptor that several threads use, and that any of them may close.
///
/// The kernel reuses a closed number for the next `open`. If it were closed under a thread that is about to read, the
/// thread would read from another file. Here the number is closed at once if nobody uses it, otherwise by its last
/// user.
final class SharedDescriptor: Sendable {
    private struct State {
        var users = 0
        var isClosed = false
    }

    private let number: Int32
    private let state = Mutex(State())

    init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close()
    }

    /// Calls `body` with the number, which stays valid until `body` returns.
    ///
    /// - Throws: Any error of `body`, or ``SocketFailure/closedHere`` when ``close()`` came before or meanwhile.
    func use<Value>(_ body: (Int32) throws -> Value) throws -> Value {
        try state.withLock { state in
            guard !state.isClosed else { throw SocketFailure.closedHere }
            state.users += 1
        }
        let outcome = Result { try body(number) }
        if release() { throw SocketFailure.closedHere }
        return try outcome.get()
    }

    /// Closes the descriptor; a call that is waiting on it ends.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            if state.users == 0 {
                _ = Glibc.close(number)
            } else {
                _ = shutdown(number, Int32(SHUT_RDWR))  // wakes the waiting thread, which then closes
            }
        }
    }

    /// Ends one use; true when the descriptor was closed during it.
    private func release() -> Bool {
        state.withLock { state in
            state.users -= 1
            if state.isClosed, state.users == 0 { _ = Glibc.close(number) }
            return state.isClosed
        }
    }
}
