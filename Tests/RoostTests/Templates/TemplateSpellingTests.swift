import Testing

@testable import Roost

/// Names are compared by their bytes: `é` is another name than `e` with an accent after it, though Swift's strings are
/// equal.
@Suite("Names that only look alike", .timeLimit(.minutes(5)))
struct TemplateSpellingTests {
    private static let (short, long) = ("caf\u{E9}", "cafe\u{301}")

    private static func text(_ templates: Templates, _ name: String, _ page: some Encodable) throws -> String {
        String(decoding: try templates.render(name, page), as: UTF8.self)
    }

    @Test func `a page with another spelling breaks no page after it`() throws {
        let templates = try Templates(sources: ["page": "{{a}}{{\(Self.short)}}"])
        #expect(try Self.text(templates, "page", Ordered("a", Self.short)) == "12")
        #expect(throws: TemplateError.self) { try Self.text(templates, "page", Ordered("a", Self.long)) }
        for _ in 0..<3 { #expect(try Self.text(templates, "page", Ordered("a", Self.short)) == "12") }
    }

    @Test func `a page has both spellings`() throws {
        let templates = try Templates(sources: ["page": "{{\(Self.short)}}{{\(Self.long)}}"])
        #expect(try Self.text(templates, "page", Ordered(Self.short, Self.long)) == "12")
        #expect(try Self.text(templates, "page", Ordered(Self.long, Self.short)) == "21")
    }

    @Test func `templates spell a name differently`() throws {
        let templates = try Templates(sources: ["a": "{{\(Self.short)}}", "b": "{{\(Self.long)}}"])
        #expect(try Self.text(templates, "a", Ordered(Self.short)) == "1")
        #expect(try Self.text(templates, "b", Ordered(Self.long)) == "1")
        #expect(throws: TemplateError.self) { try Self.text(templates, "b", Ordered(Self.short)) }
    }

    @Test func `two templates whose names look alike are two`() throws {
        let templates = try Templates(sources: [Self.short: "1"])
        #expect(templates.contains(Self.short) && !templates.contains(Self.long))
    }

    @Test func `a partial is found by its bytes`() {
        #expect(throws: TemplateErrors.self) {
            try Templates(sources: ["page": "{{>\(Self.long)}}", Self.short: "1"])
        }
    }

    @Test func `a section and a block are closed by their own names`() {
        #expect(throws: TemplateErrors.self) { try Templates(sources: ["a": "{{#\(Self.short)}}{{/\(Self.long)}}"]) }
        #expect(throws: TemplateErrors.self) {
            try Templates(sources: [
                "a": "{{<b}}{{$\(Self.short)}}{{/\(Self.short)}}{{/b}}", "b": "{{$\(Self.long)}}{{/\(Self.long)}}",
            ])
        }
    }

    /// Fields in a given order; each has its number.
    private struct Ordered: Encodable {
        let names: [String]

        init(_ names: String...) { self.names = names }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyJSONKey.self)
            for (number, name) in names.enumerated() {
                try container.encode(number + 1, forKey: AnyJSONKey(stringValue: name))
            }
        }
    }
}
