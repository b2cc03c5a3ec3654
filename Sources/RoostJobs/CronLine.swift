import FoundationEssentials
import Glibc
import Roost

// line  = minute hour day month weekday, or @hourly @daily @midnight @weekly @monthly @yearly @annually
// field = part *("," part)
// part  = ("*" | value ["-" value]) ["/" step]          value = number, or a name of a month or weekday

/// The times of a line of cron (`crontab(5)`): those of which minute, hour, month and day fit; if both the day of the
/// month and the weekday are restricted, one of them must.
struct CronLine: Sendable {
    private var minutes, hours, days, months, weekdays: UInt64
    /// Whether the field begins with `*`.
    private let isAnyHour, isAnyDay, isAnyWeekday: Bool

    /// A time as clocks and calendars on the wall show it.
    struct Wall: Equatable {
        var month, day, weekday, hour, minute: Int

        /// The minute of the day.
        var minuteOfDay: Int { 60 * hour + minute }
    }

    /// - Throws: `StartError` for a text that is no such line.
    init(_ text: String) throws(StartError) {
        let line = Self.names[text] ?? text
        let fields = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard fields.count == 5 else {
            throw .configuration(
                "The schedule \"\(text)\" has \(fields.count) fields: minute, hour, day, month and weekday are needed, "
                    + "or one of @hourly, @daily, @weekly, @monthly and @yearly.")
        }
        func field(_ index: Int, _ range: ClosedRange<Int>, _ names: [String] = []) throws(StartError) -> UInt64 {
            guard let set = Self.set(fields[index], range, names) else {
                throw .configuration(
                    "The schedule \"\(text)\" has a field that cannot be read, or a step that is larger than the "
                        + "field: \(fields[index])")
            }
            return set
        }
        minutes = try field(0, 0...59)
        hours = try field(1, 0...23)
        days = try field(2, 1...31)
        months = try field(3, 1...12, Self.monthNames)
        weekdays = try field(4, 0...7, Self.weekdayNames)
        // Sunday is 0 and 7.
        if weekdays & 1 << 7 != 0 { weekdays |= 1 }
        isAnyHour = fields[1].hasPrefix("*")
        isAnyDay = fields[2].hasPrefix("*")
        isAnyWeekday = fields[4].hasPrefix("*")
    }

    private static let names = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
        "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]
    private static let monthNames = [
        "", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    /// The values of a field as bits.
    private static func set(_ field: String, _ range: ClosedRange<Int>, _ names: [String]) -> UInt64? {
        var set: UInt64 = 0
        for part in field.split(separator: ",", omittingEmptySubsequences: false) {
            let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            // A larger step than the field has values would be taken for another one: "*/90" is no 90 minutes.
            guard let step = halves.count == 2 ? number(halves[1]) : 1, (1...range.count).contains(step) else {
                return nil
            }
            let ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            let values = ends.compactMap { value($0, names) }
            let first = halves[0] == "*" ? range.lowerBound : values.first
            // "5/15" is from 5 on.
            let last = halves[0] == "*" || halves.count == 2 && ends.count == 1 ? range.upperBound : values.last
            guard let first, let last, halves[0] == "*" || values.count == ends.count, first <= last,
                range.contains(first), range.contains(last)
            else { return nil }
            for value in stride(from: first, through: last, by: step) { set |= 1 << UInt64(value) }
        }
        return set
    }

    private static func value(_ text: Substring, _ names: [String]) -> Int? {
        number(text) ?? (text.isEmpty ? nil : names.firstIndex(of: text.lowercased()))
    }

    private static func number(_ text: Substring) -> Int? { text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil }

    // MARK: Times

    /// The first time after another one, in seconds since 1970; nil when there is none within eight years, in which
    /// each day of the calendar occurs.
    ///
    /// Where clocks are put forward, what would have been in the hour that is left out comes right after it. Where they
    /// are put back, an hour comes twice: a line with `*` for the hour goes on, any other comes once.
    func next(after time: Int, wall: (Int) -> Wall = CronLine.local) -> Int? {
        var minute = (time / 60 + 1) * 60
        let end = minute + 8 * 366 * 86_400
        var before = wall(minute - 60)
        while minute < end {
            let now = wall(minute)
            if isDue(now, before, minute, wall) { return minute }
            // Offsets from UTC change at quarters of an hour; where they changed at 00:01, as in Newfoundland until
            // 2011, a time that is left out is missed.
            let isNear = fits(now) && hours & 1 << UInt64(now.hour) != 0
            let step = isNear ? 60 : 900 - minute % 900
            minute += step
            before = step == 60 ? now : wall(minute - 60)
        }
        return nil
    }

    private func isDue(_ now: Wall, _ before: Wall, _ minute: Int, _ wall: (Int) -> Wall) -> Bool {
        if includes(now) {
            return isAnyHour || !isShownAgain(now, minute, wall)
        }
        guard !isAnyHour else { return false }
        guard before.day != now.day else { return includes(before.minuteOfDay + 1, now.minuteOfDay, of: now) }
        guard !isShownAgain(now, minute, wall) else { return false }
        // The end of a day may be left out as well.
        return includes(before.minuteOfDay + 1, 24 * 60, of: before) || includes(0, now.minuteOfDay, of: now)
    }

    /// Whether clocks have been put back, by at most two hours, to a time that they have shown before.
    private func isShownAgain(_ now: Wall, _ minute: Int, _ wall: (Int) -> Wall) -> Bool {
        stride(from: 900, through: 7200, by: 900).contains { wall(minute - $0) == now }
    }

    /// Whether one of the minutes of a day fits, from the first on and before the end.
    private func includes(_ first: Int, _ end: Int, of day: Wall) -> Bool {
        first < end
            && (first..<end).contains { left in
                let left = Wall(
                    month: day.month, day: day.day, weekday: day.weekday, hour: left / 60, minute: left % 60)
                return includes(left)
            }
    }

    private func includes(_ wall: Wall) -> Bool {
        minutes & 1 << UInt64(wall.minute) != 0 && hours & 1 << UInt64(wall.hour) != 0 && fits(wall)
    }

    /// Whether the day fits.
    private func fits(_ wall: Wall) -> Bool {
        guard months & 1 << UInt64(wall.month) != 0 else { return false }
        let day = days & 1 << UInt64(wall.day) != 0
        let weekday = weekdays & 1 << UInt64(wall.weekday) != 0
        return isAnyDay || isAnyWeekday ? day && weekday : day || weekday
    }

    /// A time in a time zone; nil for that of the program.
    static func wall(_ time: Int, in zone: ZoneInfo?) -> Wall {
        guard let zone else { return local(time) }
        let local = zone.localTime(at: Date(timeIntervalSince1970: Double(time)))
        let date = local.date
        return Wall(
            month: date.month, day: date.day, weekday: date.weekday % 7, hour: local.hour, minute: local.minute)
    }

    /// A time in the time zone of the program (`TZ`).
    static func local(_ time: Int) -> Wall {
        var (seconds, parts) = (time_t(time), tm())
        localtime_r(&seconds, &parts)
        return Wall(
            month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), weekday: Int(parts.tm_wday),
            hour: Int(parts.tm_hour), minute: Int(parts.tm_min))
    }
}
