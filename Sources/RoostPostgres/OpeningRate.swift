/// Bounds how often sessions are opened, each of which costs the server a process and a password's check: some at once,
/// and then one after the other. Whatever makes a pool lose its sessions again and again cannot cost more than that.
struct OpeningRate: Sendable {
    /// One more session may be opened in this time.
    static let interval = Duration.milliseconds(100)

    /// When all that was opened so far would have been opened one after the other; nil before the first.
    private var end: ContinuousClock.Instant?

    /// Takes the right to open one; false when the time for it has not come.
    /// - Parameter burst: How many may be opened at once.
    mutating func take(_ now: ContinuousClock.Instant, burst: Int) -> Bool {
        let next = max(end ?? now, now) + Self.interval
        guard next <= now + Self.interval * burst else { return false }
        end = next
        return true
    }
}
