import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache delimiters` {
    static let cases: [MustacheCase] = [
        .init("a pair", "{{=<% %>=}}(<%text%>)", ["text": "Hey!"], "(Hey!)"),
        .init("special characters", "({{=[ ]=}}[text])", ["text": "It worked!"], "(It worked!)"),
        .init(
            "they hold inside sections",
            "[\n{{#section}}\n  {{data}}\n  |data|\n{{/section}}\n\n"
                + "{{= | | =}}\n|#section|\n  {{data}}\n  |data|\n|/section|\n]\n",
            ["section": true, "data": "I got interpolated."],
            "[\n  I got interpolated.\n  |data|\n\n  {{data}}\n  I got interpolated.\n]\n"),
        .init(
            "and inverted sections",
            "[\n{{^section}}\n  {{data}}\n  |data|\n{{/section}}\n\n"
                + "{{= | | =}}\n|^section|\n  {{data}}\n  |data|\n|/section|\n]\n",
            ["section": false, "data": "I got interpolated."],
            "[\n  I got interpolated.\n  |data|\n\n  {{data}}\n  I got interpolated.\n]\n"),
        .init(
            "partials do not inherit them", "[ {{>include}} ]\n{{= | | =}}\n[ |>include| ]\n", ["value": "yes"],
            "[ .yes. ]\n[ .yes. ]\n", partials: ["include": ".{{value}}."]),
        .init(
            "nor leak them", "[ {{>include}} ]\n[ .{{value}}.  .|value|. ]\n", ["value": "yes"],
            "[ .yes.  .yes. ]\n[ .yes.  .|value|. ]\n", partials: ["include": ".{{value}}. {{= | | =}} .|value|."]),
        .init("whitespace around stays", "| {{=@ @=}} |", [:], "|  |"),
        .init("outlying whitespace on a line", " | {{=@ @=}}\n", [:], " | \n"),
        .init("alone on its line", "Begin.\n{{=@ @=}}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("indented alone", "Begin.\n  {{=@ @=}}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("CRLF", "|\r\n{{= @ @ =}}\r\n|", [:], "|\r\n|"),
        .init("without a line before", "  {{=@ @=}}\n=", [:], "="),
        .init("without a newline after", "=\n  {{=@ @=}}", [:], "=\n"),
        .init("padding inside the tag", "|{{= @   @ =}}|", [:], "||"),
        .init("triple braces need the standard ones", "{{=<% %>=}}<%{text}%><%& text %>", ["text": "<"], "<<"),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
