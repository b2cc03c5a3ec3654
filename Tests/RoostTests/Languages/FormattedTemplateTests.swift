import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Days, times and numbers in templates", .quietLog, .timeLimit(.minutes(5)))
struct FormattedTemplateTests {
    private struct Page: Encodable {
        struct House: Encodable { let opened = LocalDate("2026-01-05") }

        var made = Date(timeIntervalSince1970: 1_783_586_100)  // 2026-07-09T08:35:00Z
        var day = LocalDate("2026-11-05")
        var start = LocalDateTime("2026-11-05T21:07")
        var price = 1234.5
        var count = 1_000_000
        var share = 0.25
        var name = "<b>"
        var none: Date?
        var list = [1, 2]
        var house = House()
    }

    private static func render(
        _ source: String, _ messages: MessageTable? = nil, missingNames: MissingNames = .error
    ) throws -> String {
        let templates = try Templates(sources: ["main": source], missingNames: missingNames)
        return String(decoding: try templates.render("main", Page(), review: nil, messages: messages), as: UTF8.self)
    }

    @Test(arguments: [
        ("{{date made}}", "Jul 9, 2026", "09.07.2026"),
        ("{{ date  day  long }}", "November 5, 2026", "5. November 2026"),
        ("{{date start full}}", "Thursday, November 5, 2026", "Donnerstag, 5. November 2026"),
        ("{{date house.opened short}}", "1/5/26", "05.01.26"), ("{{time made}}", "8:35 AM", "10:35"),
        ("{{time start medium}}", "9:07:00 PM", "21:07:00"),
        ("{{dateTime made long}}", "July 9, 2026 at 8:35 AM", "9. Juli 2026 um 10:35"),
        ("{{dateTime start}}", "Nov 5, 2026, 9:07 PM", "05.11.2026, 21:07"), ("{{number price}}", "1,234.5", "1.234,5"),
        ("{{number price 2}}", "1,234.50", "1.234,50"), ("{{number count}}", "1,000,000", "1.000.000"),
        ("{{percent share}}", "25%", "25\u{A0}%"), ("{{percent share 1}}", "25.0%", "25,0\u{A0}%"),
        ("<{{date none}}>", "<>", "<>"), ("{{#list}}{{number . 1}};{{/list}}", "1.0;2.0;", "1,0;2,0;"),
        (#"{{t "On {made, date, long}" made}}"#, "On July 9, 2026", "On July 9, 2026"),
        (#"{{t "At {made, time}" made}}"#, "At 8:35 AM", "Um 10:35"),
    ])
    func `a value is written by the language, in its time zone`(source: String, english: String, german: String) throws
    {
        #expect(try Self.render(source) == english)
        let table = MessageTable("de", ["At {made, time}": "Um {made, time}"])
        #expect(try Self.render(source, table.in(try #require(ZoneInfo("Europe/Berlin")))) == german)
    }

    @Test(arguments: [
        ("{{date made longer}}", "{{date made longer}} has no such style: write full, long, medium or short"),
        ("{{time made long}}", "write short or medium after the name, or nothing"),
        ("{{number price x}}", "write a number of decimals from 0 to 9 after the name, or nothing"),
        ("{{number price 10}}", "write a number of decimals"), ("{{date made long now}}", "has no such style"),
        ("{{date a..b}}", "has an empty part"), ("{{datum made}}", "has a space in it"),
        (#"{{t "On {made, dates}" made}}"#, "{made, …} has no format that there is: write date, time"),
    ])
    func `a mistake in the tag is told at the start`(source: String, message: String) throws {
        let error = #expect(throws: TemplateErrors.self) { try Templates(sources: ["main": "<p>\n  " + source]) }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error.map { "\($0)" }?.contains("main.mustache:2:3") == true)
    }

    @Test(arguments: [
        ("{{date name}}", "\"name\" is no value to write so: it should be a day, a local time or a moment"),
        ("{{time day}}", "it should be a local time or a moment"), ("{{number name}}", "it should be a number"),
        ("{{date mad}}", "did you mean \"made\"?"), ("{{number list}}", "\"list\" is a list"),
    ])
    func `a value that cannot be written so is an error`(source: String, message: String) throws {
        let error = #expect(throws: TemplateError.self) { try Self.render(source) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `where missing names are allowed, such a value stays, escaped`() throws {
        #expect(try Self.render("{{date name}}{{date nothing}}", missingNames: .empty) == "&lt;b&gt;")
    }

    @Test func `a page without texts and formats asks for no language`() throws {
        var asked = 0
        let languages = { () -> MessageTable? in
            asked += 1
            return nil
        }
        let templates = try Templates(sources: ["main": "{{name}}"])
        _ = try View("main", Page()).render(templates, nil, nil, nil, languages)
        #expect(asked == 0)
        let formatted = try Templates(sources: ["main": "{{name}}", "other": "{{date made}}"])
        _ = try View("other", Page()).render(formatted, nil, nil, nil, languages)
        #expect(asked == 1)
    }

    @Test func `names that are also formats are still names`() throws {
        let templates = try Templates(sources: ["main": "{{date}} {{ time }} {{number.date}}"])
        let page = ["date": "x", "time": "y"]
        #expect(throws: TemplateError.self) { try templates.render("main", page) }
        let short = try Templates(sources: ["main": "{{date}} {{ time }}"])
        #expect(String(decoding: try short.render("main", page), as: UTF8.self) == "x y")
    }

    @Test func `a lambda's text has formats`() throws {
        struct Page: Encodable {
            let day = LocalDate("2026-11-05")
            let wrapped = TemplateLambda { try $0.render("[{{date day}}]") }
        }
        let templates = try Templates(sources: ["main": "{{#wrapped}}{{/wrapped}}"])
        #expect(String(decoding: try templates.render("main", Page()), as: UTF8.self) == "[Nov 5, 2026]")
    }
}
