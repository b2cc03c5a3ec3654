/// A token bucket as numbers: what a client may still send follows from one time, at which its bucket will be full
/// again. (ATM's generic cell rate algorithm, ITU-T I.371: the theoretical arrival time.)
struct RatePolicy: Sendable {
    let limit: Int
    /// The number of requests that may come at once.
    let burst: Int
    let time: Duration
    /// The time after which a client gets one request back, in nanoseconds.
    private let interval: Int

    /// The state of a client's bucket, with times in nanoseconds.
    struct Standing: Sendable, Equatable {
        /// The number of further requests that it may send now.
        let remaining: Int
        /// The time at which its bucket is full.
        let full: Int
        /// The time that it has to wait, if it may not send this one; otherwise 0.
        let wait: Int
    }

    init(_ limit: Int, per time: Duration, burst: Int? = nil) {
        self.limit = max(1, limit)
        self.burst = max(1, burst ?? limit)
        self.time = max(.milliseconds(1), time)
        let nanoseconds = self.time.attoseconds / 1_000_000_000
        interval = max(1, Int(clamping: min(nanoseconds, 1 << 58) / Int128(self.limit)))
    }

    /// A client that sends a request now.
    /// - Parameters:
    ///   - full: The time at which its bucket is full; a time that has passed means that it is.
    ///   - now: In nanoseconds since some time.
    func request(full: Int, now: Int) -> Standing {
        let (size, isLarge) = interval.multipliedReportingOverflow(by: burst)
        let capacity = isLarge ? 1 << 62 : min(size, 1 << 62)
        let missing = max(0, full - now)
        let after = missing + interval
        guard after <= capacity else { return Standing(remaining: 0, full: full, wait: after - capacity) }
        return Standing(remaining: (capacity - after) / interval, full: now + after, wait: 0)
    }
}
