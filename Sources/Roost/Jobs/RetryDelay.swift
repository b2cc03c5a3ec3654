/// The time to wait before something that has failed is tried again: 1, 2, 4 … 64 s.
struct RetryDelay {
    private var delay = Duration.seconds(1)

    /// The delay after one more failure.
    mutating func next() -> Duration {
        defer { delay = min(delay * 2, .seconds(64)) }
        return delay
    }
}
