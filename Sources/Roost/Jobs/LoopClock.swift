/// The time as an event loop measures it: a task on a loop sleeps by one of the loop's timers, in steps of a
/// millisecond, and needs no other thread.
struct LoopClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .milliseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration? = nil) async throws {
        guard let loop = EventLoop.current else {
            return try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
        }
        try await loop.sleep(for: max(.zero, now.duration(to: deadline)))
    }
}
