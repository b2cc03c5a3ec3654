import Testing

@testable import Roost

// The page structs of the language's page, letter for letter.

struct BirdsPage: Encodable {
    let birds: [Bird]
}

struct Bird: Encodable {
    let id: Int
    let name: String
    let note: String?
}

struct NewBirdPage: Encodable {
    /// The text that was typed, to be corrected.
    var name = ""
    var nameError: String?
}

struct SiteValues: Encodable {
    let visitor: String?
}

struct BirdRow: SelfWriting {
    let bird: Bird

    func write(to fields: inout Fields) {
        fields.add("id", bird.id)
        fields.add("name", bird.name)
        fields.add("note", bird.note)
        fields.add("shout", TemplateLambda { section in try section.render().uppercased() })
    }
}

/// The template language on one page: every example on it is rendered.
@Suite(.timeLimit(.minutes(5)))
struct `The language's page` {
    private static let page = Readme.contents("docs/templates.md")

    private static func blocks(_ language: String) -> [String] {
        page.components(between: "```\(language)\n", and: "```")
    }

    /// The templates, each named by the comment in its first line.
    private static let sources: [String: String] = {
        let named = blocks("mustache").map { text in
            (text.components(between: "{{! ", and: ".mustache }}").first ?? "", text)
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()

    private let birds = [Bird(id: 1, name: "Jay & co.", note: nil), Bird(id: 2, name: "Wren", note: "small")]

    private let error = ErrorPage(
        status: 404, title: "Not Found", message: "There is no bird 7.", requestID: "5F2C")

    private func render(_ name: String, _ page: some Encodable) throws -> String {
        String(decoding: try Templates(sources: Self.sources).render(name, page), as: UTF8.self)
    }

    @Test func `its templates show what it says`() throws {
        let shown = Self.blocks("html")
        try #require(shown.count == 4)
        #expect(try render("birds/index", BirdsPage(birds: birds)) == shown[0])
        #expect(try render("birds/index", BirdsPage(birds: [])) == shown[1])
        #expect(try render("birds/new", NewBirdPage(name: "\">", nameError: "A name has letters.")) == shown[2])
        #expect(try render("error", error) == shown[3])
        #expect(Set(Self.sources.keys) == ["layout", "birds/index", "birds/row", "birds/new", "error"])
    }

    @Test func `its samples show all of its templates`() throws {
        try Templates(sources: Self.sources).check([
            View("birds/index", BirdsPage(birds: birds)), View("birds/index", BirdsPage(birds: [])),
            View("birds/new", NewBirdPage(nameError: "A name has letters.")), View("error", error),
        ])
    }

    @Test func `its error is the one that is thrown`() throws {
        var sources = Self.sources
        sources["birds/row"] = sources["birds/row"]?.replacing("{{name}}", with: "{{nme}}")
        // The comment that names the file is not part of it.
        sources = sources.mapValues { String($0.drop { $0 != "\n" }.dropFirst()) }
        let templates = try Templates(sources: sources)
        let error = #expect(throws: TemplateError.self) {
            try templates.render("birds/index", BirdsPage(birds: birds))
        }
        let text = try #require(error).description + "\n"
        #expect(text == Self.blocks("text").first)
    }

    @Test func `a function shows what it returns`() throws {
        let templates = try Templates(sources: ["row": "{{#shout}}<b>{{name}}</b>{{/shout}} {{note}}"])
        let shown = try templates.render("row", BirdRow(bird: birds[1]))
        #expect(String(decoding: shown, as: UTF8.self) == "<B>WREN</B> small")
    }

    @Test(arguments: blocks("swift"))
    func `each struct on it is compiled`(snippet: String) {
        #expect(Readme.contents("Tests/RoostTests/Templates/LanguagePageTests.swift").contains(snippet))
    }
}
