import Testing

@testable import Roost

private let contexts: Sample = [
    "a": ["one": 1], "b": ["two": 2], "c": ["three": 3, "d": ["four": 4, "five": 5]],
]

/// Sections in sections, five deep, each of which shows all that is around it.
private let nested = """
    {{#a}}
    {{one}}
    {{#b}}
    {{one}}{{two}}{{one}}
    {{#c}}
    {{one}}{{two}}{{three}}{{two}}{{one}}
    {{#d}}
    {{one}}{{two}}{{three}}{{four}}{{three}}{{two}}{{one}}
    {{#five}}
    {{one}}{{two}}{{three}}{{four}}{{five}}{{four}}{{three}}{{two}}{{one}}
    {{one}}{{two}}{{three}}{{four}}{{.}}6{{.}}{{four}}{{three}}{{two}}{{one}}
    {{one}}{{two}}{{three}}{{four}}{{five}}{{four}}{{three}}{{two}}{{one}}
    {{/five}}
    {{one}}{{two}}{{three}}{{four}}{{three}}{{two}}{{one}}
    {{/d}}
    {{one}}{{two}}{{three}}{{two}}{{one}}
    {{/c}}
    {{one}}{{two}}{{one}}
    {{/b}}
    {{one}}
    {{/a}}

    """

