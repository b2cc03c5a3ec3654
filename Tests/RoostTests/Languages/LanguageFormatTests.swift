import FoundationEssentials
import Testing

@testable import Roost

@Suite("Days, times and numbers of languages", .timeLimit(.minutes(5)))
struct LanguageFormatTests {
    /// The languages' forms of 21:07:09 on 5 November 2026, and numbers: samples of Unicode CLDR 48, by another program
    /// (Node.js), with a plain blank before PM. The days are in all lengths; then come the time, the time with seconds,
    /// both with the day (long and medium), 1234, -1234567.8915, 1234.5 with two decimals, 0.289 in hundredths, and
    /// -12.3456 so with one decimal.
    private static let samples = """
        en|Thursday, November 5, 2026|November 5, 2026|Nov 5, 2026|11/5/26|9:07 PM|9:07:09 PM|\
        November 5, 2026 at 9:07 PM|Nov 5, 2026, 9:07 PM|1,234|-1,234,567.892|1,234.50|29%|-1,234.6%
        en-GB|Thursday, 5 November 2026|5 November 2026|5 Nov 2026|05/11/2026|21:07|21:07:09|\
        5 November 2026 at 21:07|5 Nov 2026, 21:07|1,234|-1,234,567.892|1,234.50|29%|-1,234.6%
        de|Donnerstag, 5. November 2026|5. November 2026|05.11.2026|05.11.26|21:07|21:07:09|\
        5. November 2026 um 21:07|05.11.2026, 21:07|1.234|-1.234.567,892|1.234,50|29\u{A0}%|-1.234,6\u{A0}%
        de-CH|Donnerstag, 5. November 2026|5. November 2026|05.11.2026|05.11.26|21:07|21:07:09|\
        5. November 2026 um 21:07|05.11.2026, 21:07|1'234|-1'234'567.892|1'234.50|29%|-1'234.6%
        fr|jeudi 5 novembre 2026|5 novembre 2026|5 nov. 2026|05/11/2026|21:07|21:07:09|\
        5 novembre 2026 à 21:07|5 nov. 2026, 21:07|1\u{202F}234|-1\u{202F}234\u{202F}567,892|\
        1\u{202F}234,50|29\u{A0}%|-1\u{202F}234,6\u{A0}%
        es|jueves, 5 de noviembre de 2026|5 de noviembre de 2026|5 nov 2026|5/11/26|21:07|21:07:09|\
        5 de noviembre de 2026 a las 21:07|5 nov 2026, 21:07|1234|-1.234.567,892|1234,50|29\u{A0}%|\
        -1234,6\u{A0}%
        pl|czwartek, 5 listopada 2026|5 listopada 2026|5 lis 2026|5.11.2026|21:07|21:07:09|\
        5 listopada 2026 21:07|5 lis 2026, 21:07|1234|-1\u{A0}234\u{A0}567,892|1234,50|29%|-1234,6%
        ru|четверг, 5 ноября 2026\u{202F}г.|5 ноября 2026\u{202F}г.|5 нояб. 2026\u{202F}г.|05.11.2026|21:07|\
        21:07:09|5 ноября 2026\u{202F}г. в 21:07|5 нояб. 2026\u{202F}г., 21:07|1\u{A0}234|\
        -1\u{A0}234\u{A0}567,892|1\u{A0}234,50|29\u{A0}%|-1\u{A0}234,6\u{A0}%
        ja|2026年11月5日木曜日|2026年11月5日|2026/11/05|2026/11/05|21:07|21:07:09|2026年11月5日 21:07|2026/11/05 21:07|\
        1,234|-1,234,567.892|1,234.50|29%|-1,234.6%
        it|giovedì 5 novembre 2026|5 novembre 2026|5 nov 2026|05/11/26|21:07|21:07:09|\
        5 novembre 2026 alle ore 21:07|5 nov 2026, 21:07|1234|-1.234.567,892|1234,50|29%|-1234,6%
        pt|quinta-feira, 5 de novembro de 2026|5 de novembro de 2026|5 de nov. de 2026|05/11/2026|21:07|\
        21:07:09|5 de novembro de 2026 às 21:07|5 de nov. de 2026, 21:07|1.234|-1.234.567,892|1.234,50|29%|\
        -1.234,6%
        pt-PT|quinta-feira, 5 de novembro de 2026|5 de novembro de 2026|05/11/2026|05/11/26|21:07|21:07:09|\
        5 de novembro de 2026 às 21:07|05/11/2026, 21:07|1234|-1\u{A0}234\u{A0}567,892|1234,50|29%|-1234,6%
        fi|torstai 5. marraskuuta 2026|5. marraskuuta 2026|5.11.2026|5.11.2026|21.07|21.07.09|\
        5. marraskuuta 2026 klo 21.07|5.11.2026 klo 21.07|1\u{A0}234|−1\u{A0}234\u{A0}567,892|1\u{A0}234,50|\
        29\u{A0}%|−1\u{A0}234,6\u{A0}%
        cs|čtvrtek 5. listopadu 2026|5. listopadu 2026|5. 11. 2026|05.11.26|21:07|21:07:09|\
        5. listopadu 2026 v 21:07|5. 11. 2026 21:07|1\u{A0}234|-1\u{A0}234\u{A0}567,892|1\u{A0}234,50|\
        29\u{A0}%|-1\u{A0}234,6\u{A0}%
        hu|2026. november 5., csütörtök|2026. november 5.|2026. nov. 5.|2026. 11. 05.|21:07|21:07:09|\
        2026. november 5. 21:07|2026. nov. 5. 21:07|1234|-1\u{A0}234\u{A0}567,892|1234,50|29%|-1234,6%
        ko|2026년 11월 5일 목요일|2026년 11월 5일|2026. 11. 5.|26. 11. 5.|PM 9:07|PM 9:07:09|2026년 11월 5일 PM 9:07|\
        2026. 11. 5. PM 9:07|1,234|-1,234,567.892|1,234.50|29%|-1,234.6%
        zh|2026年11月5日星期四|2026年11月5日|2026年11月5日|2026/11/5|21:07|21:07:09|2026年11月5日 21:07|2026年11月5日 21:07|\
        1,234|-1,234,567.892|1,234.50|29%|-1,234.6%
        he|יום חמישי, 5 בנובמבר 2026|5 בנובמבר 2026|5 בנוב׳ 2026|5.11.2026|21:07|21:07:09|\
        5 בנובמבר 2026 בשעה 21:07|5 בנוב׳ 2026, 21:07|1,234|\u{200E}-1,234,567.892|1,234.50|29%|\
        \u{200E}-1,234.6%
        """

