import Roost

/// The time for which a server wants to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The pause that a field's value means, from nothing to ten days; nil without one.
    /// - Parameter now: The seconds since 1970.
    package static func pause(_ value: String?, now: Int) -> Duration? {
        guard var value else { return nil }
        let number = Int(value)
        let time = value.withUTF8 { HTTPDate.second(of: $0, now: now) }
        guard let seconds = number ?? time.map({ $0 - now }) else { return nil }
        return .seconds(min(max(seconds, 0), 864_000))
    }
}
