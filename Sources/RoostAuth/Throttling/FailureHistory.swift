/// The times at which attempts under one key have failed, in milliseconds since 1970, the oldest first. An attempt
/// counts as failed from its beginning until it has succeeded, so many at the same time are no way around a limit.
public struct FailureHistory: Sendable, Equatable {
    var times: [Int]

    /// A history; empty at first.
    public init(_ times: [Int] = []) { self.times = times }

    /// The times as a text, to be stored: `1700000000000 1700000001000`.
    public init(text: String) { times = text.split(separator: " ").compactMap { Int($0) } }

    /// The times as a text, to be stored.
    public var text: String { times.map(String.init).joined(separator: " ") }

    /// Forgets what is older than a rule looks back, and what is more than it needs to know.
    ///
    /// An attempt that seems to be yet to come, because another instance's clock is ahead or this one was set back,
    /// counts as made just now: so it is not lost, and nobody has to wait until the clock has caught up.
    mutating func forget(_ rule: ThrottleRule, at now: Int) {
        times = times.lazy.map { min($0, now) }.filter { $0 > now - rule.window }
        if times.count > rule.maximumCount { times.removeFirst(times.count - rule.maximumCount) }
    }

    /// Whether an attempt in it seems to be yet to come.
    func isAhead(of now: Int) -> Bool { times.contains { $0 > now } }

    /// Takes back an attempt that was noted at a time, which an instance whose clock is behind may have changed.
    mutating func takeBack(_ time: Int) {
        guard let index = times.lastIndex(of: time) ?? times.indices.last else { return }
        times.remove(at: index)
    }

    /// Returns the time for which the next attempt has to wait, in milliseconds; zero or less when it need not.
    func wait(_ rule: ThrottleRule, at now: Int) -> Int {
        guard let last = times.last else { return 0 }
        return last + rule.delay(after: times.count) - now
    }
}
