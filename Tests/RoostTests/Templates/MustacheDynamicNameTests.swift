import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache dynamic names` {
    static let cases: [MustacheCase] = [
        .init(
            "a partial", "\"{{>*dynamic}}\"", ["dynamic": "content"], "\"Hello, world!\"",
            partials: ["content": "Hello, world!"]),
        .init(
            "the asterisk is no part of it", "\"{{>*dynamic}}\"", ["dynamic": "content", "*dynamic": "wrong"],
            "\"Hello, world!\"", partials: ["content": "Hello, world!", "wrong": "Invisible"]),
        .init("a miss", "\"{{>*missing}}\"", [:], "\"\"", partials: ["missing": "Hello, world!"]),
        .init(
            "an unknown template", "\"{{>*dynamic}}\"", ["dynamic": "content"], "\"\"",
            partials: ["foobar": "Hello, world!"]),
        .init(
            "the context", "\"{{>*example}}\"", ["text": "Hello, world!", "example": "partial"], "\"*Hello, world!*\"",
            partials: ["partial": "*{{text}}*"]),
        .init(
            "dotted", "\"{{>*foo.bar.baz}}\"", ["text": "Hello, world!", "foo": ["bar": ["baz": "partial"]]],
            "\"*Hello, world!*\"", partials: ["partial": "*{{text}}*"]),
        .init(
            "resolved before it is followed", "\"{{>*foo.bar.baz}}\"",
            ["foo": "test", "test": ["bar": ["baz": "partial"]]], "\"\"", partials: ["partial": "*{{text}}*"]),
        .init(
            "dotted opens no context", "{{#section1}}{{>*section2.dynamic}}{{/section1}}",
            ["section1": ["value": "section1"], "section2": ["dynamic": "partial", "value": "section2"]],
            "\"section1\"", partials: ["partial": "\"{{value}}\""]),
        .init(
            "in a loop", "{{#section1}}{{>*section2.dynamic}}{{/section1}}",
            ["value": "test", "section1": [1, 2], "section2": ["dynamic": "partial", "value": "section2"]], "testtest",
            partials: ["partial": "{{value}}"]),
        .init(
            "in a loop with a miss", "{{#section1}}{{>*section2.dynamic}}{{/section1}}",
            ["section1": [1, 2], "section2": ["dynamic": "partial", "value": "section2"]], "\"\"\"\"",
            partials: ["partial": "\"{{value}}\""]),
        .init(
            "recursion", "{{>*template}}",
            ["template": "node", "content": "X", "nodes": [["content": "Y", "nodes": []]]], "X<Y<>>",
            partials: ["node": "{{content}}<{{#nodes}}{{>*template}}{{/nodes}}>"]),
        .init(
            "not followed twice", "\"{{>**dynamic}}\"", ["dynamic": "test", "test": "content"], "\"\"",
            partials: ["content": "Hello, world!"]),
        .init(
            "nor in parts", "\"{{>*foo.*bar}}\"", ["foo": "fizz", "bar": "buzz", "fizz": ["buzz": "content"]], "\"\"",
            partials: ["content": "Hello, world!"]),
        .init(
            "whitespace around", "| {{>*partial}} |", ["partial": "foobar"], "| \t|\t |",
            partials: ["foobar": "\t|\t"]),
        .init(
            "inline lines", "  {{data}}  {{>*dynamic}}\n", ["dynamic": "partial", "data": "|"], "  |  >\n>\n",
            partials: ["partial": ">\n>"]),
        .init("CRLF", "|\r\n{{>*dynamic}}\r\n|", ["dynamic": "partial"], "|\r\n>|", partials: ["partial": ">"]),
        .init(
            "without a line before", "  {{>*dynamic}}\n>", ["dynamic": "partial"], "  >\n  >>",
            partials: ["partial": ">\n>"]),
        .init(
            "without a newline after", ">\n  {{>*dynamic}}", ["dynamic": "partial"], ">\n  >\n  >",
            partials: ["partial": ">\n>"]),
        .init(
            "indented lines", "\\\n {{>*dynamic}}\n/\n", ["dynamic": "partial", "content": "<\n->"],
            "\\\n |\n <\n->\n |\n/\n", partials: ["partial": "|\n{{{content}}}\n|\n"]),
        .init(
            "padding", "|{{> * dynamic }}|", ["dynamic": "partial", "boolean": true], "|[]|",
            partials: ["partial": "[]"]),
        .init(
            "a parent", "{{<*layout}}{{$a}}x{{/a}}{{/*layout}}", ["layout": "p"], "(x)",
            partials: ["p": "({{$a}}y{{/a}})"]),
        .init("delimiters", "{{=<% %>=}}<%>*dynamic%>", ["dynamic": "partial"], "[]", partials: ["partial": "[]"]),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
