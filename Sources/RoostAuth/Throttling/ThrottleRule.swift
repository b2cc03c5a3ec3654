/// A rule that sets the delay after a number of failures; all times are in milliseconds.
struct ThrottleRule: Sendable, Equatable {
    /// The number of failures from which on there is a delay.
    let threshold: Int
    /// The time for which a failure counts.
    let window: Int
    /// The delay after the failure that reaches the threshold.
    let first: Int
    /// The longest delay, up to which each further failure doubles it.
    let longest: Int

    /// The delay after a number of failures.
    func delay(after count: Int) -> Int {
        guard count >= threshold else { return 0 }
        return min(longest, first << min(16, count - threshold))
    }

    /// More failures than this make no difference: the delay is the longest already.
    var maximumCount: Int { threshold + 16 }
}
