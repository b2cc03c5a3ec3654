import FoundationEssentials
import Roost
import RoostTesting
import Testing

/// The page about languages, whose program is compiled here.
@Suite(.quietLog, .timeLimit(.minutes(5)))
struct `The page about languages` {
    private let german: MessageTable
    private let templates: Templates

    init() throws {
        let page = Readme.contents("docs/languages.md")
        let folder = FileManager.default.temporaryDirectory.path + "/languages-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let table = try #require(page.components(between: "```po\n", and: "```").first)
        try Data(table.utf8).write(to: URL(filePath: folder + "/de.po"))
        let tables = try MessageTable.all(in: folder)
        #expect(tables.map(\.language) == ["en", "de"])
        german = tables[1]
        let markup = try #require(page.components(between: "```mustache\n", and: "```").first)
        templates = try Templates(sources: ["rooms": "<html lang=\"{{language}}\">" + markup])
    }

    private func get(_ path: String, _ headers: Headers) async throws -> WireClient.Response {
        try await TestClient(makeHouse([.english, german], templates)).get(path, headers: headers)
    }

    @Test func `a page comes in the visitor's language`() async throws {
        let page = try await get("/rooms/3", [.acceptLanguage: "de-AT, en;q=0.5"])
        #expect(page.text == "<html lang=\"de\"><h1>Unsere Räume</h1>\n<p>3 Räume ab 20</p>\n")
        #expect(page.headers[values: .vary].contains { $0.lowercased().contains("accept-language") })
        #expect(page.headers[values: .vary].contains { $0.lowercased().contains("cookie") })
        #expect(try await get("/rooms/1", [.acceptLanguage: "de"]).text.contains("Ein Raum ab 20"))
        #expect(try await get("/rooms/1", [.acceptLanguage: "fr"]).text.contains("1 rooms, from 20"))
    }

    @Test func `a cookie goes before, if it names a language that there is`() async throws {
        let client = TestClient(try makeHouse([.english, german], templates))
        _ = try await client.get("/rooms/1?language=de")
        #expect(try await client.get("/rooms/2", headers: [.acceptLanguage: "en"]).text.contains("2 Räume"))
        let unknown = try await client.get("/rooms/2?language=xx", headers: [.acceptLanguage: "en"])
        #expect(unknown.text.contains("2 Räume"))
        let page = try await get("/rooms/2", [.acceptLanguage: "en", .cookie: "language=xx"])
        #expect(page.text.contains("2 rooms"))
    }

    @Test func `days and numbers are written as on the page`() throws {
        struct Page: Encodable {
            let opened = LocalDateTime("2026-01-05T21:30")
            let changed = Date(timeIntervalSince1970: 1_795_647_600)
            let price = 1234.5
            let share = 0.25
        }
        let page = Readme.contents("docs/languages.md")
        let markup = try #require(page.components(between: "```mustache\n", and: "```").dropFirst().first)
        let whole = try Templates(sources: ["house": markup]).render("house", Page())
        #expect(
            String(decoding: whole, as: UTF8.self) == """
                <p>Opened on January 5, 2026, changed Nov 25, 2026, 11:00 PM.</p>
                <p>1,234.50 €, 25% booked</p>
                <p>Open since Jan 5, 2026</p>

                """)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `{{") }
        #expect(rows.count == 6)
        for row in rows {
            let tag = try #require(String(row).components(between: "`", and: "`").first)
            let shown = try [MessageTable.english, MessageTable("de")].map { table in
                let bytes = try View("tag", Page()).rendered(by: Templates(sources: ["tag": tag]), in: table)
                return String(decoding: bytes, as: UTF8.self).replacing("\u{A0}", with: " ")
            }
            #expect(row.hasPrefix("| `\(tag)` | \(shown[0]) | \(shown[1]) |"))
        }
    }

    @Test func `the number of a form is read and shown as on the page`() throws {
        let german = MessageTable("de")
        #expect(LocalNumber("1.234,50", in: german)?.value == 1234.5 && LocalNumber("1.5", in: german) == nil)
        #expect(LocalNumber("1.234", in: german)?.value == 1234)
        let templates = try Templates(sources: ["offer": "{{#fields.price}}{{value}}{{/fields.price}}"])
        let page = OfferPage(fields: try OfferPage.fields.filled(with: ["price": 1234.5]))
        let shown = try View("offer", page).rendered(by: templates, in: german)
        #expect(String(decoding: shown, as: UTF8.self) == "1234,50")
    }

    @Test func `everything is translated`() throws {
        #expect(german.faults(for: templates.texts + ["Must not be empty."]) == [])
    }

    @Test func `a folder or a file that cannot be read is a mistake at the start`() {
        #expect(throws: StartError.self) { try MessageTable.all(in: "/nowhere") }
        #expect(throws: StartError.self) { try MessageTable(contentsOf: "/nowhere/de.po") }
    }

    @Test func `its programs are compiled`() {
        let programs = Readme.programs(
            of: "docs/languages.md", missingIn: ["Docs/LanguagesPageTests", "Docs/LanguagesSite"])
        #expect(programs.missing == [] && programs.count == 3)
    }
}
