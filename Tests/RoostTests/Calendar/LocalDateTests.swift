import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Days and times of day", .quietLog, .timeLimit(.minutes(5)))
struct LocalDateTests {
    @Test func `a day has parts and a weekday`() throws {
        let day = try #require(LocalDate("2026-11-26"))
        #expect((day.year, day.month, day.day, day.weekday) == (2026, 11, 26, 4))
        #expect(day == LocalDate(year: 2026, month: 11, day: 26))
        #expect("\(day)" == "2026-11-26")
        #expect(LocalDate("0001-01-01")?.weekday == 1 && LocalDate("9999-12-31")?.weekday == 5)
    }

    @Test(arguments: [
        "", "2026-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "2026-1-1", "26-11-26", "2026-11-26T10:00",
        "2026-11-26 ", " 2026-11-26", "+026-11-26", "2026-11-2\u{661}", "10000-01-01",
    ])
    func `any other text is none`(text: String) { #expect(LocalDate(text) == nil) }

    @Test func `days are counted over months and leap years`() throws {
        let day = try #require(LocalDate("2024-02-28"))
        #expect(day.adding(days: 2)?.description == "2024-03-01")
        #expect(day.adding(days: -59)?.description == "2023-12-31")
        #expect(day.days(until: try #require(LocalDate("2025-02-28"))) == 366)
        #expect(day < LocalDate("2024-02-29") ?? day)
        #expect(LocalDate("9999-12-31")?.adding(days: 1) == nil)
        #expect(LocalDate("0001-01-01")?.adding(days: -1) == nil)
        #expect(day.adding(days: .max) == nil && day.adding(days: .min) == nil)
    }

    @Test func `a time has the forms of an input, with or without seconds`() throws {
        let time = try #require(LocalDateTime("2026-11-26T09:30"))
        #expect((time.hour, time.minute, time.second) == (9, 30, 0))
        #expect(time.date.description == "2026-11-26")
        #expect("\(time)" == "2026-11-26T09:30")
        #expect(LocalDateTime("2026-11-26 09:30:15.250")?.description == "2026-11-26T09:30:15")
        #expect(LocalDateTime("2026-11-26 09:30:15.123456")?.second == 15)
        #expect(LocalDateTime("2026-11-26T23:59:59.9999999")?.description == "2026-11-26T23:59:59")
        #expect(LocalDateTime("9999-12-31T23:59:59.9999999")?.description == "9999-12-31T23:59:59")
        #expect(LocalDateTime("2026-11-26")?.description == "2026-11-26T00:00")
        #expect(LocalDateTime(time.date, hour: 9, minute: 30) == time)
        #expect(LocalDateTime(time.date, hour: 24, minute: 0) == nil)
        #expect(LocalDateTime("0001-01-01T00:00:01")?.description == "0001-01-01T00:00:01")
        for text in ["2026-11-26T24:00", "2026-11-26T09:60", "2026-11-26T09:30Z", "09:30", "2026-11-26T9:30"] {
            #expect(LocalDateTime(text) == nil)
        }
    }

    private struct Booking: Codable, Equatable {
        var day: LocalDate
        var start: LocalDateTime
        var end: LocalDateTime?
    }

    @Test func `a form has them, and says what is wrong with each`() throws {
        let form: Form = ["day": "2026-11-26", "start": "2026-11-26T09:30", "end": ""]
        let booking = try FormDecoder.decode(Booking.self, from: form)
        #expect(booking.start.description == "2026-11-26T09:30" && booking.end == nil)
        let wrong: Form = ["day": "26.11.", "start": "noon", "end": "x"]
        let error = #expect(throws: HTTPError.self) { try FormDecoder.decode(Booking.self, from: wrong) }
        #expect(
            error?.parts.map(\.message) == [
                "Must be a date like 2026-01-31.", "Must be a date and time like 2026-01-31T12:00.",
                "Must be a date and time like 2026-01-31T12:00.",
            ])
    }

    @Test func `JSON has them as texts`() throws {
        let json = Array(#"{"day":"2026-11-26","start":"2026-11-26T09:30"}"#.utf8)
        let booking = try JSONCoder().decode(Booking.self, from: json)
        #expect(try JSONCoder().encode(booking) == json)
        let tomorrow = Array(#"["tomorrow"]"#.utf8)
        let day = #expect(throws: (any Error).self) { try JSONCoder().decode([LocalDate].self, from: tomorrow) }
        #expect(day.map { "\($0)" }?.contains("Must be a date like 2026-01-31.") == true)
        let time = #expect(throws: (any Error).self) { try JSONCoder().decode([LocalDateTime].self, from: tomorrow) }
        #expect(time.map { "\($0)" }?.contains("Must be a date and time like 2026-01-31T12:00.") == true)
    }
}
