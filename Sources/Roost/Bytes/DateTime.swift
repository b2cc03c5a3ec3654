package import FoundationEssentials

/// Points in time as texts, in the Gregorian calendar (RFC 3339 §5.6): how JSON, queries, forms, templates and
/// databases read and write them.
///
///     date-time   = full-date "T" time-of-day time-offset
///     full-date   = 4DIGIT "-" 2DIGIT "-" 2DIGIT
///     time-of-day = 2DIGIT ":" 2DIGIT ":" 2DIGIT [ "." 1*DIGIT ]
///     time-offset = "Z" / ( ( "+" / "-" ) 2DIGIT ":" 2DIGIT )
///
/// A day or a time that does not exist is no date. Neither is a leap second, `:60`, since `Date` cannot tell it from
/// the second after it. `T` and `Z` may be small letters, as the RFC allows.
package enum DateTime {
    /// The time that a text means; nil for any other text.
    package static func parse(_ text: String) -> Date? { DateTimeReader.read(text) { $0.dateTime() } }

    /// The time that a client's text means; nil for any other text, and for a time that databases do not have. What a
    /// `Double` would round up to the year 10000, `9999-12-31T23:59:59.999999Z`, is the last time before it.
    static func parse(sent text: String) -> Date? { DateTimeReader.read(text) { $0.dateTime(isFromClient: true) } }

    /// The time that the value of a browser's `date` or `datetime-local` input means, taken as UTC, or a date-time, as
    /// ``parse(sent:)`` reads it; nil for any other text (WHATWG HTML §2.3.5).
    ///
    ///     date           = full-date                                            ; 2026-01-31, its first second
    ///     datetime-local = full-date ( "T" / " " ) 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ "." 1*3DIGIT ] ]
    static func parse(input text: String) -> Date? {
        DateTimeReader.read(text) { $0.input() } ?? parse(sent: text)
    }

    /// The time that a database's timestamp means; nil for any other text. It differs from a date-time in that a blank
    /// may stand for `T`, that seconds have at most nine places, and that the offset may be short, as PostgreSQL writes
    /// it, or missing, as in texts of SQLite, for UTC.
    package static func parse(timestamp text: String) -> Date? { DateTimeReader.read(text) { $0.timestamp() } }

    /// A time in UTC to the microsecond, as databases take it and with a length that never changes,
    /// `2026-01-31 12:00:00.000000Z`; nil outside the years 1 to 9999.
    package static func timestamp(_ date: Date) -> String? {
        let buffer = ByteBuffer()
        let time = date.timeIntervalSince1970
        guard inDatabases.contains(time) else { return nil }
        // The last time that a `Date` has before the year 10000 stands for the last microsecond before it.
        let isLast = time == end.nextDown
        let microseconds = isLast ? Int(end) * 1_000_000 - 1 : Int((time * 1_000_000).rounded())
        append(microseconds, partsOfASecond: 1_000_000, digits: 6, separator: UInt8(ascii: " "), to: buffer)
        return String(decoding: buffer.written, as: UTF8.self)
    }

    /// The beginning of the year 10000, in seconds since 1970.
    static let end = 253_402_300_800.0

    /// The times that databases have, of the years 1 to 9999, in seconds since 1970.
    static let inDatabases = Double(DateTimeReader.firstYear)..<end

    /// A time in UTC to the second, `2026-01-31T12:00:00Z`; nil for a year outside 0000–9999.
    static func text(_ date: Date) -> String? {
        let buffer = ByteBuffer()
        guard append(secondsSince1970: date.timeIntervalSince1970, to: buffer) else { return nil }
        return String(decoding: buffer.written, as: UTF8.self)
    }

    /// Appends a time in UTC. Returns false, and appends nothing, for a year outside 0000–9999, for which the grammar
    /// has no digits.
    ///
    /// Without milliseconds, the time is rounded down to the second. With them, it is rounded to the nearest
    /// millisecond, because a `Double` holds few of these exactly.
    static func append(secondsSince1970 time: Double, hasMilliseconds: Bool = false, to buffer: ByteBuffer) -> Bool {
        let (parts, digits) = hasMilliseconds ? (1000, 3) : (1, 0)
        // 0000-01-01 to 9999-12-31. What was read as the end of that, and rounded up, is its last part of a second.
        guard time >= -62_167_219_200, time <= end else { return false }
        let rounding: FloatingPointRoundingRule = hasMilliseconds ? .toNearestOrAwayFromZero : .down
        let count = min(Int((time * Double(parts)).rounded(rounding)), Int(end) * parts - 1)
        append(count, partsOfASecond: parts, digits: digits, separator: UInt8(ascii: "T"), to: buffer)
        return true
    }

    /// Appends a time that is counted in seconds since 1970, or in a decimal part of them.
    /// - Parameter digits: The number of digits behind the point; none for seconds.
    private static func append(
        _ time: Int, partsOfASecond parts: Int, digits: Int, separator: UInt8, to buffer: ByteBuffer
    ) {
        let part = time.modulo(parts)
        let seconds = (time - part) / parts
        let second = seconds.modulo(86400)
        let (year, month, day) = civil((seconds - second) / 86400)
        append(year, digits: 4, to: buffer)
        append(month, digits: 2, after: UInt8(ascii: "-"), to: buffer)
        append(day, digits: 2, after: UInt8(ascii: "-"), to: buffer)
        append(second / 3600, digits: 2, after: separator, to: buffer)
        append(second / 60 % 60, digits: 2, after: UInt8(ascii: ":"), to: buffer)
        append(second % 60, digits: 2, after: UInt8(ascii: ":"), to: buffer)
        if digits > 0 { append(part, digits: digits, after: UInt8(ascii: "."), to: buffer) }
        buffer.append(UInt8(ascii: "Z"))
    }

    /// Appends a number with a fixed number of digits.
    private static func append(_ value: Int, digits: Int, after byte: UInt8? = nil, to buffer: ByteBuffer) {
        if let byte { buffer.append(byte) }
        _ = buffer.write(upTo: digits) { room in
            var rest = value
            for place in room.indices.reversed() {
                room[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            return digits
        }
    }

    /// The date of a day, counted from 1970-01-01.
    ///
    /// Here a year begins in March, so that the leap day is its last. From March on, any five months that begin with
    /// the first or the sixth have 153 days. An era has 400 years; 0000-03-01 is 719,468 days before 1970-01-01.
    static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let day = days + 719_468
        let dayOfEra = day.modulo(146_097)
        let era = (day - dayOfEra) / 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let first = era * 400 + year
        return month < 10 ? (first, month + 3, dayOfMonth) : (first + 1, month - 9, dayOfMonth)
    }
}

extension Int {
    /// The remainder that is never negative.
    func modulo(_ divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
