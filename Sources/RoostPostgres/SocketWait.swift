import Glibc
import Roost

/// Waits for a connection's socket.
enum SocketWait {
    /// On an event loop, the caller's loop watches the socket, so no other thread is involved. Elsewhere, as in a
    /// command without a server, a thread for blocking work waits.
    /// - Returns: The operations that the socket is ready for; empty when the deadline has passed.
    /// - Throws: `CancellationError`.
    static func ready(
        _ readiness: Readiness,
        of socket: Int32,
        until deadline: ContinuousClock.Instant
    ) async throws -> Readiness {
        if let loop = EventLoop.current {
            do {
                return try await loop.wait(for: readiness, of: socket, until: deadline)
            } catch is DeadlinePassed {
                return []
            }
        }
        while true {
            try Task.checkCancellation()
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return [] }
            let ready = try await offload { poll(socket, for: readiness, within: min(rest, slice)) }
            if !ready.isEmpty { return ready }
        }
    }

    /// The time for which a thread waits before it checks whether the task is cancelled.
    private static let slice = Duration.milliseconds(100)

    private static func poll(_ socket: Int32, for readiness: Readiness, within time: Duration) -> Readiness {
        var entry = pollfd(fd: socket, events: 0, revents: 0)
        if readiness.contains(.readable) { entry.events |= Int16(POLLIN) }
        if readiness.contains(.writable) { entry.events |= Int16(POLLOUT) }
        let milliseconds = time.components.attoseconds / 1_000_000_000_000_000 + 1
        guard Glibc.poll(&entry, 1, Int32(clamping: milliseconds)) > 0 else { return [] }
        var ready: Readiness = []
        if entry.revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { ready.insert(.readable) }
        if entry.revents & Int16(POLLOUT) != 0 { ready.insert(.writable) }
        return ready.intersection(readiness)
    }
}
