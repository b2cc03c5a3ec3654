// Dates of requests, in the three forms that a recipient must accept (RFC 9110 §5.6.7):
//
//     IMF-fixdate  = day-name "," SP date1 SP time-of-day SP GMT      ; Sun, 06 Nov 1994 08:49:37 GMT
//     rfc850-date  = day-name-l "," SP date2 SP time-of-day SP GMT    ; Sunday, 06-Nov-94 08:49:37 GMT
//     asctime-date = day-name SP date3 SP time-of-day SP year         ; Sun Nov  6 08:49:37 1994

extension HTTPDate {
    /// The seconds since 1970 of a date in one of the three forms; nil for any other text, and for a day or a time that
    /// does not exist. The name of the day is not compared with the date.
    /// - Parameter now: The present time. A year of two digits is never more than 50 years after it.
    package static func second(of text: UnsafeBufferPointer<UInt8>, now: Int) -> Int? {
        var reader = DateReader(text)
        guard let length = reader.dayName() else { return nil }
        let parts: DateReader.Parts?
        if reader.takes(", ") {
            parts = length == 3 ? reader.fixdate() : reader.obsoleteDate(now: now)
        } else {
            parts = length == 3 && reader.takes(" ") ? reader.asctime() : nil
        }
        guard let parts, reader.isAtEnd else { return nil }
        return parts.second
    }
}

/// Reads the parts of a date from left to right.
private struct DateReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    private static let dayNames: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sun", "Mon", "Tue", "Wed", "Thu",
        "Fri", "Sat",
    ]

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `06 Nov 1994 08:49:37 GMT`
    mutating func fixdate() -> Parts? {
        guard let day = digits(2), takes(" "), let month = month(), takes(" "), let year = digits(4), takes(" "),
            let time = time(), takes(" GMT")
        else { return nil }
        return Parts(year: year, month: month, day: day, time: time)
    }

    /// `06-Nov-94 08:49:37 GMT`
    mutating func obsoleteDate(now: Int) -> Parts? {
        guard let day = digits(2), takes("-"), let month = month(), takes("-"), let year = digits(2), takes(" "),
            let time = time(), takes(" GMT")
        else { return nil }
        let latest = Parts.year(of: now) + 50
        let century = (latest - year) / 100 * 100
        return Parts(year: century + year, month: month, day: day, time: time)
    }

    /// `Nov  6 08:49:37 1994`
    mutating func asctime() -> Parts? {
        guard let month = month(), takes(" "), let day = takes(" ") ? digits(1) : digits(2), takes(" "),
            let time = time(), takes(" "), let year = digits(4)
        else { return nil }
        return Parts(year: year, month: month, day: day, time: time)
    }

    /// The length of the name of a day.
    mutating func dayName() -> Int? {
        for name in Self.dayNames where takes(name) { return name.utf8CodeUnitCount }
        return nil
    }

    /// Whether the text goes on with this, which is then read.
    mutating func takes(_ expected: StaticString) -> Bool {
        let end = index + expected.utf8CodeUnitCount
        guard end <= text.count, UnsafeBufferPointer(rebasing: text[index..<end]).isEqual(to: expected) else {
            return false
        }
        index = end
        return true
    }

    private mutating func month() -> Int? {
        for (number, name) in Self.months.enumerated() where takes(name) { return number + 1 }
        return nil
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard index + count <= text.count else { return nil }
        var number = 0
        for place in index..<(index + count) {
            let digit = text[place] &- 0x30
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        index += count
        return number
    }

    /// `08:49:37` as seconds; a leap second, `:60`, is allowed.
    private mutating func time() -> Int? {
        guard let hour = digits(2), takes(":"), let minute = digits(2), takes(":"), let second = digits(2), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// A date of the Gregorian calendar.
    struct Parts {
        let year, month, day, time: Int

        init?(year: Int, month: Int, day: Int, time: Int) {
            guard day >= 1, day <= Self.days(in: month, of: year) else { return nil }
            (self.year, self.month, self.day, self.time) = (year, month, day, time)
        }

        /// Counts the days from 1 March 400 years before the year 0, so that a leap day is the last of its year.
        var second: Int {
            let years = 400 + (month > 2 ? year : year - 1)
            let months = (month + 9) % 12
            let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1
            return (days - 865_565) * 86_400 + time
        }

        private static func days(in month: Int, of year: Int) -> Int {
            switch month {
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        /// The year of a time in seconds since 1970; exact but around New Year, which is enough to find a century.
        static func year(of second: Int) -> Int { 1970 + second / 31_556_952 }
    }
}
