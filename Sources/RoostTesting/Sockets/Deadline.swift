/// The moment by which a blocking call must be done.
struct Deadline: Sendable {
    let timeout: Duration
    private let instant: ContinuousClock.Instant

    init(after timeout: Duration) {
        self.timeout = timeout
        instant = .now.advanced(by: timeout)
    }

    /// The time left, in whole milliseconds rounded up, as `poll` takes it; 0 once the moment has passed.
    var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        guard left > .zero else { return 0 }
        return Int32(clamping: Int((left / .milliseconds(1)).rounded(.up)))
    }
}
