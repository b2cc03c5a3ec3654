/// Limits how often sessions are opened, because each costs the server a process and a password check: a number of them
/// at once, and then one at a time. Whatever makes a pool lose its sessions again and again cannot cost more than that.
struct OpeningRate: Sendable {
    /// One more session may be opened each time this has passed.
    static let interval = Duration.milliseconds(100)

    /// The time at which all sessions so far would have been opened at that rate; nil before the first.
    private var end: ContinuousClock.Instant?

    /// Takes permission to open one; false when it is too early.
    /// - Parameter burst: The most that may be opened at once.
    mutating func take(_ now: ContinuousClock.Instant, burst: Int) -> Bool {
        let next = max(end ?? now, now) + Self.interval
        guard next <= now + Self.interval * burst else { return false }
        end = next
        return true
    }
}
