import Testing

@testable import Roost

/// A value that writes itself does so wherever it stands, also inside an `Encodable` page.
@Suite("Values that write themselves in encoded pages", .timeLimit(.minutes(5)))
struct TemplateWritingTests {
    private struct Button: SelfWriting, Sendable {
        let label: String

        private enum CodingKeys: CodingKey { case label }

        func write(to fields: inout Fields) {
            fields.add("label", label)
            fields.add("loud", TemplateLambda { section in try section.render().uppercased() })
        }
    }

    private struct Page: Encodable {
        let title = "t"
        let unseen = ["x": "unseen"]
        let button: Button
        var more: [Button] = []
        var other: Button?
    }

    private static func text(_ template: String, _ page: some Encodable) throws -> String {
        let templates = try Templates(sources: ["page": template])
        return String(decoding: try templates.render("page", page), as: UTF8.self)
    }

    @Test func `a member`() throws {
        let template = "{{title}} {{#button}}{{#loud}}{{label}}{{/loud}}{{/button}}"
        #expect(try Self.text(template, Page(button: Button(label: "go"))) == "t GO")
    }

    @Test func `an element of a list, and an optional`() throws {
        let page = Page(button: Button(label: "a"), more: [Button(label: "b")], other: Button(label: "c"))
        let loud = "{{#loud}}{{label}}{{/loud}}"
        #expect(try Self.text("{{#more}}\(loud){{/more}}{{#other}}\(loud){{/other}}", page) == "BC")
    }

    @Test func `a lambda's text may show a field that no template names`() throws {
        struct Asking: SelfWriting, Sendable {
            private enum CodingKeys: CodingKey {}

            func write(to fields: inout Fields) {
                fields.add("ask", TemplateLambda { try $0.render("{{#hidden}}{{a}}{{/hidden}}") })
            }
        }
        struct Outer: Encodable {
            let hidden = ["a": "found"]
            let asking = Asking()
        }
        #expect(try Self.text("{{#asking}}{{{ask}}}{{/asking}}", Outer()) == "found")
    }
}
