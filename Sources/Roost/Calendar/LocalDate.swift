/// A day of the calendar, without a time and a time zone: `2026-11-26`. It has the form of an `<input type="date">`, of
/// a `full-date` (RFC 3339 §5.6) and of a column of the type `DATE`. Years go from 1 to 9999.
///
/// The moments of a day, such as its beginning, depend on a ``ZoneInfo``.
public struct LocalDate: Sendable, Hashable {
    /// The days since 1970-01-01.
    let days: Int

    init(days: Int) { self.days = days }

    /// Creates a day; nil for one that does not exist, such as 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), let second = DateTimeReader.firstSecond(ofDay: day, month, year) else {
            return nil
        }
        days = second / 86_400
    }

    /// Reads a day from a text like `2026-11-26`; nil for any other.
    public init?(_ text: String) {
        // With a time, it is a ``LocalDateTime``.
        guard text.utf8.count == 10, let time = LocalDateTime(text) else { return nil }
        self = time.date
    }

    /// The year.
    public var year: Int { DateTime.civil(days).year }
    /// The month, from 1 to 12.
    public var month: Int { DateTime.civil(days).month }
    /// The day of the month, from 1.
    public var day: Int { DateTime.civil(days).day }
    /// The day of the week, from 1 for Monday to 7 for Sunday (ISO 8601).
    public var weekday: Int { (days + 3).modulo(7) + 1 }

    /// Returns the day that is a number of days later, or earlier if it is negative; nil outside the years 1 to 9999.
    public func adding(days count: Int) -> LocalDate? {
        let (sum, isTooLarge) = days.addingReportingOverflow(count)
        guard !isTooLarge, Self.possible.contains(sum) else { return nil }
        return LocalDate(days: sum)
    }

    /// Returns the number of days from this one to another; it is negative for an earlier one.
    public func days(until other: LocalDate) -> Int { other.days - days }

    /// The days from 0001-01-01 to 9999-12-31.
    static let possible = -719_162...2_932_896
}

extension LocalDate: Comparable {
    /// Returns whether the first day is before the second.
    public static func < (one: LocalDate, other: LocalDate) -> Bool { one.days < other.days }
}

extension LocalDate: LosslessStringConvertible {
    /// The day as `2026-11-26`.
    public var description: String { String(LocalDateTime(seconds: days * 86_400).description.utf8.prefix(10)) ?? "" }
}

extension LocalDate: Codable {
    /// Reads a text like `2026-11-26`.
    public init(from decoder: any Decoder) throws {
        self = try Self.decoded(from: decoder, orElse: Self.mistake) { LocalDate($0) }
    }

    /// Writes a text like `2026-11-26`.
    public func encode(to encoder: any Encoder) throws {
        try encodeText(to: encoder)
    }
}

extension Encodable where Self: LosslessStringConvertible {
    /// Encodes its text.
    func encodeText(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Decodable {
    /// Decodes a text as a whole.
    /// - Parameter mistake: The sentence for a text that cannot be read.
    static func decoded(from decoder: any Decoder, orElse mistake: String, _ read: (String) -> Self?) throws -> Self {
        let container = try decoder.singleValueContainer()
        guard let value = read(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: mistake)
        }
        return value
    }
}

extension LocalDate {
    /// The sentence for a text that is none.
    static let mistake = "Must be a date like 2026-01-31."
}

extension LocalDate: Substitutable {
    static let placeholder = LocalDate(days: 0)
}
