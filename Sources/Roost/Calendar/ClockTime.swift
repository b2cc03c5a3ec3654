public import FoundationEssentials

/// A value that can be shown as the day and time in a time zone: a moment, or a day or time that is already local.
public protocol ClockTime: Sendable {
    /// Returns the day and time that people in a time zone see.
    func localTime(in zone: ZoneInfo) -> LocalDateTime
}

extension Date: ClockTime {
    /// Returns the day and time that people in a time zone see at this moment.
    public func localTime(in zone: ZoneInfo) -> LocalDateTime { zone.localTime(at: self) }
}

extension LocalDateTime: ClockTime {
    /// Returns this time, whatever the time zone is.
    public func localTime(in zone: ZoneInfo) -> LocalDateTime { self }
}

extension LocalDate: ClockTime {
    /// Returns midnight of this day, whatever the time zone is.
    public func localTime(in zone: ZoneInfo) -> LocalDateTime { LocalDateTime(seconds: days * 86_400) }
}
