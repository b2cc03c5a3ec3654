import Roost
import Testing

@testable import RoostJobs

@Suite("Lines of cron", .timeLimit(.minutes(5)))
struct CronLineTests {
    /// The time in seconds since 1970 of a date in UTC.
    private static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int {
        // Days from 1970, in years that begin in March (as in "chrono-compatible low-level date algorithms").
        let (y, m) = (month <= 2 ? year - 1 : year, (month + 9) % 12)
        let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719_468
        return days * 86_400 + hour * 3600 + minute * 60
    }

    /// The wall clock at an offset from UTC.
    private static func wall(_ time: Int, offset: Int = 0) -> CronLine.Wall {
        let seconds = time + offset
        var (days, year) = (seconds / 86_400, 1970)
        let weekday = (days + 4) % 7
        func length(_ year: Int) -> Int { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365 }
        while days >= length(year) {
            days -= length(year)
            year += 1
        }
        var month = 0
        let lengths = [31, length(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        while days >= lengths[month] {
            days -= lengths[month]
            month += 1
        }
        let minute = seconds % 86_400 / 60
        return CronLine.Wall(
            month: month + 1, day: days + 1, weekday: weekday, hour: minute / 60, minute: minute % 60)
    }

    /// Central Europe in 2026: summer time from 29 March to 25 October, each at 1:00 UTC.
    private static func berlin(_ time: Int) -> CronLine.Wall {
        let isSummer = time >= utc(2026, 3, 29, 1) && time < utc(2026, 10, 25, 1)
        return wall(time, offset: isSummer ? 7200 : 3600)
    }

    private static func times(
        _ line: String, after start: Int, count: Int, _ zone: (Int) -> CronLine.Wall = { wall($0) }
    ) throws -> [Int] {
        let line = try CronLine(line)
        return (0..<count).reduce(into: [start]) { times, _ in
            if let last = times.last, let next = line.next(after: last, wall: zone) { times.append(next) }
        }.dropFirst().map { $0 }
    }

    @Test(arguments: [
        ("30 3 * * *", [utc(2026, 11, 25, 3, 30), utc(2026, 11, 26, 3, 30)]),
        ("*/20 * * * *", [utc(2026, 11, 24, 15, 0), utc(2026, 11, 24, 15, 20)]),
        ("5/25 * * * *", [utc(2026, 11, 24, 14, 55), utc(2026, 11, 24, 15, 5)]),
        ("0 9-17/4 * * mon-fri", [utc(2026, 11, 24, 17), utc(2026, 11, 25, 9)]),
        ("0\t9-17/4 \t* * mon-fri", [utc(2026, 11, 24, 17), utc(2026, 11, 25, 9)]),
        ("*/60 * * * *", [utc(2026, 11, 24, 15), utc(2026, 11, 24, 16)]),
        ("0 */24 * * *", [utc(2026, 11, 25), utc(2026, 11, 26)]),
        ("0 9-10/9 * * *", [utc(2026, 11, 25, 9), utc(2026, 11, 26, 9)]),
        ("0 0 1,15 * *", [utc(2026, 12, 1), utc(2026, 12, 15)]),
        ("0 0 1 * mon", [utc(2026, 11, 30), utc(2026, 12, 1)]),
        ("0 0 29 feb *", [utc(2028, 2, 29), utc(2032, 2, 29)]),
        ("0 12 * jan,Jul 7", [utc(2027, 1, 3, 12), utc(2027, 1, 10, 12)]),
        ("@hourly", [utc(2026, 11, 24, 15), utc(2026, 11, 24, 16)]),
        ("@daily", [utc(2026, 11, 25), utc(2026, 11, 26)]),
        ("@weekly", [utc(2026, 11, 29), utc(2026, 12, 6)]),
        ("@monthly", [utc(2026, 12, 1), utc(2027, 1, 1)]),
        ("@yearly", [utc(2027, 1, 1), utc(2028, 1, 1)]),
    ])
    func `a line gives times`(line: String, expected: [Int]) throws {
        #expect(try Self.times(line, after: Self.utc(2026, 11, 24, 14, 45), count: 2) == expected)
    }

    /// In Nuuk, 22:59 is followed by 00:00 of the next day; in St John's, 00:00 once was by 23:01 of the day before.
    @Test(arguments: [
        ("America/Nuuk", "30 23 * * *", utc(2026, 3, 28, 12), [utc(2026, 3, 29, 1), utc(2026, 3, 30, 0, 30)]),
        ("America/Nuuk", "0 12 * * *", utc(2026, 3, 28, 15), [utc(2026, 3, 29, 13), utc(2026, 3, 30, 13)]),
        ("America/St_Johns", "0 12 * * *", utc(2010, 11, 6, 20), [utc(2010, 11, 7, 15, 30), utc(2010, 11, 8, 15, 30)]),
    ])
    func `a change at midnight leaves nothing out, and brings nothing early`(
        name: String, line: String, start: Int, expected: [Int]
    ) throws {
        let zone = try #require(ZoneInfo(name))
        #expect(try Self.times(line, after: start, count: 2) { CronLine.wall($0, in: zone) } == expected)
    }

    /// Berlin as the system's database has it, over both changes of 2026.
    @Test(arguments: [
        ("30 2 * * *", utc(2026, 3, 28, 12), [utc(2026, 3, 29, 1), utc(2026, 3, 30, 0, 30)]),
        ("30 2 * * *", utc(2026, 10, 24, 12), [utc(2026, 10, 25, 0, 30), utc(2026, 10, 26, 1, 30)]),
        ("0 9 * * sun", utc(2026, 3, 27), [utc(2026, 3, 29, 7), utc(2026, 4, 5, 7)]),
    ])
    func `a line in a time zone comes once a day, whatever clocks do`(line: String, start: Int, expected: [Int]) throws
    {
        let zone = try #require(ZoneInfo("Europe/Berlin"))
        #expect(try Self.times(line, after: start, count: 2) { CronLine.wall($0, in: zone) } == expected)
    }

    @Test(arguments: [
        "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "a * * * *",
        "1- * * * *", "5-1 * * * *", "*/0 * * * *", "1,,2 * * * *", "* * * foo *", "-1 * * * *", "+1 * * * *",
        "99999999999999999999 * * * *", "@often", "1/ * * * *", "*/61 * * * *", "*/90 * * * *", "0 */25 * * *",
        "0 0 */32 * *", "0 0 1 */13 *", "0 0 * * */9", "5/61 * * * *", "*/9223372036854775807 * * * *",
    ])
    func `what is no line is an error`(line: String) {
        #expect(throws: StartError.self) { try CronLine(line) }
    }

    @Test(arguments: ["Europe/Berlim", ":Europe/Berlim", "Nonsense/Zone", "Berlin", "../Berlin", "Europe/Berlin "])
    func `a TZ that names no time zone ends the start`(zone: String) throws {
        let error = #expect(throws: StartError.self) {
            try JobSchedule("@daily", Sample(text: "")).check(["TZ": zone])
        }
        #expect(error?.description.contains("TZ is \"") == true)
        // The schedule has a time zone of its own.
        #expect(throws: Never.self) { try JobSchedule("@daily", Sample(text: ""), in: .utc).check(["TZ": zone]) }
    }

    @Test(arguments: [
        "", ":", "UTC", ":UTC", "utc", "Etc/UTC", "Europe/Berlin", ":Europe/Berlin", "CET-1CEST,M3.5.0,M10.5.0/3",
        "UTC0", "<+03>-3", "/etc/localtime", ":/etc/localtime",
    ])
    func `any other TZ is the C library's to read`(zone: String) throws {
        #expect(try JobSchedule("@daily", Sample(text: "")).check(["TZ": zone]) == "Sample")
        #expect(try JobSchedule("@daily", Sample(text: "")).check([:]) == "Sample")
    }

    @Test func `a line that fits no day has no time`() throws {
        #expect(try CronLine("0 0 31 feb *").next(after: 0, wall: { Self.wall($0) }) == nil)
    }

    @Test func `what would be in the hour that is left out comes right after it`() throws {
        let start = Self.utc(2026, 3, 28, 2)
        #expect(
            try Self.times("30 2 * * *", after: start, count: 2, Self.berlin)
                == [Self.utc(2026, 3, 29, 1), Self.utc(2026, 3, 30, 0, 30)])
        // What runs all day goes on.
        #expect(
            try Self.times("*/30 * * * *", after: Self.utc(2026, 3, 29, 0, 30), count: 3, Self.berlin)
                == [Self.utc(2026, 3, 29, 1), Self.utc(2026, 3, 29, 1, 30), Self.utc(2026, 3, 29, 2)])
    }

    @Test func `what is in the hour that comes twice comes once`() throws {
        let start = Self.utc(2026, 10, 24, 12)
        #expect(
            try Self.times("30 2 * * *", after: start, count: 2, Self.berlin)
                == [Self.utc(2026, 10, 25, 0, 30), Self.utc(2026, 10, 26, 1, 30)])
        #expect(
            try Self.times("30 * * * *", after: Self.utc(2026, 10, 25), count: 3, Self.berlin)
                == [Self.utc(2026, 10, 25, 0, 30), Self.utc(2026, 10, 25, 1, 30), Self.utc(2026, 10, 25, 2, 30)])
    }
}