    @Test func `a number that is none, and a year of one digit, are no faults`() throws {
        for table in [MessageTable("en"), MessageTable("th")] {
            #expect(table.number(Double.nan) == "nan" && table.percent(-Double.infinity) == "-inf")
        }
        #expect(MessageTable("th").date(try #require(LocalDate("0005-01-05"))) == "0005-01-05")
        let templates = try Templates(sources: ["main": "{{number .}} {{percent .}}"])
        #expect(String(decoding: try templates.render("main", Double.nan), as: UTF8.self) == "nan nan")
    }

    @Test func `an English region writes in its own way also what its table lacks`() throws {
        let day = try #require(LocalDate("2026-01-05"))
        let sentence = Sentence("Since {day, date, short}", ["day": day])
        #expect(MessageTable("en-GB").text(sentence) == "Since 05/01/2026")
        #expect(
            MessageTable("en").text(sentence) == "Since 1/5/26" && MessageTable("de").text(sentence) == "Since 1/5/26")
    }

    /// Samples of Unicode CLDR 48, by another program (Node.js).
    @Test(arguments: [
        ("en-AU", "5 Nov 2026", "5/11/26", "9:07 pm", "12,345.5"),
        ("en-CA", "Nov 5, 2026", "2026-11-05", "9:07 p.m.", "12,345.5"),
        ("en-IE", "5 Nov 2026", "05/11/2026", "21:07", "12,345.5"),
        ("en-NZ", "5 Nov 2026", "05/11/2026", "9:07 pm", "12,345.5"),
        ("en-ZA", "05 Nov 2026", "2026/11/05", "21:07", "12\u{A0}345,5"),
        ("en-SG", "5 Nov 2026", "5/11/26", "9:07 pm", "12,345.5"),
        ("en-JM", "5 Nov 2026", "05/11/2026", "9:07 pm", "12,345.5"),
        ("es-US", "5 nov 2026", "5/11/2026", "9:07 p.m.", "12,345.5"),
        ("es-AR", "5 nov 2026", "5/11/26", "9:07 p.\u{202F}m.", "12.345,5"),
        ("es-CL", "05-11-2026", "05-11-26", "9:07 p.\u{202F}m.", "12.345,5"),
        ("fr-BE", "5 nov. 2026", "5/11/26", "21:07", "12\u{202F}345,5"),
        ("it-CH", "5 nov 2026", "05.11.26", "21:07", "12'345.5"),
        ("nl-BE", "5 nov 2026", "5/11/2026", "21:07", "12.345,5"),
        ("de-LI", "05.11.2026", "05.11.26", "21:07", "12'345.5"),
        ("pt-AO", "05/11/2026", "05/11/26", "21:07", "12\u{A0}345,5"),
        ("pt-CH", "05/11/2026", "05/11/26", "21:07", "12\u{A0}345,5"),
    ])
    func `a region has its own ways, or those of its nearest relative`(
        region: String, medium: String, short: String, time: String, number: String
    ) throws {
        let (table, start) = (MessageTable(region), try #require(LocalDateTime("2026-11-05T21:07")))
        #expect(table.date(start) == medium && table.date(start, .short) == short, "\(table.date(start, .short))")
        #expect(table.time(start) == time && table.number(12_345.5) == number)
    }

    @Test func `zero is one digit, however it is written`() {
        let table = MessageTable("en")
        #expect(table.percent(0) == "0%" && table.percent(0.0) == "0%" && table.percent(0, decimals: 2) == "0.00%")
        #expect(table.number(0) == "0" && table.number(0.0) == "0" && table.number(100) == "100")
    }

    @Test(arguments: samples.split(separator: "\n").map(String.init))
    func `each has its own`(sample: String) throws {
        let words = sample.split(separator: "|").map(String.init)
        let table = MessageTable(words[0])
        let time = try #require(LocalDateTime("2026-11-05T21:07:09"))
        var shown = [words[0]] + DateStyle.allCases.map { table.date(time, $0) }
        shown += [table.time(time), table.time(time, .medium), table.dateTime(time, .long), table.dateTime(time)]
        shown += [table.number(1234), table.number(-1_234_567.8915), table.number(1234.5, decimals: 2)]
        shown += [table.percent(0.289), table.percent(-12.3456, decimals: 1)]
        #expect(shown == words)
    }

    @Test func `names and patterns are complete in all languages`() throws {
        #expect(MessageTable.formattedLanguages.count > 45)
        for language in MessageTable.formattedLanguages {
            let format = LanguageFormat.of(language)
            for month in 1...12 {
                let day = try #require(LocalDate(year: 2026, month: month, day: 22)).localTime(in: .utc)
                let all = DateStyle.allCases.map { format.day(day, $0) }
                for text in all { #expect(text.contains("22") && text.contains("26"), "\(language): \(text)") }
                #expect(Set(all).count >= 2, "\(language)")
                let joint = format.dayAndTime(day, .short)
                #expect(joint.contains(all[3]) && joint.contains(format.time(day, .short)), "\(language)")
                #expect(!joint.contains("{") && !joint.contains("|"), "\(language): \(joint)")
            }
        }
    }

    @Test func `months differ, and so do weekdays and the halves of a day`() throws {
        let first = try #require(LocalDate("2026-01-05"))
        for language in MessageTable.formattedLanguages {
            let table = MessageTable(language)
            let year = (0..<12).compactMap { LocalDate(year: 2026, month: $0 + 1, day: 5) }
            #expect(Set(year.map { table.date($0) }).count == 12, "\(language)")
            #expect(Set(year.map { table.date($0, .long) }).count == 12, "\(language)")
            let week = (0..<7).compactMap { first.adding(days: $0) }.map { table.date($0, .full) }
            #expect(Set(week.map { $0.filter { !"0123456789".contains($0) } }).count == 7, "\(language)")
            let times = (0..<24).compactMap { LocalDateTime(first, hour: $0, minute: 5) }.map { table.time($0) }
            #expect(Set(times).count == 24, "\(language)")
        }
    }

    @Test func `a region has its own, or that of its language`() throws {
        let day = try #require(LocalDate("2026-01-05"))
        #expect(MessageTable("de-AT").date(day, .long) == "5. Jänner 2026")
        #expect(MessageTable("de-LI").date(day, .long) == "5. Januar 2026")
        #expect(MessageTable("zh-Hant-TW").date(day, .long) == "2026年1月5日")
        #expect(MessageTable("EN-gb").date(day, .short) == "05/01/2026")
    }

    @Test(arguments: ["tlh", "", "-", "x-de", "th"])
    func `a language that is not known writes as ISO 8601 does`(language: String) throws {
        let table = MessageTable(language)
        let time = try #require(LocalDateTime("2026-01-05T00:07"))
        #expect(DateStyle.allCases.map { table.dateTime(time, $0) } == Array(repeating: "2026-01-05 00:07", count: 4))
        #expect(table.number(-12345.5) == "-12345.5" && table.percent(0.5) == "50%")
    }

    @Test func `midnight and noon are 12 where a day has halves`() throws {
        let english = MessageTable.english, day = try #require(LocalDate("2026-01-05"))
        let times = try [0, 1, 11, 12, 13, 23].map { try #require(LocalDateTime(day, hour: $0, minute: 0)) }
        let shown = times.map { english.time($0) }
        #expect(shown == ["12:00 AM", "1:00 AM", "11:00 AM", "12:00 PM", "1:00 PM", "11:00 PM"])
    }

    @Test func `a moment is shown in the time zone of the table`() throws {
        let moment = Date(timeIntervalSince1970: 1_795_647_600)  // 2026-11-25T23:00:00Z
        let berlin = try #require(ZoneInfo("Europe/Berlin"))
        #expect(MessageTable("de").dateTime(moment) == "25.11.2026, 23:00")
        #expect(MessageTable("de").in(berlin).dateTime(moment) == "26.11.2026, 00:00")
        #expect(MessageTable("de").in(berlin).date(try #require(LocalDate("2026-11-25"))) == "25.11.2026")
    }

    // MARK: Numbers

    @Test(arguments: [
        (0.5, "0.5"), (0.0005, "0"), (0.0015, "0.002"), (1e21, "1,000,000,000,000,000,000,000"), (999.9995, "1,000"),
        (-0.0001, "0"), (5e-7, "0"), (0.1 + 0.2, "0.3"), (1e-300, "0"), (-1234.5, "-1,234.5"), (-0.0, "0"),
        (Double.nan, "nan"), (Double.infinity, "inf"), (100, "100"), (12345.678, "12,345.678"),
    ])
    func `a number has at most three decimals, and the even one of two`(number: Double, text: String) {
        #expect(MessageTable.english.number(number) == text)
    }

    @Test(arguments: [
        (0.5, 0, "0"), (1.5, 0, "2"), (2.5, 0, "2"), (2.51, 0, "3"), (9.99, 1, "10.0"), (0.096, 2, "0.10"),
        (0.05, 0, "0"), (7, 2, "7.00"), (99.5, 0, "100"), (0.06, 1, "0.1"), (1234.5, -3, "1,234"),
        (1.5, 99, "1.500000000"),
    ])
    func `decimals can be asked for`(number: Double, decimals: Int, text: String) {
        #expect(MessageTable.english.number(number, decimals: decimals) == text)
    }

    @Test(arguments: [
        "", "-", ".5", "1.", "1e", "1e+", "e5", "1,5", "+1", " 1", "1 ", "0x10", "1e1000", "1e99999999999999999999",
        "nan", "inf", "--1", "1.5.5", "\u{661}", "1e-401", String(repeating: "9", count: 401),
    ])
    func `a text that is no number is none`(text: String) {
        #expect(MessageTable.english.text(of: text, as: .number(decimals: nil)) == nil)
    }

    @Test func `numbers of any length are written`() {
        for text in [String(repeating: "9", count: 400), "1e400", "-1e-400", "0.000", "00012.50", "1E5"] {
            #expect(MessageTable.english.text(of: text, as: .number(decimals: nil)) != nil, "\(text)")
        }
        #expect(MessageTable.english.number(Int.min) == "-9,223,372,036,854,775,808")
        #expect(MessageTable.english.number(Decimal(string: "12.50") ?? 0, decimals: 2) == "12.50")
    }

    // MARK: Sentences

    private static let german = MessageTable(
        "de",
        [
            "Paid on {day, date, long}: {sum, number, 2} euros.": "Bezahlt am {day, date}: {sum, number, 2} Euro.",
            "{n} eggs": "{n, plural, one {ein Ei} other {# Eier}}",
        ])

    @Test func `a sentence has them, and each language its own format`() throws {
        let day = try #require(LocalDate("2026-11-05"))
        let paid = Sentence("Paid on {day, date, long}: {sum, number, 2} euros.", ["day": day, "sum": 1234.5])
        #expect(paid.text == "Paid on November 5, 2026: 1,234.50 euros.")
        #expect(Self.german.text(paid) == "Bezahlt am 05.11.2026: 1.234,50 Euro.")
        #expect(Self.german.text(Sentence("{n} eggs", ["n": 12345])) == "12.345 Eier")
    }

    @Test func `a sentence has a moment in the time zone of the table, also where the table lacks it`() throws {
        let start = Sentence("At {start, time} on {start, date}.", ["start": Date(timeIntervalSince1970: 0)])
        let tokyo = try #require(ZoneInfo("Asia/Tokyo"))
        #expect(start.text == "At 12:00 AM on Jan 1, 1970.")
        #expect(Self.german.in(tokyo).text(start) == "At 9:00 AM on Jan 1, 1970.")
        #expect(Sentence("{start}", ["start": Date(timeIntervalSince1970: 0)]).text == "1970-01-01T00:00:00Z")
    }

    @Test(arguments: [
        ("{a, date}", "x"), ("{a, number, many}", "x"), ("{a, dat}", "x"), ("{a, time, full}", "x"), ("{a,}", "x"),
    ])
    func `a value that cannot be written so stays`(template: String, text: String) {
        #expect(Sentence(template, ["a": "x"]).text == text)
    }

    @Test func `a table with a format that there is not is told`() {
        let table = MessageTable("de", ["At {t, time}": "Um {t, zeit}", "On {d, date}": "Am {d, date, long}"])
        let known = ["At {t, time}", "On {d, date}"]
        #expect(
            table.faults(for: known) == [
                "de: {t, …} in the translation of \"At {t, time}\" has no format that there is."
            ])
    }
}
