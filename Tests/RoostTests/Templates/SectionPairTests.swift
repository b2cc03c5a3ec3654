import Testing

@testable import Roost

/// A section and an inverted section of the same value, one after the other: when the first is not shown, the second is
/// entered at once.
@Suite(.timeLimit(.minutes(5)))
struct `Pairs of sections` {
    private struct Page: SelfWriting {
        let write: @Sendable (inout Fields) -> Void
        func write(to fields: inout Fields) { write(&fields) }
        func encode(to encoder: any Encoder) {}
    }

    private func render(_ source: String, _ write: @escaping @Sendable (inout Fields) -> Void) throws -> String {
        let templates = try Templates(sources: ["main": source, "line": "<{{^x}}no{{/x}}>\n"])
        return String(decoding: try templates.render("main", Page(write: write)), as: UTF8.self)
    }

    private let pair = "({{#x}}yes {{.}}{{/x}}{{^x}}no{{/x}})"

    @Test func `the value chooses`() throws {
        #expect(try render(pair) { $0.add("x", "é") } == "(yes é)")
        #expect(try render(pair) { $0.add("x", "") } == "(no)")
        #expect(try render(pair) { $0.add("x", String?.none) } == "(no)")
        #expect(try render(pair) { $0.add("x", true) } == "(yes true)")
        #expect(try render(pair) { $0.add("x", false) } == "(no)")
        #expect(try render(pair) { $0.add("x", [1, 2]) } == "(yes 1yes 2)")
        #expect(try render(pair) { $0.add("x", [Int]()) } == "(no)")
    }

    @Test func `a lambda that has written the first is not false`() throws {
        #expect(try render(pair) { $0.add("x", TemplateLambda { _ in "lambda" }) } == "(lambda)")
    }

    @Test func `another value's inverted section is not entered`() throws {
        let source = "{{#x}}x{{/x}}{{^y}}y{{/y}}{{#x}}x{{/x}} {{^x}}z{{/x}}"
        #expect(
            try render(source) { fields in
                fields.add("x", false)
                fields.add("y", true)
            } == " z")
    }

    @Test func `lines stay indented`() throws {
        let source = "  {{>line}}\n{{#x}}\n{{/x}}\n{{^x}}\n  {{>line}}\n{{/x}}\n"
        #expect(try render(source) { $0.add("x", false) } == "  <no>\n  <no>\n")
    }

    @Test(arguments: [0, 1, 7, 8, 9, 31, 32, 33, 200])
    func `texts of any length are copied as they are`(_ count: Int) throws {
        let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        let source = text + "{{x}}" + text + "{{{x}}}" + text
        #expect(try render(source) { $0.add("x", text + "<") } == text + text + "&lt;" + text + text + "<" + text)
    }
}
