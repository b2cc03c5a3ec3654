import FoundationEssentials

// A timestamp as text, in the form that both engines take (ISO 8601 with a blank, as RFC 3339 §5.6 allows):
//
//     timestamp = year "-" month "-" day ( " " / "T" ) hour ":" minute ":" second [ "." 1*9DIGIT ] [ zone ]
//     zone      = "Z" / ( "+" / "-" ) hour [ [ ":" ] minute ]
//
// A timestamp without a zone is UTC. Days are counted as in Howard Hinnant's "chrono-Compatible Low-Level Date
// Algorithms".

/// Dates as they are written in a database.
enum SQLDate {
    private static let microsecondsADay: Int64 = 86_400_000_000
    /// 0001-01-01 and 10000-01-01, in days since 1970.
    private static let days: Range<Int64> = -719_162..<2_932_897

    /// The date in UTC with microseconds: `2026-11-21 10:50:01.000000Z`.
    static func text(_ date: Date) throws -> String {
        let seconds = date.timeIntervalSince1970
        let limits = Double(days.lowerBound) * 86_400..<Double(days.upperBound) * 86_400
        guard limits.contains(seconds) else {
            throw DatabaseError.invalidValue("A date lies outside the years 1 to 9999.")
        }
        // Rounding may reach the limit itself, which still has a valid text.
        let microseconds = min(Int64((seconds * 1_000_000).rounded()), days.upperBound * microsecondsADay - 1)
        var day = microseconds / microsecondsADay
        var rest = microseconds % microsecondsADay
        if rest < 0 {
            rest += microsecondsADay
            day -= 1
        }
        let (year, month, dayOfMonth) = civil(day)
        let time = rest / 1_000_000
        return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(dayOfMonth, 2) + " " + digits(time / 3600, 2)
            + ":" + digits(time / 60 % 60, 2) + ":" + digits(time % 60, 2) + "." + digits(rest % 1_000_000, 6) + "Z"
    }

    /// Parses a date; nil for any other text.
    static func date(_ text: String) -> Date? {
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), (1...12).contains(month),
            reader.take("-"), let day = reader.number(2), (1...31).contains(day), reader.take(" ") || reader.take("T"),
            let hour = reader.number(2), hour < 24, reader.take(":"), let minute = reader.number(2), minute < 60,
            reader.take(":"), let second = reader.number(2), second < 61, let fraction = reader.fraction(),
            let zone = reader.zone(), reader.rest.isEmpty, civil(days(year, month, day)) == (year, month, day)
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - zone
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(_ count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        mutating func fraction() -> Double? {
            guard take(".") else { return 0 }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            let (number, scale) = digits.reduce((0.0, 1.0)) { ($0.0 * 10 + Double($1 - 0x30), $0.1 * 10) }
            return number / scale
        }

        /// Seconds east of UTC.
        mutating func zone() -> Int64? {
            if rest.isEmpty || take("Z") { return 0 }
            let sign: Int64 = take("-") ? -1 : 1
            if sign == 1, !take("+") { return nil }
            guard let hours = number(2), hours < 24 else { return nil }
            if rest.isEmpty { return sign * hours * 3600 }
            _ = take(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
