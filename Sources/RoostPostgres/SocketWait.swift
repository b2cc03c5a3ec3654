import Roost

/// Waits for a connection's socket.
enum SocketWait {
    /// The caller's loop watches the socket, so no other thread is involved; a command without a server has one that
    /// belongs to nobody.
    /// - Returns: The operations that the socket is ready for; empty when the deadline has passed.
    /// - Throws: `CancellationError`.
    static func ready(
        _ readiness: Readiness,
        of socket: Int32,
        until deadline: ContinuousClock.Instant
    ) async throws -> Readiness {
        let loop = try EventLoop.current ?? EventLoop.background.get()
        do {
            return try await loop.wait(for: readiness, of: socket, until: deadline)
        } catch is DeadlinePassed {
            return []
        }
    }
}
