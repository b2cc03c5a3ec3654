// What drivers wait with, such as one for a database whose C library has a socket of its own. Each wait is an event of
// the loop; a task that is cancelled while it waits throws `CancellationError`, and its event is gone.

extension EventLoop {
    /// Waits until a file descriptor can be read or written; returns which.
    ///
    ///     let ready = try await loop.wait(for: [.readable], of: socket, until: .now + .seconds(5))
    ///
    /// A task may wait on any loop, and resumes where it ran before; it costs least on ``current``. The descriptor must
    /// stay open meanwhile, and the loop alive, as it is until the services have stopped.
    /// - Throws: ``DeadlinePassed``, `CancellationError`, or the system's error for a descriptor that cannot be waited
    ///   for, such as a file's.
    public func wait(
        for readiness: Readiness,
        of descriptor: Int32,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Readiness {
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
        return try await LoopWait.run(on: self, descriptor, readiness, rest)
    }

    /// Waits for some time; an event loop's steps are of a millisecond.
    /// - Throws: `CancellationError`.
    public func sleep(for duration: Duration) async throws {
        do {
            _ = try await LoopWait.run(on: self, -1, [], duration)
        } catch is DeadlinePassed {}
    }
}
