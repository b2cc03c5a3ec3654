internal import CLibevent
import Glibc

/// A client's socket, and the event with which its loop watches it.
///
/// The event is libevent's own struct at a fixed address, made once for each connection. Used on the loop's thread
/// only.
///
/// A socket that is watched for reading only is edge-triggered: the loop learns of sockets in the order in which
/// something came, but only once each time. It is asked to report again when a read has filled its memory, or when the
/// peer's end follows the bytes; any other read has taken everything (epoll(7)). Some things are noticed late: bytes
/// behind urgent data or a passed descriptor, which HTTP does not use, when more comes; and a reset right behind bytes,
/// which libevent reports as bytes, when `Connection.lookForClient` asks.
///
/// Bytes go as they are, or through a ``Transport``.
struct ConnectionSocket: ~Copyable {
    /// The transport that the bytes pass through; nil when they go as they are.
    let transport: (any Transport)?
    private let event: UnsafeMutablePointer<event>
    private let descriptor: Int32
    private var isOpen = true
    /// The events that the loop watches it for.
    private(set) var interest: Readiness = []

    /// Takes over a non-blocking socket; −1 if there is none, and its transport says by itself when there is something.
    init(_ descriptor: Int32, through transport: (any Transport)? = nil) {
        self.descriptor = descriptor
        self.transport = transport
        event = .allocate(capacity: 1)
    }

    deinit { event.deallocate() }

    borrowing func read(into bytes: MessageBytes) -> Transfer {
        if let transport { return read(into: bytes, through: transport) }
        let count = Glibc.read(descriptor, bytes.base + bytes.count, bytes.capacity - bytes.count)
        if count > 0 {
            bytes.count += count
            if bytes.count == bytes.capacity { reportAgain() }
            return .bytes(count)
        }
        return count == 0 ? .end : Self.failure
    }

    @inline(never)
    private borrowing func read(into bytes: MessageBytes, through transport: any Transport) -> Transfer {
        let free = UnsafeMutableRawBufferPointer(start: bytes.base + bytes.count, count: bytes.capacity - bytes.count)
        let transfer = transport.read(into: free)
        if case .bytes(let count) = transfer { bytes.count += count }
        return transfer
    }

    borrowing func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Transfer {
        if let transport { return transport.write(bytes) }
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        return count >= 0 ? .bytes(count) : Self.failure
    }

    /// Sends a part of a file; without a transport, it is not read into the process.
    borrowing func send(_ file: OpenFile, _ range: Range<Int>) throws(FileReadError) -> Transfer {
        if let transport { return try transport.send(file.descriptor, range) }
        var offset = range.lowerBound
        let count = sendfile(descriptor, file.descriptor, &offset, range.count)
        if count > 0 { return .bytes(count) }
        guard count < 0 else { throw FileReadError(code: 0) }
        let code = errno
        if code == EAGAIN || code == EINTR { return .wouldBlock }
        // The system does not say which of the two has failed.
        if code == EPIPE || peer == .gone { return .failed }
        throw FileReadError(code: code)
    }

    /// The state of the peer.
    enum Peer {
        case present
        /// The peer sends nothing more; it may still receive.
        case ended
        /// The connection has been reset, or is closed on both sides.
        case gone
    }

    /// Whether the system has a socket for it.
    var isOfSystem: Bool { descriptor >= 0 }

    /// The state of the peer's side, known even when bytes before its end have not been read yet.
    var peer: Peer {
        guard isOfSystem else { return transport?.peerHasFinished ?? true ? .ended : .present }
        var entry = pollfd(fd: descriptor, events: Self.readHangUp, revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return .present }
        return entry.revents & Int16(POLLERR | POLLHUP) != 0 ? .gone : .ended
    }

    /// `POLLRDHUP`, which is specific to Linux and therefore hidden in the C library's headers.
    private static let readHangUp: Int16 = 0x2000

    private static var failure: Transfer {
        errno == EAGAIN || errno == EINTR ? .wouldBlock : .failed
    }

    /// Changes what the loop watches the socket for; events go to `connection`.
    mutating func watch(_ wanted: Readiness, for connection: Connection) {
        guard isOpen, wanted != interest else { return }
        guard isOfSystem else { return interest = wanted }
        if !interest.isEmpty { event_del(event) }
        interest = wanted
        guard !wanted.isEmpty else { return }
        let target = Unmanaged.passUnretained(connection).toOpaque()
        event_assign(
            event,
            connection.group.loop.base,
            descriptor,
            wanted.events | Int16(EV_PERSIST) | (wanted == .readable ? Self.edgeTriggered : 0),
            { _, what, target in
                guard let target else { return }
                let connection = Unmanaged<Connection>.fromOpaque(target).takeUnretainedValue()
                connection.group.loop.activity.work()
                connection.ready(Readiness(events: what))
                if what & Int16(EV_CLOSED) != 0 { connection.socket.reportAgain() }
            },
            target
        )
        event_add(event, nil)
    }

    /// Edge-triggered; also reports that the peer has ended.
    private static let edgeTriggered = Int16(EV_ET | EV_CLOSED)

    /// Makes the loop report again, in its next turn, if anything can still be read.
    borrowing func reportAgain() {
        guard isOpen, interest == .readable, isOfSystem else { return }
        event_del(event)
        event_add(event, nil)
    }

    /// Tells the peer that nothing more comes; what it sends is still read.
    borrowing func shutdownSending() {
        transport?.end()
        if isOfSystem { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// - Parameter isBroken: Whether the peer must see that something is missing: by a reset, and without a word of the
    ///   transport that all has been sent.
    mutating func close(isBroken: Bool = false) {
        guard isOpen else { return }
        isOpen = false
        if isBroken {
            var hard = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        } else {
            transport?.end()
        }
        guard isOfSystem else { return }
        if !interest.isEmpty { event_del(event) }
        Glibc.close(descriptor)
    }
}
