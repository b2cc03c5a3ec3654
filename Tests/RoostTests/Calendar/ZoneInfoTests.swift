import FoundationEssentials
import Processes
import RoostTesting
import Testing

@testable import Roost

@Suite("Time zones", .quietLog, .timeLimit(.minutes(5)))
struct ZoneInfoTests {
    private let berlin = ZoneInfo("Europe/Berlin")

    private func date(_ text: String) throws -> Date { try #require(DateTime.parse(text)) }
    private func local(_ text: String) throws -> LocalDateTime { try #require(LocalDateTime(text)) }

    @Test func `a moment is a time on the wall, and back`() throws {
        let berlin = try #require(berlin)
        let summer = try date("2026-07-01T07:30:00Z")
        #expect(berlin.localTime(at: summer).description == "2026-07-01T09:30")
        #expect(try berlin.date(of: local("2026-07-01T09:30")) == summer)
        #expect(berlin.secondsFromUTC(at: summer) == 7200)
        #expect(berlin.abbreviation(at: summer) == "CEST")
        #expect(berlin.abbreviation(at: try date("2099-01-01T00:00:00Z")) == "CET")
        #expect(ZoneInfo.utc.localTime(at: summer).description == "2026-07-01T07:30")
    }

    @Test func `where clocks are put forward, a time that is left out is counted on from before`() throws {
        let berlin = try #require(berlin)
        #expect(try berlin.dates(of: local("2026-03-29T02:30")) == [])
        #expect(try berlin.date(of: local("2026-03-29T02:30")) == date("2026-03-29T01:30:00Z"))
        #expect(try berlin.localTime(at: date("2026-03-29T01:30:00Z")).description == "2026-03-29T03:30")
        // Midnight is left out where clocks change at it.
        let beirut = try #require(ZoneInfo("Asia/Beirut"))
        let day = try #require(LocalDate("2021-03-28"))
        #expect(beirut.localTime(at: beirut.startOfDay(day)).description == "2021-03-28T01:00")
        // 23:30 was followed by 00:30.
        let toronto = try #require(ZoneInfo("America/Toronto")), odd = try #require(LocalDate("1919-03-31"))
        #expect(toronto.localTime(at: toronto.startOfDay(odd)).description == "1919-03-31T00:30")
    }

    @Test func `where clocks are put back, a time comes twice, and the first is taken`() throws {
        let berlin = try #require(berlin)
        let both = [try date("2026-10-25T00:30:00Z"), try date("2026-10-25T01:30:00Z")]
        #expect(try berlin.dates(of: local("2026-10-25T02:30")) == both)
        #expect(try berlin.date(of: local("2026-10-25T02:30")) == both[0])
        #expect(try berlin.dates(of: local("2026-10-25T03:30")).count == 1)
    }

    @Test(arguments: [
        "", "/etc/passwd", "../../../etc/passwd", "Europe/../Europe/Berlin", "Europe", "europe\0/Berlin", "Europe/Bern",
        "zone1970.tab", "tzdata.zi", "Europe//Berlin", "Europe/Berlin/", "/Europe/Berlin", "right/Europe/Berlin",
        "leapseconds", "Ёurope/Berlin", String(repeating: "a", count: 10_000),
    ])
    func `any other name is none`(name: String) { #expect(ZoneInfo(name) == nil) }

    @Test func `the setting is one of the database, or UTC`() throws {
        #expect(try ZoneInfo(environment: [:]) == .utc)
        #expect(try ZoneInfo(environment: ["TIME_ZONE": "Asia/Tokyo"]).name == "Asia/Tokyo")
        let error = #expect(throws: StartError.self) { try ZoneInfo(environment: ["TIME_ZONE": "Mars\n/Base"]) }
        let sentence = "TIME_ZONE is \"Mars\\u{a}/Base\", and /usr/share/zoneinfo has no such time zone"
        #expect(error?.description.hasPrefix(sentence) == true)
    }

    @Test func `times outside of the calendar are its ends`() {
        for (time, text) in [
            (-Double.infinity, "0001-01-01T00:00"), (-1e300, "0001-01-01T00:00"), (1e300, "9999-12-31T23:59:59"),
            (.infinity, "9999-12-31T23:59:59"), (.nan, "9999-12-31T23:59:59"),
        ] {
            #expect(ZoneInfo.utc.localTime(at: Date(timeIntervalSince1970: time)).description == text)
        }
    }

    @Test func `a local time whose moment lies outside of the calendar has the nearest that databases keep`() throws {
        let berlin = try #require(berlin), newYork = try #require(ZoneInfo("America/New_York"))
        let first = try local("0001-01-01"), last = try local("9999-12-31T23:59")
        let begin = try date("0001-01-01T00:00:00Z"), end = try date("9999-12-31T23:59:59Z")
        #expect(berlin.startOfDay(first.date) == begin && berlin.date(of: first) == begin)
        #expect(newYork.date(of: last) == end)
        // Nobody sees that time at that moment.
        #expect(berlin.dates(of: first).isEmpty && newYork.dates(of: last).isEmpty)
        // What lies inside is exact up to the ends.
        #expect(try berlin.startOfDay(last.date) == date("9999-12-30T23:00:00Z"))
        #expect(try newYork.startOfDay(last.date) == date("9999-12-31T05:00:00Z"))
        #expect(ZoneInfo.utc.dates(of: first) == [begin] && ZoneInfo.utc.startOfDay(first.date) == begin)
        for name in ZoneInfo.names {
            let zone = try #require(ZoneInfo(name), "\(name)")
            for time in [first, last] {
                #expect(DateTime.timestamp(zone.date(of: time)) != nil, "\(name)")
                #expect(DateTime.timestamp(zone.startOfDay(time.date)) != nil, "\(name)")
            }
        }
    }

    /// Moments around all changes from 1900 to 2100 would be many: these are the quarters of years that hit most of
    /// them, and the hours of the days on which Europe, America and the south change.
    private static let moments: [Int] =
        stride(from: -2_208_988_800, to: 4_102_444_800, by: 7_889_238).map { $0 }
        + [1_774_746_000, 1_792_890_000, 1_772_953_200, 1_793_512_800, 1_775_311_200, 1_791_036_000, 3_981_000_000]
        .flatMap { time in (-30...30).map { time + $0 * 1800 } }

    @Test func `every zone of the database is as the system's own program has it`() async throws {
        #expect(ZoneInfo.names.count > 300)
        // The program reads many moments from a file.
        let file = FileManager.default.temporaryDirectory.path + "/moments-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let lines = Self.moments.map { "@\($0)\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: file))
        for name in ZoneInfo.names {
            let zone = try #require(ZoneInfo(name), "\(name)")
            let program = try GuardedProcess(
                ["sh", "-c", "TZ=\"$1\" date -f \"$2\" '+%Y-%m-%dT%H:%M:%S %Z'; echo end", "sh", name, file])
            let output = try await program.output(upTo: "end")
            let expected = output.split(separator: "\n").dropLast()
            #expect(expected.count == Self.moments.count)
            let wrong = zip(Self.moments, expected).first { time, expected in
                let date = Date(timeIntervalSince1970: Double(time))
                let local = LocalDateTime(seconds: zone.localTime(at: date).seconds)
                let text = "\(local)" + (local.second == 0 ? ":00" : "")
                return "\(text) \(zone.abbreviation(at: date))" != expected
            }
            #expect(wrong == nil, "\(name)")
        }
    }

    @Test func `each moment is among those of its time on the wall`() throws {
        for name in ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca"] {
            let zone = try #require(ZoneInfo(name))
            for time in Self.moments {
                let date = Date(timeIntervalSince1970: Double(time))
                #expect(zone.dates(of: zone.localTime(at: date)).contains(date), "\(name) \(time)")
            }
        }
    }

