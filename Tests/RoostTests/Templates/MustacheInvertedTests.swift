import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache inverted sections` {
    static let cases: [MustacheCase] = [
        .init(
            "false shows", "\"{{^boolean}}This should be rendered.{{/boolean}}\"", ["boolean": false],
            "\"This should be rendered.\""),
        .init("true hides", "\"{{^boolean}}This should not.{{/boolean}}\"", ["boolean": true], "\"\""),
        .init("nil shows", "\"{{^null}}This should.{{/null}}\"", ["null": nil], "\"This should.\""),
        .init("an object hides", "\"{{^context}}Hi {{name}}.{{/context}}\"", ["context": ["name": "Joe"]], "\"\""),
        .init("a list hides", "\"{{^list}}{{n}}{{/list}}\"", ["list": [["n": 1], ["n": 2]]], "\"\""),
        .init("an empty list shows", "\"{{^list}}Yay lists!{{/list}}\"", ["list": []], "\"Yay lists!\""),
        .init(
            "many of the same", "{{^bool}}\n* first\n{{/bool}}\n* {{two}}\n{{^bool}}\n* third\n{{/bool}}\n",
            ["bool": false, "two": "second"], "* first\n* second\n* third\n"),
        .init("nested, false", "| A {{^bool}}B {{^bool}}C{{/bool}} D{{/bool}} E |", ["bool": false], "| A B C D E |"),
        .init("nested, true", "| A {{^bool}}B {{^bool}}C{{/bool}} D{{/bool}} E |", ["bool": true], "| A  E |"),
        .init(
            "a miss shows", "[{{^missing}}Cannot find key 'missing'!{{/missing}}]", [:],
            "[Cannot find key 'missing'!]"),
        .init("dotted true", "\"{{^a.b.c}}Not Here{{/a.b.c}}\" == \"\"", ["a": ["b": ["c": true]]], "\"\" == \"\""),
        .init("dotted false", "\"{{^a.b.c}}Not Here{{/a.b.c}}\"", ["a": ["b": ["c": false]]], "\"Not Here\""),
        .init("a broken chain shows", "\"{{^a.b.c}}Not Here{{/a.b.c}}\"", ["a": [:]], "\"Not Here\""),
        .init("whitespace around", " | {{^boolean}}\t|\t{{/boolean}} | \n", ["boolean": false], " | \t|\t | \n"),
        .init(
            "whitespace inside", " | {{^boolean}} {{! Important Whitespace }}\n {{/boolean}} | \n", ["boolean": false],
            " |  \n  | \n"),
        .init(
            "indented inline", " {{^boolean}}NO{{/boolean}}\n {{^boolean}}WAY{{/boolean}}\n", ["boolean": false],
            " NO\n WAY\n"),
        .init(
            "alone on a line", "| This Is\n{{^boolean}}\n|\n{{/boolean}}\n| A Line\n", ["boolean": false],
            "| This Is\n|\n| A Line\n"),
        .init(
            "indented alone", "| This Is\n  {{^boolean}}\n|\n  {{/boolean}}\n| A Line\n", ["boolean": false],
            "| This Is\n|\n| A Line\n"),
        .init("CRLF", "|\r\n{{^boolean}}\r\n{{/boolean}}\r\n|", ["boolean": false], "|\r\n|"),
        .init("without a line before", "  {{^boolean}}\n^{{/boolean}}\n/", ["boolean": false], "^\n/"),
        .init("without a newline after", "^{{^boolean}}\n/\n  {{/boolean}}", ["boolean": false], "^\n/\n"),
        .init("padding", "|{{^ boolean }}={{/ boolean }}|", ["boolean": false], "|=|"),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
