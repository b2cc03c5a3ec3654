import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache partials` {
    static let cases: [MustacheCase] = [
        .init("a partial", "\"{{>text}}\"", [:], "\"from partial\"", partials: ["text": "from partial"]),
        .init("one that does not exist", "\"{{>text}}\"", [:], "\"\""),
        .init(
            "it sees the context", "\"{{>partial}}\"", ["text": "content"], "\"*content*\"",
            partials: ["partial": "*{{text}}*"]),
        .init(
            "recursion", "{{>node}}", ["content": "X", "nodes": [["content": "Y", "nodes": []]]], "X<Y<>>",
            partials: ["node": "{{content}}<{{#nodes}}{{>node}}{{/nodes}}>"]),
        .init(
            "nested", "{{>outer}}", ["a": "hello", "b": "world"], "*hello world!*",
            partials: ["outer": "*{{a}} {{>inner}}*", "inner": "{{b}}!"]),
        .init("whitespace around", "| {{>partial}} |", [:], "| \t|\t |", partials: ["partial": "\t|\t"]),
        .init(
            "inline lines are not indented", "  {{data}}  {{> partial}}\n", ["data": "|"], "  |  >\n>\n",
            partials: ["partial": ">\n>"]),
        .init("CRLF", "|\r\n{{>partial}}\r\n|", [:], "|\r\n>|", partials: ["partial": ">"]),
        .init("without a line before", "  {{>partial}}\n>", [:], "  >\n  >>", partials: ["partial": ">\n>"]),
        .init("without a newline after", ">\n  {{>partial}}", [:], ">\n  >\n  >", partials: ["partial": ">\n>"]),
        .init(
            "values keep their lines", "\\\n {{>partial}}\n/\n", ["content": "<\n->"], "\\\n |\n <\n->\n |\n/\n",
            partials: ["partial": "|\n{{{content}}}\n|\n"]),
        .init("padding", "|{{> partial }}|", ["boolean": true], "|[]|", partials: ["partial": "[]"]),
        .init(
            "indentations add up", "  {{>a}}\n", ["x": "1\n2"], "  a\n    b\n    1\n2\n",
            partials: ["a": "a\n  {{>b}}\n", "b": "b\n{{x}}\n"]),
        .init(
            "inside an indented partial nothing inline is indented", "  {{>a}}\n", [:], "  a b\nb\n",
            partials: ["a": "a {{>b}}\n", "b": "b\nb"]),
        .init(
            "a loop at the start of a line", "  {{>a}}\n", ["l": [1, 2]], "  12.\n  -1\n  -2\n",
            partials: ["a": "{{#l}}{{.}}{{/l}}.\n{{#l}}\n-{{.}}\n{{/l}}\n"]),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
