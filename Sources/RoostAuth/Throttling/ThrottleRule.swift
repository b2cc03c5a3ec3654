/// How long to wait after how many failures; all times in milliseconds.
struct ThrottleRule: Sendable, Equatable {
    /// After this many failures there is a delay.
    let threshold: Int
    /// For how long a failure counts.
    let window: Int
    /// The delay after the failure that reaches the threshold.
    let first: Int
    /// Each further failure doubles the delay, up to this.
    let longest: Int

    /// The delay after a number of failures.
    func delay(after count: Int) -> Int {
        guard count >= threshold else { return 0 }
        return min(longest, first << min(16, count - threshold))
    }

    /// More failures than this make no difference: the delay is the longest already.
    var maximumCount: Int { threshold + 16 }
}
