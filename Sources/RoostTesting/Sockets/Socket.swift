import Glibc

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
    static func wait(for events: Int16, on number: Int32, before deadline: Deadline) throws {
        var entry = pollfd(fd: number, events: events, revents: 0)
        while true {
            let count = poll(&entry, 1, deadline.millisecondsLeft)
            if count > 0 { return }
            if count == 0 { throw SocketFailure.timedOut(after: deadline.timeout) }
            if errno != EINTR { throw SocketFailure.systemCall("poll", errno: errno) }
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
