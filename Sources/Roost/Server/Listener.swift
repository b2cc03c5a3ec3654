internal import CLinux
import Glibc

/// Accepts connections for one loop.
final class Listener {
    private let socket: Int32
    private let group: ConnectionGroup
    private var event: IOEvent?
    private var pause: IOEvent?

    /// The most connections accepted in one turn, so that a storm of them does not keep others from their answers.
    private static let batch = 64
    /// How long to wait when the process or the system has no file descriptors left, in milliseconds.
    private static let pauseLength = 50

    /// Takes over a listening socket. Used on the loop's thread only.
    init(_ socket: Int32, _ group: ConnectionGroup) {
        self.socket = socket
        self.group = group
        event = IOEvent(group.loop, socket, [.read, .persistent]) { [unowned self] _ in accept() }
        pause = IOEvent(group.loop, -1, []) { [unowned self] _ in event?.add() }
        event?.add()
    }

    private func accept() {
        for _ in 0..<Self.batch {
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let client = accept4(socket, nil, nil, flags)
            guard client < 0 else {
                group.add(client)
                continue
            }
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return rest()
            case ECONNABORTED, EINTR: continue
            default: return
            }
        }
    }

    /// Without a pause the level-triggered socket would report the same connection for ever.
    private func rest() {
        event?.remove()
        pause?.add(after: Self.pauseLength)
    }

    /// Accepts what already waits, so that nobody who is connected gets a reset, then stops listening.
    func stop() {
        guard event != nil else { return }
        accept()
        event = nil
        pause = nil
        close(socket)
    }
}
