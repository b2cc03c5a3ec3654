import FoundationEssentials

/// Reads texts with dates and times from left to right.
struct DateTimeReader {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// The time in the whole of a text; nil if something else is there, or more.
    static func read(_ text: String, _ read: (inout DateTimeReader) -> Double?) -> Date? {
        var text = text
        return text.withUTF8 { Self.read($0, read) }.map(Date.init(timeIntervalSince1970:))
    }

    /// Reads a value from the whole of a text; nil if something else is there, or more.
    static func read<Result>(
        _ text: UnsafeBufferPointer<UInt8>, _ read: (inout DateTimeReader) -> Result?
    ) -> Result? {
        var reader = DateTimeReader(rest: text[...])
        guard let result = read(&reader), reader.rest.isEmpty else { return nil }
        return result
    }

    /// A date and time with its offset from UTC, in seconds since 1970.
    /// - Parameter isFromClient: Whether a client has sent it, from whom only what databases take is taken.
    mutating func dateTime(isFromClient: Bool = false) -> Double? {
        guard let day = day(), takes("T") || takes("t"), let time = timeOfDay(needsSeconds: true, maximumPlaces: .max),
            let offset = offset(), Self.writable.contains(day + time.seconds - offset),
            !isFromClient || day + time.seconds - offset >= Self.firstYear
        else { return nil }
        let seconds = Double(day + time.seconds - offset) + time.fraction
        return isFromClient ? min(seconds, DateTime.end.nextDown) : seconds
    }

    /// The seconds of the years 0000 to 9999, which can be written: an offset may lead out of them.
    private static let writable = -62_167_219_200..<253_402_300_800

    /// A database's date and time, in seconds since 1970.
    mutating func timestamp() -> Double? {
        guard let day = day(), takes(" ") || takes("T"), let time = timeOfDay(needsSeconds: true, maximumPlaces: 9),
            let offset = rest.isEmpty ? 0 : offset(isShort: true)
        else { return nil }
        let seconds = Double(day + time.seconds - offset)
        // A fraction that a `Double` rounds up does not lead into the year 10000, which databases do not take back.
        return seconds < DateTime.end ? min(seconds + time.fraction, DateTime.end.nextDown) : seconds + time.fraction
    }

    /// The value of a `date` or `datetime-local` input, in seconds since 1970.
    /// - Parameter keepsFraction: Whether decimals count; a `Date` could round them up to the next second.
    mutating func input(maximumPlaces: Int = 3, keepsFraction: Bool = true) -> Double? {
        guard let day = day(), day >= Self.firstYear else { return nil }
        if rest.isEmpty { return Double(day) }
        guard takes("T") || takes(" "), let time = timeOfDay(needsSeconds: false, maximumPlaces: maximumPlaces) else {
            return nil
        }
        return Double(day + time.seconds) + (keepsFraction ? time.fraction : 0)
    }

    /// The beginning of the year 1, the first that such an input has.
    static let firstYear = -62_135_596_800

    /// The first second of a day.
    private mutating func day() -> Int? {
        guard let year = digits(4), takes("-"), let month = digits(2), takes("-"), let day = digits(2) else {
            return nil
        }
        return Self.firstSecond(ofDay: day, month, year)
    }

    /// The first second of a day in seconds since 1970; nil for a day that does not exist.
    static func firstSecond(ofDay day: Int, _ month: Int, _ year: Int) -> Int? {
        guard (1...12).contains(month), day >= 1, day <= days(in: month, of: year) else { return nil }
        // Counts the days from 1 March 400 years before the year 0, so that a leap day is the last of its year.
        let years = 400 + (month > 2 ? year : year - 1)
        let months = (month + 9) % 12
        let days = years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + day - 1
        return (days - 865_565) * 86_400
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// A time since midnight: whole seconds, and the rest.
    private mutating func timeOfDay(needsSeconds: Bool, maximumPlaces: Int) -> (seconds: Int, fraction: Double)? {
        guard let minutes = hoursAndMinutes() else { return nil }
        guard takes(":") else { return needsSeconds ? nil : (minutes * 60, 0) }
        guard let second = digits(2), second < 60 else { return nil }
        guard takes(".") else { return (minutes * 60 + second, 0) }
        return fraction(maximumPlaces).map { (minutes * 60 + second, $0) }
    }

    /// Hours and minutes, in minutes.
    mutating func hoursAndMinutes() -> Int? {
        guard let hour = digits(2), hour < 24, takes(":"), let minute = digits(2), minute < 60 else { return nil }
        return hour * 60 + minute
    }

    /// At least one digit; those beyond the eighteenth change nothing.
    private mutating func fraction(_ maximumPlaces: Int) -> Double? {
        var (value, unit, places) = (0, 1, 0)
        while let digit = digits(1) {
            places += 1
            if places <= 18 { (value, unit) = (value * 10 + digit, unit * 10) }
        }
        return places > 0 && places <= maximumPlaces ? Double(value) / Double(unit) : nil
    }

    /// An offset from UTC, in seconds. A short one has no minutes, or no colon before them: `+02`, `+0230`.
    private mutating func offset(isShort: Bool = false) -> Int? {
        if takes("Z") || takes("z") { return 0 }
        let sign = takes("+") ? 1 : takes("-") ? -1 : 0
        guard sign != 0, let hour = digits(2), hour < 24 else { return nil }
        if isShort, rest.isEmpty { return sign * hour * 3600 }
        guard takes(":") || isShort, let minute = digits(2), minute < 60 else { return nil }
        return sign * (hour * 60 + minute) * 60
    }

    /// A number of so many digits.
    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Whether the text goes on with this, which is then read.
    mutating func takes(_ expected: StaticString) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard UnsafeBufferPointer(rebasing: rest.prefix(count)).isEqual(to: expected) else { return false }
        rest = rest.dropFirst(count)
        return true
    }

    /// The number, from 0, of the name with which the text goes on, and which is then read; nil if it is none of them.
    mutating func name(of names: [StaticString]) -> Int? { names.indices.first { takes(names[$0]) } }
}
