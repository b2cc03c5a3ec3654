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
        _ = try await client.post("/language/de", form: [:])
        #expect(try await client.get("/rooms/2", headers: [.acceptLanguage: "en"]).text.contains("2 Räume"))
        _ = try await client.post("/language/xx", form: [:])
        #expect(try await client.get("/rooms/2", headers: [.acceptLanguage: "en"]).text.contains("2 rooms"))
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
        #expect(programs.missing == [] && programs.count == 2)
    }
}
