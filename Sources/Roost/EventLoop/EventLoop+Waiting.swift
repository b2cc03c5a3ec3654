// Waiting for drivers, such as one for a database whose C library has its own socket. Each wait is an event of the
// loop. A task that is cancelled while it waits throws `CancellationError`, and its event is removed.

extension EventLoop {
    /// Waits until a file descriptor can be read or written; returns which.
    ///
    ///     let ready = try await loop.wait(for: [.readable], of: socket, until: .now + .seconds(5))
    ///
    /// A task may wait on any loop, and resumes where it ran before; it costs least on ``current``. Until the wait is
    /// over, the descriptor must stay open and the loop alive; a loop is alive until the services have stopped.
    /// - Throws: ``DeadlinePassed``, `CancellationError`, ``EventLoopEnded``, or the system's error for a descriptor
    ///   that cannot be waited for, such as a file's.
    public func wait(
        for readiness: Readiness,
        of descriptor: Int32,
        until deadline: ContinuousClock.Instant? = nil
    ) async throws -> Readiness {
        let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
        return try await LoopWait.run(on: self, descriptor, readiness, rest)
    }

    /// Waits for some time, in steps of a millisecond.
    /// - Throws: `CancellationError`, ``EventLoopEnded``.
    public func sleep(for duration: Duration) async throws {
        do {
            _ = try await LoopWait.run(on: self, -1, [], duration)
        } catch is DeadlinePassed {}
    }

    /// Waits for some time on the caller's loop; without one, on Swift's clock.
    package static func pause(for duration: Duration) async throws {
        if let loop = current { return try await loop.sleep(for: duration) }
        try await Task.sleep(for: duration)
    }
}

/// The error of a wait whose deadline passed first.
public struct DeadlinePassed: Error, Sendable, CustomStringConvertible {
    /// A sentence that says what has happened.
    public var description: String { "The deadline passed before the awaited event happened." }
}

/// The error of a wait on a loop that has ended, or that ends before the awaited event: nothing happens there any more.
public struct EventLoopEnded: Error, Sendable, CustomStringConvertible {
    /// The sentence for a log.
    public var description: String { "The event loop has ended, so what is awaited there never happens." }

    package init() {}
}
