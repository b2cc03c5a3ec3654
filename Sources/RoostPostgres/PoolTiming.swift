import Roost

/// The pool's clock, sleep and random numbers, which tests replace.
struct PoolTiming: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
    var sleep: @Sendable (Duration) async throws -> Void = { duration in
        if let loop = EventLoop.current { return try await loop.sleep(for: duration) }
        try await Task.sleep(for: duration)
    }
    /// From 0 up to but not including 1.
    var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
}
