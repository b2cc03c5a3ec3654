import Testing

@testable import Roost

@Suite("RFC 9110 §5.6.7: dates", .timeLimit(.minutes(5)))
struct HTTPDateTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"),
        (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT"),
    ])
    func `a date is written in the fixed form`(second: Int, text: String) {
        #expect(HTTPDate.string(second) == text)
    }

    @Test func `the date advances, and is written once a second`() {
        var date = HTTPDate()
        date.update(to: 0)
        #expect(date.line == Array("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n".utf8))
        date.update(to: 1)
        #expect(date.line == Array("Date: Thu, 01 Jan 1970 00:00:01 GMT\r\n".utf8))
    }

    @Test(arguments: [Int.min + 1, Int.max, -62_167_219_201])
    func `no time causes a trap`(second: Int) {
        #expect(HTTPDate.string(second).hasSuffix(" GMT"))
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `all three forms are read`(text: String) {
        #expect(second(of: text) == 784_111_777)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (4_107_456_000, "Sun, 28 Feb 2100 00:00:00 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (1_483_228_800, "Sat, 31 Dec 2016 23:59:60 GMT"), (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
    func `a date is read to the second`(second: Int, text: String) {
        #expect(self.second(of: text) == second)
    }

    @Test func `what is written is read again`() {
        for day in stride(from: -25_000, to: 60_000, by: 17) {
            let second = day * 86_400 + (day & 0xFFFF)
            #expect(self.second(of: HTTPDate.string(second)) == second)
        }
    }

    @Test(arguments: [("Monday, 01-Jan-76 00:00:00 GMT", 2076), ("Friday, 01-Jan-77 00:00:00 GMT", 1977)])
    func `two digits are the latest year that is at most 50 years from now`(text: String, year: Int) throws {
        let second = try #require(self.second(of: text, now: 1_780_000_000))  // May 2026
        #expect(HTTPDate.string(second).contains(" Jan \(year) "))
    }

    @Test(arguments: [
        "", "Sun", "Sun,", "Sun, ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2100 00:00:00 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT", "Sun, 06 Nov 1994 23:59:61 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94",
        "Sunday Nov  6 08:49:37 1994", "784111777", "Sun, 06 Nov 1994 08:49:37 GMT\u{301}",
    ])
    func `anything else is no date`(text: String) {
        #expect(second(of: text) == nil)
    }

    private func second(of text: String, now: Int = 784_111_777) -> Int? {
        Array(text.utf8).withUnsafeBufferPointer { HTTPDate.second(of: $0, now: now) }
    }
}
