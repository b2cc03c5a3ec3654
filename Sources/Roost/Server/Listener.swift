import Glibc

/// Accepts connections for one loop.
final class Listener {
    private let socket: Int32
    private let group: ConnectionGroup
    private let room: ConnectionRoom
    private let isOwn: Bool
    private let batch: Int
    private let makeTransport: ((Int32) -> (any Transport)?)?
    private let acceptNext: (Int32) -> (Int32, SocketAddress)
    /// The number of failures to accept in a row, of those that concern one client only.
    private var failures = 0
    private var hasReported = false
    private var event: IOEvent?
    private var pause: IOEvent?
    private var isStopping = false

    /// The time to wait before accepting again when all places are taken, or no file descriptors are left.
    private static let pauseLength = Duration.milliseconds(50)
    /// The number of such failures in a row after which the fault is taken for the socket's own.
    private static let mostFailures = 64

    /// Takes over a listening socket. Used on the loop's thread only.
    /// - Parameters:
    ///   - makeTransport: Makes what the bytes of each client pass through; nil if they go as they are.
    ///   - isOwn: Whether the socket ends with this server; if not, connections in its queue are left for the next
    ///     server.
    ///   - batch: The most connections accepted in one turn, so that a storm of them does not delay the responses to
    ///     others, and one loop does not take connections meant for several.
    ///   - acceptNext: Accepts a connection, or returns -1 and the reason in `errno`.
    init(
        _ socket: Int32, _ group: ConnectionGroup, _ room: ConnectionRoom,
        through makeTransport: ((Int32) -> (any Transport)?)? = nil, isOwn: Bool, batch: Int,
        acceptNext: @escaping (Int32) -> (Int32, SocketAddress) = SocketAddress.accept(from:)
    ) {
        self.socket = socket
        self.group = group
        self.room = room
        self.makeTransport = makeTransport
        self.isOwn = isOwn
        self.batch = batch
        self.acceptNext = acceptNext
        event = IOEvent(group.loop, socket, .readable, isPersistent: true) { [unowned self] _ in
            accept(atMost: self.batch)
        }
        pause = IOEvent(group.loop, -1, []) { [unowned self] _ in watch() }
        watch()
    }

    /// Waits for clients. If the system has no memory to watch the socket, that is tried again after a while.
    private func watch() {
        guard let event, !event.add() else { return }
        report(SystemError("epoll_ctl", code: errno))
    }

    private func accept(atMost count: Int) {
        for _ in 0..<count {
            guard enter() else { return takeBreak() }
            let (client, address) = acceptNext(socket)
            guard client < 0 else {
                failures = 0
                hasReported = false
                add(client, from: address.peer)
                _ = room.takeWish()
                continue
            }
            let code = errno
            room.leave()
            switch code {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                if makeRoom() { continue }
                return takeBreak()
            case EAGAIN: return
            // A connection that failed before it was accepted does not concern the others (accept(2)).
            default:
                failures += 1
                if failures >= Self.mostFailures { return report(SystemError("accept4", code: code)) }
            }
        }
    }

    private func add(_ client: Int32, from peer: PeerAddress) {
        guard let makeTransport else { return group.add(client, from: peer) }
        guard let transport = makeTransport(client) else {
            close(client)
            return room.leave()
        }
        group.add(client, from: peer, through: transport)
    }

    /// Something is wrong that does not concern one client only: says so once, and waits a while.
    private func report(_ error: SystemError) {
        failures = 0
        if !hasReported { group.logger.error("Cannot accept clients: \(error).") }
        hasReported = true
        takeBreak()
    }

    /// Takes a place for one client. At the end every waiting client gets one: no more can follow.
    private func enter() -> Bool {
        if isStopping {
            room.enterAnyway()
            return true
        }
        return room.enter() || makeRoom() && room.enter()
    }

    /// Closes idle or slow connections when a client waits to be accepted. False when none waits, or when no connection
    /// is idle or slow; in the latter case other loops are asked to close theirs.
    private func makeRoom() -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        if group.makeRoom() > 0 { return true }
        room.wishForPlace()
        return false
    }

    /// Stops accepting for a while. Without a pause, the level-triggered socket would report the same connection for
    /// ever.
    private func takeBreak() {
        event?.remove()
        pause?.add(after: Self.pauseLength)
    }

    /// Leaves new connections to the next server, if the socket outlives this one.
    func beginDrain() {
        if !isOwn { event = nil }
    }

    /// Accepts the connections that already wait, even beyond the room, so that no connected client gets a reset, and
    /// closes the socket.
    func stop() {
        isStopping = true
        if isOwn, event != nil {
            dropArrivals()
            accept(atMost: .max)
        }
        abandon()
    }

    /// Lets no new connection begin: the kernel would reset one whose handshake ends between the last `accept` and the
    /// close. Below the smallest TTL, which is set to one that clients do not send with, it drops their SYN instead
    /// (`ip(7)`, `IP_MINTTL`). The client repeats that a second later; then the next server has it, or it is refused.
    private func dropArrivals() {
        for (level, option) in [(IPPROTO_IP, IP_MINTTL), (IPPROTO_IPV6, IPV6_MINHOPCOUNT)] {
            ListeningSocket.set(socket, Int32(level), option, 255)
        }
    }

    /// Closes the socket, with whatever waits there.
    func abandon() {
        event = nil
        pause = nil
        close(socket)
    }
}
