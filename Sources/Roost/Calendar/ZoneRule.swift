/// The rule of a time zone for the time after its table, as the environment variable `TZ` of POSIX has it, with hours
/// from -167 to 167 (RFC 9636 §3.3): `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule: Sendable {
    /// Standard time.
    private let standard: ZoneOffset
    private let summer: Summer?

    /// Daylight saving time, from one day of the year to another.
    private struct Summer: Sendable {
        let offset: ZoneOffset
        let start, end: Change
    }

    /// A day of the year, and the seconds after its midnight.
    fileprivate struct Change: Sendable {
        let day: Day
        let seconds: Int
    }

    fileprivate enum Day: Sendable {
        /// A day from 1 to 365; 29 February is never counted.
        case julian(Int)
        /// A day from 0 to 365.
        case ofYear(Int)
        /// A weekday, 0 for Sunday, of a week of a month, 5 for the last one.
        case ofMonth(Int, week: Int, weekday: Int)
    }

    /// The offset at a time.
    /// - Parameter time: The seconds since 1970.
    func offset(at time: Int) -> ZoneOffset {
        guard let summer else { return standard }
        let local = time + standard.seconds
        let year = DateTime.civil((local - local.modulo(86_400)) / 86_400).year
        let start = summer.start.localTime(in: year) - standard.seconds
        let end = summer.end.localTime(in: year) - summer.offset.seconds
        let isSummer = start < end ? time >= start && time < end : time >= start || time < end
        return isSummer ? summer.offset : standard
    }
}

extension ZoneRule.Change {
    /// The local time of the change, in seconds since 1970.
    fileprivate func localTime(in year: Int) -> Int {
        // The year is one of a time that there is, so January has a first day.
        let first = (DateTimeReader.firstSecond(ofDay: 1, 1, year) ?? 0) / 86_400
        let isLeap = DateTimeReader.firstSecond(ofDay: 29, 2, year) != nil
        switch day {
        case .julian(let day): return (first + day - 1 + (isLeap && day > 59 ? 1 : 0)) * 86_400 + seconds
        case .ofYear(let day): return (first + day) * 86_400 + seconds
        case .ofMonth(let month, let week, let weekday):
            let begin = (DateTimeReader.firstSecond(ofDay: 1, month, year) ?? 0) / 86_400
            // 1970-01-01 was a Thursday.
            var day = begin + (weekday - (begin + 4)).modulo(7) + 7 * (week - 1)
            // The fifth week is the last that there is.
            if week == 5, DateTime.civil(day).month != month { day -= 7 }
            return day * 86_400 + seconds
        }
    }
}

extension ZoneRule {
    /// - Returns: nil for a text that is no such rule.
    init?(_ bytes: ArraySlice<UInt8>) {
        var text = ZoneRuleReader(rest: bytes)
        guard let name = text.name(), let offset = text.offset() else { return nil }
        standard = ZoneOffset(seconds: -offset, name: name)
        guard let name = text.name() else {
            summer = nil
            if !text.rest.isEmpty { return nil }
            return
        }
        let summerOffset = text.rest.first == UInt8(ascii: ",") ? standard.seconds + 3600 : text.offset().map { -$0 }
        guard let summerOffset, let start = Self.change(&text), let end = Self.change(&text), text.rest.isEmpty
        else { return nil }
        summer = Summer(offset: ZoneOffset(seconds: summerOffset, name: name), start: start, end: end)
    }

    private static func change(_ text: inout ZoneRuleReader) -> Change? {
        guard text.takes(","), let day = day(&text) else { return nil }
        guard text.takes("/") else { return Change(day: day, seconds: 7200) }
        return text.offset().map { Change(day: day, seconds: $0) }
    }

    private static func day(_ text: inout ZoneRuleReader) -> Day? {
        if text.takes("J") { return text.number(1...365).map(Day.julian) }
        guard text.takes("M") else { return text.number(0...365).map(Day.ofYear) }
        guard let month = text.number(1...12), text.takes("."), let week = text.number(1...5), text.takes("."),
            let weekday = text.number(0...6)
        else { return nil }
        return .ofMonth(month, week: week, weekday: weekday)
    }
}

/// Reads a ``ZoneRule`` from left to right.
private struct ZoneRuleReader {
    var rest: ArraySlice<UInt8>

    mutating func takes(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// `CET`, or `<+03>`.
    mutating func name() -> String? {
        let isQuoted = takes("<")
        let name = rest.prefix { isQuoted ? $0 != UInt8(ascii: ">") : $0.isLetterOrDigit && !$0.isDigit }
        rest = rest.dropFirst(name.count)
        guard !name.isEmpty, !isQuoted || takes(">") else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0.isDigit }
        rest = rest.dropFirst(digits.count)
        guard (1...3).contains(digits.count) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(number) ? number : nil
    }

    /// Hours, with minutes and seconds if need be, in seconds: `-1`, `5:30`.
    mutating func offset() -> Int? {
        let sign = takes("-") ? -1 : 1
        if sign == 1 { _ = takes("+") }
        guard let hours = number(0...167) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where takes(":") {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }
}
