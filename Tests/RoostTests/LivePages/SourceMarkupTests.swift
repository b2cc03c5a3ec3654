import RoostTesting
import Testing

@testable import Roost

/// The checks at start of what live pages are found by.
@Suite("Live elements in the sources of templates", .timeLimit(.minutes(5)))
struct SourceMarkupTests {
    private func errors(_ sources: [String: String], fragments: [String]? = nil) throws -> [String] {
        let templates = try Templates(sources: sources)
        do {
            if let fragments {
                _ = try LivePage(templates: templates, fragments: fragments)
            } else {
                _ = try Application(templates: templates) { routes in
                    routes.get(Path("/")) { _ in View("page", [0]) }
                    routes.live(Path("/"), on: Topic<Int>())
                }
            }
            return []
        } catch let errors as TemplateErrors {
            return errors.errors.map { ($0.location.map { "\($0.line):\($0.column): " } ?? "") + $0.message }
        }
    }

    @Test(arguments: [
        ("<ul data-live></ul>", "1:1: a live element is found by its id: give <ul> one"),
        ("<ul id=\"\" data-live></ul>", "1:1: a live element is found by its id: give <ul> one"),
        (
            "<main>\n  {{#a}}<p class=\"b\" DATA-LIVE>{{.}}</p>{{/a}}</main>",
            "2:9: a live element is found by its id: give <p> one"
        ),
        (
            "{{<page2}}{{$content}}<ol data-live></ol>{{/content}}{{/page2}}",
            "1:23: a live element is found by its id: give <ol> one"
        ),
    ])
    func `a live element without an id stops the start`(page: String, error: String) throws {
        #expect(try errors(["page": page, "page2": "{{$content}}{{/content}}"]) == [error])
    }

    @Test(arguments: [
        "<ul id=\"a\" data-live></ul>", "<ul id=\"a-{{id}}\" data-live>{{{b}}}</ul>", "<ul id={{id}} data-live></ul>",
        "<form data-live></form><a data-live href=\"/\">x</a>", "<ul {{{attributes}}} data-live></ul>",
        "<ul {{#id}}id=\"{{.}}\"{{/id}} data-live></ul>", "<ul {{> id}} data-live></ul>", "<!-- <ul data-live> -->",
        "{{! <ul data-live> }}", "<ul data-live {{$attributes}}{{/attributes}}></ul>",
        "<textarea><ul data-live></ul></textarea>", "<ul {{<id}}{{/id}} data-live></ul>", "<p data-live-news></p>",
        "{{=<% %>=}}<ul id=\"<%id%>\" data-live></ul>",
    ])
    func `what has an id, or may have one, does not`(page: String) throws {
        #expect(try errors(["page": page, "id": "id=\"x\""]) == [])
    }

    @Test func `without live pages nothing is looked at`() throws {
        _ = try Application(templates: Templates(sources: ["page": "<ul data-live></ul>"])) { routes in
            routes.get(Path("/")) { _ in View("page", [0]) }
        }
    }

    @Test(arguments: [
        ("<li>1</li>", "1:1: the root of a fragment of a live page is found by its id: give <li> one"),
        (
            "<li id=\"a\">1</li>\n<li id=\"b\">2</li>",
            "2:1: a fragment of a live page has one element at its root: put all of it in one"
        ),
        ("{{name}}", "1:1: a fragment of a live page has an element at its root: write one"),
        ("", "1:1: a fragment of a live page has an element at its root: write one"),
    ])
    func `a template that can be no fragment stops the start`(row: String, error: String) throws {
        #expect(try errors(["row": row], fragments: ["row"]) == [error])
    }

    @Test(arguments: [
        "<li id=\"a-{{id}}\">{{#b}}<b>{{.}}</b>{{/b}}{{^b}}<i>x</i>{{/b}}</li>\n", "{{> other}}", "{{{html}}}",
        "{{#a}}<li id=\"a\">1</li>{{/a}}{{^a}}<li id=\"a\">2</li>{{/a}}", "{{<other}}{{$text}}3{{/text}}{{/other}}",
        "{{! A row. }}\n<li {{> attributes}}>1</li>", "{{#a}}<li>{{/a}}{{^a}}<li class=\"b\">{{/a}}x</li>",
    ])
    func `one that may be a fragment does not`(row: String) throws {
        let others = ["other": "<li id=\"a\">{{$text}}1{{/text}}</li>", "attributes": "id=\"a\""]
        #expect(try errors(["row": row].merging(others) { $1 }, fragments: ["row", "other"]) == [])
    }

    @Test func `a fragment that is not there stops the start`() throws {
        #expect(
            try errors(["board/task": "<li id=\"a\"></li>"], fragments: ["board/tsak"])
                == ["there is no template \"board/tsak\": did you mean \"board/task\"?"])
    }
}
