import Testing

@testable import Roost

private struct List: Encodable {
    let rows: [Row]
    var error: String?

    struct Row: Encodable {
        let name: String
    }
}

/// The errors of a test that checks all views of an application with samples.
@Suite(.timeLimit(.minutes(5)))
struct `Template review` {
    private let sources = [
        "layout": "<title>{{$title}}Site{{/title}}</title>{{$content}}{{/content}}",
        "list": """
        {{<layout}}{{$content}}
        {{#rows}}{{>row}}{{/rows}}
        {{^rows}}nobody{{/rows}}
        {{#error}}<p>{{.}}</p>{{/error}}
        {{/content}}{{/layout}}

        """,
        "row": "<li>{{name}}</li>",
    ]

    private let empty = View("list", List(rows: [], error: "Wrong."))
    private let full = View("list", List(rows: [List.Row(name: "Ann")]))

    private func errors(_ views: [View], changing changes: [String: String] = [:]) throws -> String {
        let templates = try Templates(sources: sources.merging(changes) { $1 })
        do {
            try templates.check(views)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `samples that show everything pass`() throws {
        #expect(try errors([empty, full]) == "")
    }

    @Test func `a missing name is found in each section, once`() throws {
        let found = try errors(
            [empty, full, full], changing: ["row": "<li>{{nam}}</li>", "layout": "{{$content}}{{/content}}{{x}}"])
        #expect(found.contains("row.mustache:1:5: the page has no \"nam\": did you mean \"name\"?"))
        #expect(found.contains("layout.mustache:1:25: the page has no \"x\""))
        #expect(found.hasSuffix("2 errors in templates."))
    }

    @Test func `a section that no sample opens is an error`() throws {
        let found = try errors([full])
        #expect(found.contains("list.mustache:3:1: no sample shows what is in {{^rows}}: add one that does"))
        #expect(found.contains("list.mustache:4:1: no sample shows what is in {{#error}}: add one that does"))
        #expect(found.hasSuffix("2 errors in templates."))
        #expect(try errors([empty]).contains("list.mustache:2:1: no sample shows what is in {{#rows}}"))
    }

    @Test func `a template that nothing leads to is an error`() throws {
        let found = try errors([empty, full], changing: ["old": "{{#a}}{{/a}}"])
        #expect(
            found == """
                old.mustache:1:1: none of these views shows this template: add a sample of one that does, or remove \
                the file
                    {{#a}}{{/a}}
                    ^
                """)
    }

    @Test func `a view without a template is an error`() throws {
        let found = try errors([empty, full, View("lists", ["a": 1])])
        #expect(found == "there is no template \"lists\": did you mean \"list\"?")
    }

    @Test func `what a lambda shows counts`() throws {
        struct Page: SelfWriting {
            func write(to fields: inout Fields) {
                fields.add("twice", TemplateLambda { try $0.render() + $0.render() })
                fields.add("name", "Ann")
            }
        }
        let templates = try Templates(sources: ["page": "{{#twice}}{{>part}}{{nam}}{{/twice}}", "part": "{{name}}"])
        let errors = #expect(throws: TemplateErrors.self) { try templates.check([View("page", Page())]) }
        #expect(
            errors?.errors.map(\.message) == ["the page has no \"nam\": did you mean \"name\"? it has twice, name"])
    }
}