    @Test func `a file that is cut or changed is none, and nothing traps`() throws {
        let data = try #require(FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin"))
        let bytes = Array(data)
        #expect(ZoneFile(bytes) != nil)
        for count in 0..<bytes.count { #expect(ZoneFile(Array(bytes.prefix(count))) == nil) }
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0xff
            // What can still be read has offsets for all times.
            let file = ZoneFile(changed)
            for time in [-62_135_596_800, 0, 253_402_300_799] { _ = file?.offset(at: time) }
        }
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T00:00:00Z", 7200), ("<+03>-3", "2026-07-01T00:00:00Z", 10_800),
        ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-07-01T00:00:00Z", -7200),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-01-01T00:00:00Z", -18_000),
        ("IST-5:30", "2026-01-01T00:00:00Z", 19_800), ("XXX3EDT4,0/0,J365/23", "2026-06-01T00:00:00Z", -14_400),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600),
        ("XXX0YYY-1,J60/0,J61/0", "2024-03-01T12:00:00Z", 3600), ("XXX0YYY-1,59/0,60/0", "2024-02-29T12:00:00Z", 3600),
    ])
    func `a rule of POSIX`(text: String, moment: String, offset: Int) throws {
        let rule = try #require(ZoneRule(Array(text.utf8)[...]))
        #expect(rule.offset(at: Int(try date(moment).timeIntervalSince1970)).seconds == offset)
    }

    @Test(arguments: [
        "", "CET", "-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,366,1", "CET-168", "CET-1CEST,M3.5.0,M10.5.0/3x",
        "<+03-3", "CET-99999999999999999999",
    ])
    func `any other text is no rule`(text: String) { #expect(ZoneRule(Array(text.utf8)[...]) == nil) }
}
