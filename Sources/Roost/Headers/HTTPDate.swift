import Glibc

/// The date as a message carries it (RFC 9110 §5.6.7), written once a second.
///
///     IMF-fixdate = day-name "," SP date1 SP time-of-day SP GMT       ; Sun, 06 Nov 1994 08:49:37 GMT
package struct HTTPDate {
    private var second = Int.min
    /// The field line with its CRLF.
    private(set) var line: [UInt8] = []

    /// Makes `line` the date for a time in seconds since 1970.
    @inline(__always)
    mutating func update(to second: Int) {
        if second != self.second { write(second) }
    }

    private mutating func write(_ second: Int) {
        self.second = second
        line = Array("Date: \(Self.string(second))\r\n".utf8)
    }

    static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The date for a time in seconds since 1970.
    package static func string(_ second: Int) -> String {
        // A year has four digits.
        var clamped = time_t(min(max(second, -62_167_219_200), 253_402_300_799))
        var parts = tm()
        gmtime_r(&clamped, &parts)
        let year = parts.tm_year + 1900
        let date = "\(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(two(year / 100))\(two(year % 100))"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(DateTimeReader.dayNames[7 + Int(parts.tm_wday)]), \(date) \(time) GMT"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

// Dates of requests, in the three forms that a recipient must accept (RFC 9110 §5.6.7):
//
//     IMF-fixdate  = day-name "," SP date1 SP time-of-day SP GMT      ; Sun, 06 Nov 1994 08:49:37 GMT
//     rfc850-date  = day-name-l "," SP date2 SP time-of-day SP GMT    ; Sunday, 06-Nov-94 08:49:37 GMT
//     asctime-date = day-name SP date3 SP time-of-day SP year         ; Sun Nov  6 08:49:37 1994
//
// `strptime` accepts more than these: numbers of fewer digits, any blanks, names in the program's language, and days
// that do not exist. It also has another rule for years of two digits.

extension HTTPDate {
    /// The seconds since 1970 of a date in one of the three forms; nil for any other text, and for a day or a time that
    /// does not exist. The name of the day is not compared with the date.
    /// - Parameter now: The present time. A year of two digits is never more than 50 years after it.
    package static func second(of text: UnsafeBufferPointer<UInt8>, now: Int) -> Int? {
        DateTimeReader.read(text) { $0.httpDate(now: now) }
    }
}

extension DateTimeReader {
    fileprivate static let dayNames: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sun", "Mon", "Tue", "Wed", "Thu",
        "Fri", "Sat",
    ]

    fileprivate mutating func httpDate(now: Int) -> Int? {
        guard let day = name(of: Self.dayNames) else { return nil }
        if takes(", ") { return day < 7 ? obsoleteDate(now: now) : fixdate() }
        return day >= 7 && takes(" ") ? asctime() : nil
    }

    /// `06 Nov 1994 08:49:37 GMT`
    private mutating func fixdate() -> Int? {
        guard let day = digits(2), takes(" "), let month = month(), takes(" "), let year = digits(4), takes(" "),
            let time = time(), takes(" GMT")
        else { return nil }
        return Self.firstSecond(ofDay: day, month, year).map { $0 + time }
    }

    /// `06-Nov-94 08:49:37 GMT`
    private mutating func obsoleteDate(now: Int) -> Int? {
        guard let day = digits(2), takes("-"), let month = month(), takes("-"), let year = digits(2), takes(" "),
            let time = time(), takes(" GMT")
        else { return nil }
        // The year is exact but around New Year, which is enough to find the century.
        let latest = 1970 + now / 31_556_952 + 50
        return Self.firstSecond(ofDay: day, month, (latest - year) / 100 * 100 + year).map { $0 + time }
    }

    /// `Nov  6 08:49:37 1994`
    private mutating func asctime() -> Int? {
        guard let month = month(), takes(" "), let day = takes(" ") ? digits(1) : digits(2), takes(" "),
            let time = time(), takes(" "), let year = digits(4)
        else { return nil }
        return Self.firstSecond(ofDay: day, month, year).map { $0 + time }
    }

    private mutating func month() -> Int? { name(of: HTTPDate.months).map { $0 + 1 } }

    /// `08:49:37` as seconds; a leap second, `:60`, is allowed.
    private mutating func time() -> Int? {
        guard let minutes = hoursAndMinutes(), takes(":"), let second = digits(2), second <= 60 else { return nil }
        return minutes * 60 + second
    }
}
