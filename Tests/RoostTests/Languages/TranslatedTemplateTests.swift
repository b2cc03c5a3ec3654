import FoundationEssentials
import RoostTesting
import Testing

@testable import Roost

@Suite("Texts of templates in other languages", .quietLog, .timeLimit(.minutes(5)))
struct TranslatedTemplateTests {
    private struct Page: Encodable {
        struct House: Encodable { let name: String }

        var count = 3
        var name: String? = "A <b>"
        var house = House(name: "Elm {count}")
        var list = [1, 2]
    }

    private static func render(
        _ source: String, _ messages: MessageTable? = nil, name: String = "main"
    ) throws -> String {
        let templates = try Templates(sources: [name: source, "part": "({{t \"Part\"}})"])
        return String(decoding: try templates.render(name, Page(), review: nil, messages: messages), as: UTF8.self)
    }

    private static let german = MessageTable(
        "de",
        [
            "Part": "Teil & mehr", "{count} rooms": "{count, plural, one {ein Raum} other {# Räume}}",
            "{name} in {count}": "{count}: {name}",
        ])

    @Test func `a text of the page is looked up by itself`() throws {
        let table = MessageTable("de", ["Elm {count}": "Ulme & {count}", "1": "eins"])
        #expect(try Self.render("{{t house.name}} {{#list}}{{t .}} {{/list}}", table) == "Ulme &amp; {count} eins 2 ")
        #expect(try Templates(sources: ["main": "{{t house.name}}{{t \"Hello\"}}"]).texts == ["Hello"])
        #expect(throws: TemplateErrors.self) { try Templates(sources: ["main": "{{t house.name count}}"]) }
        #expect(throws: TemplateError.self) { try Self.render("{{t missing}}", table) }
    }

    @Test(arguments: [
        (#"<p>{{t "Sign in"}}</p>"#, "<p>Sign in</p>"), (#"{{ t  "{count} rooms"  count }}"#, "3 rooms"),
        (#"{{t "{name} in {count}" house.name count}}"#, "Elm {count} in 3"),
        (#"{{t "Hello, {name}" name}}"#, "Hello, A &lt;b&gt;"), (#"{{#list}}{{t "{count}," count}}{{/list}}"#, "3,3,"),
        ("{{t name}}", "A &lt;b&gt;"), ("{{ t  house.name }}", "Elm {count}"), (#"{{t "a {b"}}"#, "a {b"),
        (#"{{t "a } b"}}"#, "a } b"), (#"  {{>part}}"#, "  (Part)"),
    ])
    func `a text is shown with its values, escaped`(source: String, expected: String) throws {
        #expect(try Self.render(source) == expected)
    }

    @Test(arguments: [
        (#"{{t "{count} rooms" count}}"#, "3 Räume"), (#"{{>part}}"#, "(Teil &amp; mehr)"),
        (#"{{t "{name} in {count}" name count}}"#, "3: A &lt;b&gt;"), (#"{{t "Not there"}}"#, "Not there"),
    ])
    func `a table has it in another language`(source: String, expected: String) throws {
        #expect(try Self.render(source, Self.german) == expected)
    }

    @Test func `a plain text is not escaped`() throws {
        #expect(try Self.render(#"{{t "Hello, {name}" name}}"#, name: "mail.txt") == "Hello, A <b>")
    }

    @Test(arguments: [
        (#"{{t "Sign in}}"#, "write a text as {{t \"Sign in\"}}"), (#"{{t ""}}"#, "write a text as {{t \"Sign in\"}}"),
        (#"{{t "{count} rooms"}}"#, "the text has {count}, and no value of that name stands after it"),
        (#"{{t "{count} rooms" count name}}"#, "the text has no {name} for the value that stands after it"),
        (#"{{t "rooms" a..b}}"#, "a..b"), (#"{{t "say \"hi\""}}"#, "a text has no quotation mark in it"),
        (#"{{t "{n, plural, one {# room} other {# rooms}}" n}}"#, "stand in Languages/en.po"),
        (#"{{t "{count, currency}" count}}"#, "number, percent, or currency with its code"),
        (#"{{t "{name} or {name}" name house.name}}"#, "two values are called {name}"),
    ])
    func `a mistake in the tag is told at the start`(source: String, message: String) throws {
        let error = #expect(throws: TemplateErrors.self) { try Templates(sources: ["main": "<p>\n  " + source]) }
        #expect(error.map { "\($0)" }?.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
        #expect(error.map { "\($0)" }?.contains("main.mustache:2:3") == true)
    }

    @Test func `a value that is not there, or has no text, is an error as elsewhere`() throws {
        #expect(throws: TemplateError.self) { try Self.render(#"{{t "{nam}" nam}}"#) }
        #expect(throws: TemplateError.self) { try Self.render(#"{{t "{list}" list}}"#) }
    }

    @Test func `a name that is a t is still one`() throws {
        let templates = try Templates(sources: ["main": "{{t}} {{ t }}"])
        #expect(String(decoding: try templates.render("main", ["t": "x"]), as: UTF8.self) == "x x")
    }

    @Test func `the texts of all templates are known`() throws {
        let sources = ["a": #"{{t "Two"}}{{t "One"}}"#, "b": #"{{t "Two"}}{{#x}}{{t "{n} more" n}}{{/x}}"#]
        #expect(try Templates(sources: sources).texts == ["One", "Two", "{n} more"])
    }
}
