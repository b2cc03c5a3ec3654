import FoundationEssentials

/// Dates in forms and queries: as JSON writes them, or as a browser's `date` and `datetime-local` inputs do (WHATWG
/// HTML §2.3.5).
///
///     date           = 4DIGIT "-" 2DIGIT "-" 2DIGIT                             ; 2026-01-31
///     datetime-local = date ( "T" / " " ) time                                  ; 2026-01-31T12:30
///     time           = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ "." 1*3DIGIT ] ]
///
/// These inputs have no time zone, and their values are taken as UTC; a date alone means its first second.
struct FormDate {
    private var rest: Substring.UTF8View

    private init(_ text: String) { rest = text[...].utf8 }

    /// The point in time; nil for a text that is not one.
    static func parse(_ text: String) -> Date? {
        var value = FormDate(text)
        return value.input() ?? (try? Date(text, strategy: .iso8601))
    }

    private mutating func input() -> Date? {
        let start = rest
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
            year > 0, Self.isDay(year, month, day)
        else { return nil }
        let date = String(Substring(start.prefix(10)))
        guard let seconds = rest.isEmpty ? 0 : timeOfDay(), rest.isEmpty else { return nil }
        // The calendar is the one used for dates in JSON.
        return (try? Date(date + "T00:00:00Z", strategy: .iso8601))?.addingTimeInterval(seconds)
    }

    /// A time after its separator, in seconds.
    private mutating func timeOfDay() -> Double? {
        guard take("T") || take(" "), let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60
        else { return nil }
        let minutes = Double(hour * 60 + minute) * 60
        guard take(":") else { return minutes }
        guard let second = digits(2), second < 60 else { return nil }
        guard take(".") else { return minutes + Double(second) }
        let places = min(rest.count, 3)
        guard places > 0, let fraction = digits(places) else { return nil }
        return minutes + Double(second) + Double(fraction) / [10, 100, 1000][places - 1]
    }

    private mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDay(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard (1...12).contains(month), day > 0 else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let february = isLeapYear ? 29 : 28
        return day <= [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
