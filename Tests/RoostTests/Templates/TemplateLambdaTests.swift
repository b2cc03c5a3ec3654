import Testing

@testable import Roost

/// Lambdas, as the optional module of mustache/spec 1.4 has them; ours return output, and render on request.
@Suite(.timeLimit(.minutes(5)))
struct `Template lambdas` {
    private func render(
        _ template: String, _ data: Sample = [:], partials: [String: String] = [:],
        _ body: @escaping (TemplateSection) throws -> String
    ) throws -> String {
        let templates = try Templates(sources: partials.merging(["main": template]) { $1 })
        let page = SampleData(sample: data, lambdas: [("lambda", TemplateLambda(body))])
        return String(decoding: try templates.render("main", page), as: UTF8.self)
    }

    @Test func `a value`() throws { #expect(try render("Hello, {{lambda}}!") { _ in "world" } == "Hello, world!") }

    @Test func `a value that is rendered`() throws {
        #expect(
            try render("Hello, {{lambda}}!", ["planet": "world"]) { try $0.render("{{planet}}") } == "Hello, world!")
    }

    @Test func `a value has the standard delimiters`() throws {
        let text = try render("{{= | | =}}\nHello, (|&lambda|)!", ["planet": "world"]) {
            try $0.render("|planet| => {{planet}}")
        }
        #expect(text == "Hello, (|planet| => world)!")
    }

    @Test func `it is called each time`() throws {
        var calls = 0
        let text = try render("{{lambda}} == {{{lambda}}} == {{lambda}}") { _ in
            calls += 1
            return "\(calls)"
        }
        #expect(text == "1 == 2 == 3")
    }