@Suite(.timeLimit(.minutes(5)))
struct `Mustache sections` {
    static let cases: [MustacheCase] = [
        .init(
            "true shows", "\"{{#boolean}}This should be rendered.{{/boolean}}\"", ["boolean": true],
            "\"This should be rendered.\""),
        .init("false hides", "\"{{#boolean}}This should not.{{/boolean}}\"", ["boolean": false], "\"\""),
        .init("nil hides", "\"{{#null}}This should not.{{/null}}\"", ["null": nil], "\"\""),
        .init(
            "an object is the context", "\"{{#context}}Hi {{name}}.{{/context}}\"", ["context": ["name": "Joe"]],
            "\"Hi Joe.\""),
        .init(
            "outer names stay", "\"{{#sec}}{{a}}, {{b}}, {{c.d}}{{/sec}}\"",
            ["a": "foo", "b": "wrong", "sec": ["b": "bar"], "c": ["d": "baz"]], "\"foo, bar, baz\""),
        .init("a text is a context", "\"{{#foo}}{{.}} is {{foo}}{{/foo}}\"", ["foo": "bar"], "\"bar is bar\""),
        .init(
            "names across a list",
            "{{#tops}}{{#middles}}{{tname.lower}}{{mname}}."
                + "{{#bottoms}}{{tname.upper}}{{mname}}{{bname}}.{{/bottoms}}{{/middles}}{{/tops}}",
            [
                "tops": [
                    [
                        "tname": ["upper": "A", "lower": "a"],
                        "middles": [["mname": "1", "bottoms": [["bname": "x"], ["bname": "y"]]]],
                    ]
                ]
            ], "a1.A1x.A1y."),
        .init(
            "contexts of any depth",
            nested,
            contexts, "1\n121\n12321\n1234321\n123454321\n12345654321\n123454321\n1234321\n12321\n121\n1\n"),
        .init(
            "a list repeats", "\"{{#list}}{{item}}{{/list}}\"", ["list": [["item": 1], ["item": 2], ["item": 3]]],
            "\"123\""),
        .init("an empty list hides", "\"{{#list}}Yay lists!{{/list}}\"", ["list": []], "\"\""),
        .init(
            "many of the same", "{{#bool}}\n* first\n{{/bool}}\n* {{two}}\n{{#bool}}\n* third\n{{/bool}}\n",
            ["bool": true, "two": "second"], "* first\n* second\n* third\n"),
        .init("nested, true", "| A {{#bool}}B {{#bool}}C{{/bool}} D{{/bool}} E |", ["bool": true], "| A B C D E |"),
        .init("nested, false", "| A {{#bool}}B {{#bool}}C{{/bool}} D{{/bool}} E |", ["bool": false], "| A  E |"),
        .init("a miss hides", "[{{#missing}}Found key 'missing'!{{/missing}}]", [:], "[]"),
        .init("iterating texts", "\"{{#list}}({{.}}){{/list}}\"", ["list": ["a", "b", "c"]], "\"(a)(b)(c)\""),
        .init("iterating integers", "\"{{#list}}({{.}}){{/list}}\"", ["list": [1, 2, 3]], "\"(1)(2)(3)\""),
        .init("iterating decimals", "\"{{#list}}({{.}}){{/list}}\"", ["list": [1.1, 2.2, 3.3]], "\"(1.1)(2.2)(3.3)\""),
        .init(
            "iterating lists", "\"{{#list}}({{#.}}{{.}}{{/.}}){{/list}}\"", ["list": [[1, 2, 3], ["a", "b"]]],
            "\"(123)(ab)\""),
        .init(
            "the iterator escapes", "\"{{#list}}({{.}}){{/list}}\"", ["list": ["&", "\"", "<", ">"]],
            "\"(&amp;)(&quot;)(&lt;)(&gt;)\""),
        .init(
            "the triple iterator does not", "\"{{#list}}({{{.}}}){{/list}}\"", ["list": ["&", "\"", "<", ">"]],
            "\"(&)(\")(<)(>)\""),
        .init(
            "the ampersand iterator neither", "\"{{#list}}({{&.}}){{/list}}\"", ["list": ["&", "\"", "<", ">"]],
            "\"(&)(\")(<)(>)\""),
        .init("a list at the root", "\"{{#.}}({{value}}){{/.}}\"", [["value": "a"], ["value": "b"]], "\"(a)(b)\""),
        .init(
            "dotted true", "\"{{#a.b.c}}Here{{/a.b.c}}\" == \"Here\"", ["a": ["b": ["c": true]]], "\"Here\" == \"Here\""
        ),
        .init("dotted false", "\"{{#a.b.c}}Here{{/a.b.c}}\" == \"\"", ["a": ["b": ["c": false]]], "\"\" == \"\""),
        .init("a broken chain is false", "\"{{#a.b.c}}Here{{/a.b.c}}\" == \"\"", ["a": [:]], "\"\" == \"\""),
        .init("whitespace around", " | {{#boolean}}\t|\t{{/boolean}} | \n", ["boolean": true], " | \t|\t | \n"),
        .init(
            "whitespace inside", " | {{#boolean}} {{! Important Whitespace }}\n {{/boolean}} | \n", ["boolean": true],
            " |  \n  | \n"),
        .init(
            "indented inline", " {{#boolean}}YES{{/boolean}}\n {{#boolean}}GOOD{{/boolean}}\n", ["boolean": true],
            " YES\n GOOD\n"),
        .init(
            "alone on a line", "| This Is\n{{#boolean}}\n|\n{{/boolean}}\n| A Line\n", ["boolean": true],
            "| This Is\n|\n| A Line\n"),
        .init(
            "indented alone", "| This Is\n  {{#boolean}}\n|\n  {{/boolean}}\n| A Line\n", ["boolean": true],
            "| This Is\n|\n| A Line\n"),
        .init("CRLF", "|\r\n{{#boolean}}\r\n{{/boolean}}\r\n|", ["boolean": true], "|\r\n|"),
        .init("without a line before", "  {{#boolean}}\n#{{/boolean}}\n/", ["boolean": true], "#\n/"),
        .init("without a newline after", "#{{#boolean}}\n/\n  {{/boolean}}", ["boolean": true], "#\n/\n"),
        .init("padding", "|{{# boolean }}={{/ boolean }}|", ["boolean": true], "|=|"),
        .init("an empty text hides", "[{{#text}}{{.}}{{/text}}{{^text}}none{{/text}}]", ["text": ""], "[none]"),
        .init("zero is a value", "[{{#number}}{{.}}{{/number}}]", ["number": 0], "[0]"),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
