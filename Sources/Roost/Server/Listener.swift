internal import CLinux
import Glibc

// When a listening socket closes, a connection that the kernel has accepted and the program has not is reset, although
// its client had every reason to trust it. So the end has two steps. From `stopArrivals` on, no new connection begins:
// the kernel drops its SYN, which the client repeats a second later, and is then refused. `stop` closes the socket once
// the connections that had begun are complete.

/// Accepts connections for one loop.
final class Listener {
    private let socket: Int32
    private let group: ConnectionGroup
    private let room: ConnectionRoom
    private let isOwn: Bool
    private let batch: Int
    private var event: IOEvent?
    private var pause: IOEvent?
    private var isStopping = false

    /// How long to wait when all places are taken, or no file descriptors are left.
    private static let pauseLength = Duration.milliseconds(50)

    /// Takes over a listening socket. Used on the loop's thread only.
    /// - Parameters:
    ///   - isOwn: Whether the socket ends with this server; if not, connections in its queue are left for the next
    ///     server.
    ///   - batch: The most connections accepted in one turn, so that a storm of them does not delay the responses to
    ///     others, and one loop does not take connections meant for several.
    init(_ socket: Int32, _ group: ConnectionGroup, _ room: ConnectionRoom, isOwn: Bool, batch: Int) {
        self.socket = socket
        self.group = group
        self.room = room
        self.isOwn = isOwn
        self.batch = batch
        event = IOEvent(group.loop, socket, [.read, .persistent]) { [unowned self] _ in accept(atMost: self.batch) }
        pause = IOEvent(group.loop, -1, []) { [unowned self] _ in event?.add() }
        event?.add()
    }

    private func accept(atMost count: Int) {
        for _ in 0..<count {
            guard enter() else { return rest() }
            let (client, address) = SocketAddress.accept(from: socket)
            guard client < 0 else {
                group.add(client, from: address.peer)
                _ = room.takeWish()
                continue
            }
            let code = errno
            room.leave()
            switch code {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                if makeRoom() { continue }
                return rest()
            case EAGAIN: return
            // What went wrong with a connection before it was accepted does not concern the others (accept(2)).
            default: continue
            }
        }
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
    private func rest() {
        event?.remove()
        pause?.add(after: Self.pauseLength)
    }

    /// Lets no new connection begin. Where the kernel does not allow it (a filter, in some sandboxes), this is skipped.
    func stopArrivals() {
        guard isOwn else { return event = nil }
        // Of the TCP header's flags: SYN without ACK is dropped, anything else passes.
        var program = [
            sock_filter(code: 0x30, jt: 0, jf: 0, k: 13),  // load byte 13
            sock_filter(code: 0x54, jt: 0, jf: 0, k: 0x12),  // and SYN | ACK
            sock_filter(code: 0x15, jt: 0, jf: 1, k: 0x02),  // is it SYN alone?
            sock_filter(code: 0x06, jt: 0, jf: 0, k: 0),
            sock_filter(code: 0x06, jt: 0, jf: 0, k: .max),
        ]
        program.withUnsafeMutableBufferPointer { program in
            var filter = sock_fprog(len: UInt16(program.count), filter: program.baseAddress)
            setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &filter, socklen_t(MemoryLayout<sock_fprog>.size))
        }
    }

    /// Accepts the connections that already wait, even beyond the room, so that no connected client gets a reset, and
    /// closes the socket.
    func stop() {
        isStopping = true
        if isOwn, event != nil { accept(atMost: .max) }
        event = nil
        pause = nil
        close(socket)
    }
}