    @Test func `escaping`() throws { #expect(try render("<{{lambda}}{{{lambda}}}") { _ in ">" } == "<&gt;>") }

    @Test func `a section hands over its text`() throws {
        #expect(try render("<{{#lambda}}{{x}}{{/lambda}}>") { $0.text == "{{x}}" ? "yes" : "no" } == "<yes>")
    }

    @Test func `a section is rendered on request`() throws {
        let text = try render("<{{#lambda}}-{{/lambda}}>", ["planet": "Earth"]) {
            try $0.render($0.text + "{{planet}}" + $0.text)
        }
        #expect(text == "<-Earth->")
    }

    @Test func `a section has the delimiters around it`() throws {
        let text = try render("{{= | | =}}<|#lambda|-|/lambda|>", ["planet": "Earth"]) {
            try $0.render($0.text + "{{planet}} => |planet|" + $0.text)
        }
        #expect(text == "<-{{planet}} => Earth->")
    }

    @Test func `an inverted section takes it for true`() throws {
        #expect(try render("<{{^lambda}}x{{/lambda}}>") { _ in "" } == "<>")
    }

    @Test func `it sees the contexts around it`() throws {
        let text = try render("{{#planet}}{{#lambda}}&{{/lambda}}{{/planet}}", ["planet": "Earth", "star": "Sun"]) {
            try $0.render("{{star}} \($0.text) {{.}}")
        }
        #expect(text == "Sun & Earth")
    }

    @Test func `it includes partials and blocks`() throws {
        let partials = ["p": "({{x}}{{$a}}{{/a}})"]
        let text = try render("{{#lambda}}{{>p}}{{<p}}{{$a}}!{{/a}}{{/p}}{{/lambda}}", ["x": 1], partials: partials) {
            try $0.render()
        }
        #expect(text == "(1)(1!)")
    }

    @Test func `data that looks like a tag stays data`() throws {
        #expect(try render("{{#lambda}}{{x}}{{/lambda}}", ["x": "{{y}}"]) { try $0.render() } == "{{y}}")
    }

    @Test func `a section alone on its lines hands over whole lines`() throws {
        #expect(try render("a\n{{#lambda}}\n  b\n{{/lambda}}\nc") { $0.text } == "a\n  b\nc")
    }

    @Test func `a list may mix lambdas and values`() throws {
        struct Mixed: Encodable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode("x")
                try list.encode(TemplateLambda { "<" + (try $0.render()) + ">" })
            }
        }
        let templates = try Templates(sources: ["main": "{{#list}}-{{/list}}"])
        #expect(String(decoding: try templates.render("main", ["list": Mixed()]), as: UTF8.self) == "-<->")
    }

    @Test func `it is a field like any other`() throws {
        struct Page: Encodable {
            let name = "Ann"
            let shout = TemplateLambda { try $0.render().uppercased() }
        }
        let templates = try Templates(sources: ["main": "{{#shout}}{{name}}{{/shout}}"])
        #expect(String(decoding: try templates.render("main", Page()), as: UTF8.self) == "ANN")
        #expect(throws: EncodingError.self) { try JSONCoder().encode(Page()) }
    }

    @Test func `text that it renders is in the language of the page`() throws {
        let templates = try Templates(sources: ["main": "{{lambda}}"])
        let lambda = TemplateLambda { try $0.render("{{t \"Sign in\"}}") }
        let page = SampleData(sample: [:], lambdas: [("lambda", lambda)])
        let german = MessageTable("de", ["Sign in": "Anmelden"])
        let text = try templates.render("main", page, review: nil, messages: german)
        #expect(String(decoding: text, as: UTF8.self) == "Anmelden")
    }

    @Test func `an error in its text points there, and at the section`() throws {
        let error = #expect(throws: TemplateError.self) {
            try render("abc {{#lambda}}{{/lambda}}") { try $0.render("x {{y}}") }
        }
        #expect(error?.location?.column == 3)
        #expect(error?.includedFrom.map(\.column) == [5])
    }

    @Test(arguments: [
        ("x {{>rwo}}", #"unknown partial "rwo": did you mean "row"?"#),
        ("x {{<zzz}}{{/zzz}}", #"unknown parent "zzz": create it or correct the name"#),
    ])
    func `a template that its text names and that does not exist is an error`(text: String, message: String) throws {
        let error = #expect(throws: TemplateError.self) {
            try render("abc {{#lambda}}{{/lambda}}", partials: ["row": ""]) { try $0.render(text) }
        }
        #expect(error?.message == message)
        #expect(error?.location?.column == 3)
        #expect(error?.includedFrom.map(\.column) == [5])
        let templates = try Templates(sources: ["main": "[{{lambda}}]"], missingNames: .empty)
        let page = SampleData(sample: [:], lambdas: [("lambda", TemplateLambda { try $0.render(text) })])
        #expect(String(decoding: try templates.render("main", page), as: UTF8.self) == "[x ]")
    }

    @Test func `an error in its content points to the file, and at the section`() throws {
        let error = #expect(throws: TemplateError.self) {
            try render("a\n{{#lambda}} {{y}}{{/lambda}}") { try $0.render() }
        }
        #expect(error?.location?.place == "main.mustache:2:13")
        #expect(error?.includedFrom.map(\.column) == [1])
    }

    @Test func `its content is rendered as often as it asks, also in itself and in lists`() throws {
        let rows: Sample = ["rows": [["x": 1], ["x": 2]]]
        let text = try render("{{#rows}}{{#lambda}}<{{x}}{{#rows}}.{{/rows}}>{{/lambda}}{{/rows}}", rows) {
            try $0.render() + "|" + $0.render()
        }
        #expect(text == "<1..>|<1..><2..>|<2..>")
        let inner = try render("{{#lambda}}a{{#lambda}}b{{x}}{{/lambda}}{{/lambda}}", ["x": 1]) {
            "(" + (try $0.render()) + ")"
        }
        #expect(inner == "(a(b1))")
    }

    @Test func `its content is indented as any other in a partial`() throws {
        let partials = ["p": "{{#lambda}}\na\n b\n{{/lambda}}\nc\n"]
        let text = try render("  {{>p}}\n", partials: partials) { try $0.render() }
        #expect(text == "  a\n   b\n  c\n")
    }

    @Test func `one that calls itself comes to an end`() throws {
        let error = #expect(throws: TemplateError.self) {
            try render("{{#lambda}}{{#lambda}}{{/lambda}}{{/lambda}}") { try $0.render("{{#lambda}}{{/lambda}}") }
        }
        #expect(error?.message == "more than 16 lambdas are open: end their recursion earlier")
    }

    @Test func `a section that is stored cannot render later`() throws {
        var kept: TemplateSection?
        _ = try render("{{#lambda}}x{{/lambda}}") {
            kept = $0
            return ""
        }
        #expect(throws: TemplateError.self) { try kept?.render() }
        kept = nil
    }
}
