import FoundationEssentials
import Glibc

/// A time as a page shows it: how long ago it was, which needs no time zone, with the exact time beside it.
struct TimeAgo: Encodable, Sendable, Equatable {
    /// `2026-11-22T16:20:00Z`
    let exact: String
    /// `5 minutes ago`
    let text: String

    /// - Parameters:
    ///   - time: In seconds since 1970.
    ///   - now: In seconds since 1970.
    init(_ time: Int, now: Int = time(nil)) {
        exact = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
        text = Self.text(max(0, now - time))
    }

    /// A time that was so long ago.
    init(ago: Duration, now: Int = time(nil)) { self.init(now - Int(ago.components.seconds), now: now) }

    private static func text(_ seconds: Int) -> String {
        for (unit, length) in [("day", 86_400), ("hour", 3600), ("minute", 60)] where seconds >= length {
            let count = seconds / length
            return "\(count) \(unit)\(count == 1 ? "" : "s") ago"
        }
        return "just now"
    }
}
