/// The waits after failed attempts: twice as long each time, with some randomness so that not all retry at once.
enum Backoff {
    private static let shortest = 0.1
    private static let longest = 10.0

    /// The wait after a number of failures in a row, at most ten seconds.
    /// - Parameter random: From 0 to 1; it reduces the wait by up to half.
    static func delay(failures: Int, random: Double) -> Duration {
        let whole = min(longest, shortest * Double(1 << min(max(failures - 1, 0), 10)))
        return .milliseconds(Int64(1000 * whole * (1 - random / 2)))
    }
}
