/// Dates as JSON strings: the date-time of RFC 3339 §5.6 in UTC, to the second or to the millisecond.
///
///     date-time = 4DIGIT "-" 2DIGIT "-" 2DIGIT "T" 2DIGIT ":" 2DIGIT ":" 2DIGIT [ "." 3DIGIT ] "Z"
///
/// The calendar is that of FoundationEssentials, which reads the dates back: Julian before 15 October 1582, Gregorian
/// from then on.
enum JSONDates {
    /// Appends a time, in quotation marks. Returns false, and appends nothing, for a year outside 0000–9999, for which
    /// the grammar has no digits.
    ///
    /// Without milliseconds, the time is rounded down to the second. With them, it is rounded to the nearest
    /// millisecond, because a `Double` holds few of these exactly.
    static func append(secondsSince1970 time: Double, hasMilliseconds: Bool = false, to buffer: ByteBuffer) -> Bool {
        let time = hasMilliseconds ? (time * 1000).rounded() / 1000 : time
        // 0000-01-01 (Julian) to 9999-12-31.
        guard time >= -62_167_392_000, time < 253_402_300_800 else { return false }
        let seconds = Int(time.rounded(.down))
        let days = (seconds - seconds.modulo(86400)) / 86400
        let (year, month, day) = civil(days)
        append(year, digits: 4, after: UInt8(ascii: "\""), to: buffer)
        append(month, digits: 2, after: UInt8(ascii: "-"), to: buffer)
        append(day, digits: 2, after: UInt8(ascii: "-"), to: buffer)
        append(seconds.modulo(86400) / 3600, digits: 2, after: UInt8(ascii: "T"), to: buffer)
        append(seconds.modulo(3600) / 60, digits: 2, after: UInt8(ascii: ":"), to: buffer)
        append(seconds.modulo(60), digits: 2, after: UInt8(ascii: ":"), to: buffer)
        if hasMilliseconds {
            let milliseconds = Int((time * 1000).rounded()).modulo(1000)
            append(milliseconds, digits: 3, after: UInt8(ascii: "."), to: buffer)
        }
        buffer.append("Z\"")
        return true
    }

    private static func append(_ value: Int, digits: Int, after separator: UInt8, to buffer: ByteBuffer) {
        buffer.append(separator)
        var unit = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while unit > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(value / unit % 10))
            unit /= 10
        }
    }

    /// The date of a day, counted from 1970-01-01.
    ///
    /// Here a year begins in March, so that the leap day is its last. From March on, any five months that begin with
    /// the first or the sixth have 153 days.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (year, dayOfYear) = days < -141_427 ? julianYear(days) : gregorianYear(days)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return month < 10 ? (year, month + 3, day) : (year + 1, month - 9, day)
    }

    /// The year, which begins in March, and the day in it. 0000-03-01 is 719,468 days before 1970-01-01.
    private static func gregorianYear(_ days: Int) -> (Int, Int) {
        let day = days + 719_468
        let era = day / 146_097
        let dayOfEra = day % 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        return (era * 400 + year, dayOfEra - (365 * year + year / 4 - year / 100))
    }

    /// The same in the Julian calendar: every fourth year is a leap year, and 0000-03-01 is two days earlier.
    private static func julianYear(_ days: Int) -> (Int, Int) {
        // January and February of 0000 belong to the year before. Four years more (1461 days) keep the day positive.
        let day = days + 719_470 + 1461
        let year = (4 * day + 3) / 1461
        return (year - 4, day - 1461 * year / 4)
    }
}

extension Int {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
