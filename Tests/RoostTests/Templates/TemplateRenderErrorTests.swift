import Testing

@testable import Roost

private struct Author: Encodable {
    let name: String
    let site: String?
}

private struct Post: Encodable {
    let title: String
    let authors: [Author]
    let draft: Bool
}

private let post = Post(title: "T", authors: [Author(name: "Ann", site: nil)], draft: false)

/// Errors of a template that does not fit its page: each says where.
@Suite(.timeLimit(.minutes(5)))
struct `Template errors while rendering` {
    private func render(_ sources: [String: String], _ page: some Encodable) -> String {
        do {
            return String(decoding: try Templates(sources: sources).render("main", page), as: UTF8.self)
        } catch {
            return "\(error)"
        }
    }

    static let wrong: [(template: String, error: String)] = [
        ("{{titel}}", #"1:1: the page has no "titel": did you mean "title"? it has title, authors, draft"#),
        (
            "a\n {{&xyz}}",
            #"2:2: the page has no "xyz": add it, correct the name, or give it to every page (pageValues); "#
                + "it has title, authors, draft"
        ),
        (
            "{{#xyz}}{{/xyz}}",
            #"1:1: the page has no "xyz": add it, correct the name, or give it to every page (pageValues); "#
                + "it has title, authors, draft"
        ),
        (
            "{{^drafd}}{{/drafd}}",
            #"1:1: the page has no "drafd": did you mean "draft"? it has title, authors, draft"#
        ),
        (
            "{{#authors}}{{sites}}{{/authors}}",
            #"1:13: the page has no "sites": did you mean "site"? it has name, site"#
        ),
        ("{{title.size}}", #"1:1: "title" has no "size": it has no fields at all; write {{.}} for the value itself"#),
        (
            "{{authors.count}}",
            #"1:1: "authors" has no "count": it is a list; make its count, or one of its elements, "#
                + "a property of the page"
        ),
        (
            "{{#authors}}{{this}}{{/authors}}",
            #"1:13: the page has no "this": write {{.}} for the value itself; it has name, site"#
        ),
        (
            "{{authors}}",
            #"1:1: "authors" is a list, which has no text: use {{#authors}}…{{/authors}} to show what is in it"#
        ),
        ("{{.}}", #"1:1: "." is an object, which has no text: use {{#.}}…{{/.}} to show what is in it"#),
        ("{{>*title}}", #"1:1: "title" names the template "T", which does not exist: create it or give another name"#),
    ]

    @Test(arguments: wrong)
    func `a name that is not there`(_ template: String, _ error: String) throws {
        let first = try #require(render(["main": template], post).split(separator: "\n").first)
        #expect(first == "main.mustache:\(error)")
    }

    @Test(arguments: [
        ("{{#authors}}{{name}}[{{site}}]{{#site}}!{{/site}}{{^site}}?{{/site}}{{/authors}}", "Ann[]?"),
        ("{{#authors}}{{site.host}}{{/authors}}", ""),
    ])
    func `a nil is empty`(_ template: String, _ expected: String) {
        #expect(render(["main": template], post) == expected)
    }

    @Test func `a partial's error names who included it`() {
        let sources = ["main": "{{#authors}}\n {{>row}}\n{{/authors}}", "row": "<li>{{nam}}</li>"]
        #expect(
            render(sources, post) == """
                row.mustache:1:5: the page has no "nam": did you mean "name"? it has name, site
                    <li>{{nam}}</li>
                        ^
                    from main.mustache:2:2
                """)
    }

    @Test func `the error can be shown as an excerpt`() throws {
        let templates = try Templates(sources: ["main": "x\r\n <b>{{bad}}</b>\r\n"])
        let error = #expect(throws: TemplateError.self) { try templates.render("main", post) }
        let place = try #require(error?.location)
        #expect((place.template, place.file, place.line, place.column) == ("main", "main.mustache", 2, 5))
        #expect(place.sourceLine == " <b>{{bad}}</b>")
    }

    @Test func `a template that does not exist`() throws {
        let templates = try Templates(sources: ["users/index": ""])
        let error = #expect(throws: TemplateError.self) { try templates.render("user/index", post) }
        #expect(error?.description == #"there is no template "user/index": did you mean "users/index"?"#)
    }

    @Test func `a check finds all missing names together`() throws {
        let templates = try Templates(sources: ["main": "{{a}} {{title}}\n{{#authors}}{{b}}{{/authors}}{{title.c}}"])
        let page = Post(title: "T", authors: post.authors + post.authors, draft: true)
        let errors = #expect(throws: TemplateErrors.self) { try templates.check("main", page) }
        #expect(errors?.errors.map { $0.location?.column } == [1, 13, 30])
        try Templates(sources: ["main": "{{title}}"]).check("main", page)
    }
}
