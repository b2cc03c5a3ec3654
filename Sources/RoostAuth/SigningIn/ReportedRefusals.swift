import Synchronization

/// Which refusals have been reported within the last minute; at most 1,000.
final class ReportedRefusals: Sendable {
    private let times = Mutex<[String: Int]>([:])

    /// Whether a refusal has not been reported in the last minute. From then on it has.
    func isNew(_ key: String, at now: Int) -> Bool {
        times.withLock { times in
            if let time = times[key], now - time < 60, now >= time { return false }
            if times.count >= 1000 { times = times.filter { now - $0.value < 60 } }
            guard times.count < 1000 else { return false }
            times[key] = now
            return true
        }
    }
}
