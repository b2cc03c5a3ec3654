import Testing

@testable import Roost

/// All mistakes in templates are reported at start, each with its line and a caret.
@Suite(.timeLimit(.minutes(5)))
struct `Template errors at start` {
    /// The errors of one set of templates, as a person reads them.
    private func errors(_ sources: [String: String]) -> String {
        do {
            _ = try Templates(sources: sources)
            return ""
        } catch {
            return "\(error)"
        }
    }

    static let broken: [(template: String, error: String)] = [
        ("a\n  {{name\n", #"2:3: this tag is not closed: write "}}" after its name"#),
        ("{{{name}}", #"1:1: this tag is not closed: write "}}}" after its name"#),
        ("{{!", #"1:1: this tag is not closed: write "}}" after its name"#),
        ("{{=<%}}", #"1:1: this tag is not closed: write "=}}" after its name"#),
        ("{{= <% =}}", "1:1: the delimiters are not two marks: write them like {{=<% %>=}}, without an equals sign"),
        ("x {{}}", "1:3: this tag has no name: write one"),
        ("{{# }}", "1:1: this tag has no name: write one"),
        ("{{first name}}", #"1:1: the name "first name" has a space in it: remove it, or close the tag before it"#),
        (
            "{{#if admin}}x{{/if}}",
            "1:1: Mustache has no if: {{#admin}}…{{/admin}} is shown for true, and for each element of a list, "
                + "{{^admin}}…{{/admin}} otherwise"
        ),
        (
            "{{#each tag in tags}}x{{/each}}",
            "1:1: Mustache has no each: {{#name}}…{{/name}} is shown for true, and for each element of a list, "
                + "{{^name}}…{{/name}} otherwise"
        ),
        (
            "{{#a}}x{{else}}y{{/a}}",
            "1:8: Mustache has no else: {{#name}}…{{/name}} is shown for true, and for each element of a list, "
                + "{{^name}}…{{/name}} otherwise"
        ),
        ("{{@index}}", "1:1: Mustache has no @index: give it to each element of the list as a property"),
        (
            #"{{extends "layout"}}"#,
            "1:1: Mustache has no extends: {{<layout}}…{{/layout}} fills the blocks of a layout, and {{>header}} "
                + "inserts a template"
        ),
        (
            "{{name | upper}}",
            "1:1: Mustache computes nothing: make the value a property of the page, ready to be shown"
        ),
        ("{{name|upper}}", "1:1: Mustache computes nothing: make the value a property of the page, ready to be shown"),
        ("{{#a}}x{{endif}}", "1:8: Mustache has no endif: a section {{#name}} ends with {{/name}}"),
        ("{{t 'x | y'}}", #"1:1: write a text as {{t "Sign in"}}"#),
        ("{{a\n}} {{b\nc}}", #"2:4: this tag is not closed: write "}}" after its name"#),
        ("{{#a}}\n{{{b\n{{{c}}}{{/a}}", #"2:1: this tag is not closed: write "}}}" after its name"#),
        ("{{user..name}}", #"1:1: the name "user..name" has an empty part: write one between the dots"#),
        ("{{^user..name}}", #"1:1: the name "user..name" has an empty part: write one between the dots"#),
        ("{{#list}}x", "1:1: {{#list}} is not closed: write {{/list}} where it ends"),
        ("{{^list}}x", "1:1: {{^list}} is not closed: write {{/list}} where it ends"),
        ("{{$block}}x", "1:1: {{$block}} is not closed: write {{/block}} where it ends"),
        ("é {{/list}}", "1:3: {{/list}} closes nothing: remove it, or open it before"),
        ("{{#a}}\n{{/b}}{{/a}}", "2:1: {{/b}} does not close {{#a}} of line 1: write {{/a}}"),
        ("{{#a}}{{#b}}{{/a}}", "1:7: {{#b}} is not closed: write {{/b}} where it ends"),
        ("{{> user/row}}", #"1:1: unknown partial "user/row": did you mean "users/row"?"#),
        ("{{>x}}", #"1:1: unknown partial "x": create x.mustache or correct the name"#),
        ("{{<laiout}}{{/laiout}}", #"1:1: unknown parent "laiout": did you mean "layout"?"#),
        ("{{<layout}}{{$tilte}}{{/tilte}}{{/layout}}", #"1:12: "layout" has no block "tilte": did you mean "title"?"#),
        (
            "{{<layout}}{{$q}}{{/q}}{{/layout}}",
            #"1:12: "layout" has no block "q": add {{$q}}{{/q}} to it or correct the name"#
        ),
        (
            "{{<layout}}{{#x}}{{/x}}{{/layout}}",
            "1:12: {{#x}} has no effect between the tags of a parent: move it into a block"
        ),
        (
            "{{<layout}}{{$title}}{{/title}}{{$title}}{{/title}}{{/layout}}",
            #"1:32: the block "title" is given twice: remove one of them"#
        ),
        (
            "{{>main}}",
            #"1:1: "main" → "main" includes itself without end: put the tag in a section that ends when the data does"#
        ),
    ]

    @Test(arguments: broken)
    func `a broken template`(_ template: String, _ error: String) throws {
        let sources = ["main": template, "layout": "<{{$title}}{{/title}}>", "users/row": "row"]
        let first = try #require(errors(sources).split(separator: "\n").first)
        #expect(first == "main.mustache:\(error)")
    }

    @Test func `the line and a caret follow`() {
        #expect(
            errors(["page": "<ul>\n\t<li>é {{>row}}</li>\n</ul>"]) == """
                page.mustache:2:8: unknown partial "row": create row.mustache or correct the name
                    \t<li>é {{>row}}</li>
                    \t      ^
                """)
    }

    @Test func `all errors of all files come together, in reading order`() {
        let found = errors(["b": "{{>x}}\n{{#a}}", "a": "{{/z}} {{c d}}\n{{>y}}"])
        let places = found.split(separator: "\n").filter { $0.contains(".mustache:") }.map { $0.prefix(14) }
        #expect(places == ["a.mustache:1:1", "a.mustache:1:8", "a.mustache:2:1", "b.mustache:1:1", "b.mustache:2:1"])
        #expect(found.hasSuffix("\n5 errors in templates."))
    }

    @Test func `a circle is found once`() {
        let found = errors(["a": "{{>b}}", "b": "-{{>c}}", "c": "--{{<a}}{{/a}}"])
        #expect(found.hasPrefix(#"c.mustache:1:3: "a" → "b" → "c" → "a" includes itself without end"#))
    }

    @Test(arguments: ["{{#x}}{{>main}}{{/x}}", "{{^x}}{{>main}}{{/x}}", "{{$x}}{{>main}}{{/x}}", "{{>*main}}"])
    func `a circle that the data can end is allowed`(_ template: String) {
        #expect(errors(["main": template]) == "")
    }

    @Test func `content for a block deeper down is known`() {
        let sources = [
            "page": "{{<a}}{{$title}}x{{/title}}{{/a}}", "a": "{{<b}}{{/b}}", "b": "{{>c}}",
            "c": "{{$title}}{{/title}}",
        ]
        #expect(errors(sources) == "")
    }

    @Test func `nesting has a bound`() {
        let deep = String(repeating: "{{#a}}", count: 300) + String(repeating: "{{/a}}", count: 300)
        #expect(
            errors(["a": deep]).contains("a.mustache:1:1201: tags are nested more than 200 levels deep: use partials")
        )
    }

    @Test func `what is unknown is empty on request`() throws {
        let templates = try Templates(sources: ["a": "[{{>x}}{{y}}{{#z}}{{/z}}]"], missingNames: .empty)
        #expect(String(decoding: try templates.render("a", [String: Int]()), as: UTF8.self) == "[]")
    }
}
