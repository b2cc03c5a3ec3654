import FoundationEssentials

/// A day and a time of day as a calendar and a clock on the wall show them, to the second, without a time zone:
/// `2026-11-26T09:30`. It has the form of an `<input type="datetime-local">`. Years go from 1 to 9999.
///
/// Which moment it is depends on a ``ZoneInfo``: `zone.date(of: start)`.
public struct LocalDateTime: Sendable, Hashable {
    /// The seconds since 1970-01-01T00:00, if each day has 86,400.
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    /// Creates a time of a day; nil for one that no clock shows, such as 24:00.
    public init?(_ date: LocalDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        seconds = date.days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Reads a text like `2026-11-26T09:30` or `2026-11-26 09:30:15`; without a time, it is the beginning of the day.
    /// Returns nil for any other text. What follows the seconds, at most nine decimals, is dropped.
    public init?(_ text: String) {
        guard let time = DateTimeReader.read(text, { $0.input(maximumPlaces: 9, keepsFraction: false) }) else {
            return nil
        }
        seconds = Int(time.timeIntervalSince1970)
    }

    /// The day.
    public var date: LocalDate { LocalDate(days: (seconds - seconds.modulo(86_400)) / 86_400) }
    /// The hour, from 0 to 23.
    public var hour: Int { seconds.modulo(86_400) / 3600 }
    /// The minute, from 0 to 59.
    public var minute: Int { seconds.modulo(3600) / 60 }
    /// The second, from 0 to 59.
    public var second: Int { seconds.modulo(60) }

    /// The first time of a day that there can be, and the last one.
    static let possible = LocalDate.possible.lowerBound * 86_400...LocalDate.possible.upperBound * 86_400 + 86_399
}

extension LocalDateTime: Comparable {
    /// Returns whether the first time is shown before the second.
    public static func < (one: LocalDateTime, other: LocalDateTime) -> Bool { one.seconds < other.seconds }
}

extension LocalDateTime: LosslessStringConvertible {
    /// The time as `2026-11-26T09:30`, with seconds if it has some.
    public var description: String {
        let text = DateTime.text(Date(timeIntervalSince1970: Double(seconds))) ?? ""
        return String(text.utf8.prefix(second == 0 ? 16 : 19)) ?? ""
    }
}

extension LocalDateTime: Codable {
    /// Reads a text like `2026-11-26T09:30`.
    public init(from decoder: any Decoder) throws {
        self = try Self.decoded(from: decoder, orElse: Self.mistake) { LocalDateTime($0) }
    }

    /// Writes a text like `2026-11-26T09:30`.
    public func encode(to encoder: any Encoder) throws {
        try encodeText(to: encoder)
    }
}

extension LocalDateTime: Substitutable {
    /// The sentence for a text that is none.
    static let mistake = "Must be a date and time like 2026-01-31T12:00."
    static let placeholder = LocalDateTime(seconds: 0)
}
