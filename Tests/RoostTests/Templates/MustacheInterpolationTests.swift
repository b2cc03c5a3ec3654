import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache interpolation` {
    static let cases: [MustacheCase] = [
        .init("text is left alone", "Hello from {Mustache}!\n", [:], "Hello from {Mustache}!\n"),
        .init("a value", "Hello, {{subject}}!\n", ["subject": "world"], "Hello, world!\n"),
        .init(
            "a value is not read again", "{{template}}: {{planet}}", ["template": "{{planet}}", "planet": "Earth"],
            "{{planet}}: Earth"),
        .init("escaping", "These: {{forbidden}}\n", ["forbidden": "& \" < >"], "These: &amp; &quot; &lt; &gt;\n"),
        .init("triple mustache", "These: {{{forbidden}}}\n", ["forbidden": "& \" < >"], "These: & \" < >\n"),
        .init("ampersand", "These: {{&forbidden}}\n", ["forbidden": "& \" < >"], "These: & \" < >\n"),
        .init("an integer", "\"{{mph}} miles an hour!\"", ["mph": 85], "\"85 miles an hour!\""),
        .init("an integer, triple", "\"{{{mph}}} miles an hour!\"", ["mph": 85], "\"85 miles an hour!\""),
        .init("an integer, ampersand", "\"{{&mph}} miles an hour!\"", ["mph": 85], "\"85 miles an hour!\""),
        .init("a decimal", "\"{{power}} jiggawatts!\"", ["power": 1.21], "\"1.21 jiggawatts!\""),
        .init("a decimal, triple", "\"{{{power}}} jiggawatts!\"", ["power": 1.21], "\"1.21 jiggawatts!\""),
        .init("a decimal, ampersand", "\"{{&power}} jiggawatts!\"", ["power": 1.21], "\"1.21 jiggawatts!\""),
        .init("a nil", "I ({{cannot}}) be seen!", ["cannot": nil], "I () be seen!"),
        .init("a nil, triple", "I ({{{cannot}}}) be seen!", ["cannot": nil], "I () be seen!"),
        .init("a nil, ampersand", "I ({{&cannot}}) be seen!", ["cannot": nil], "I () be seen!"),
        .init("a miss", "I ({{cannot}}) be seen!", [:], "I () be seen!"),
        .init("a miss, triple", "I ({{{cannot}}}) be seen!", [:], "I () be seen!"),
        .init("a miss, ampersand", "I ({{&cannot}}) be seen!", [:], "I () be seen!"),
        .init(
            "dotted names", "\"{{person.name}}\" == \"{{#person}}{{name}}{{/person}}\"", ["person": ["name": "Joe"]],
            "\"Joe\" == \"Joe\""),
        .init(
            "dotted, triple", "\"{{{person.name}}}\" == \"{{#person}}{{{name}}}{{/person}}\"",
            ["person": ["name": "Joe"]], "\"Joe\" == \"Joe\""),
        .init(
            "dotted, ampersand", "\"{{&person.name}}\" == \"{{#person}}{{&name}}{{/person}}\"",
            ["person": ["name": "Joe"]], "\"Joe\" == \"Joe\""),
        .init(
            "dotted names of any depth", "\"{{a.b.c.d.e.name}}\" == \"Phil\"",
            ["a": ["b": ["c": ["d": ["e": ["name": "Phil"]]]]]], "\"Phil\" == \"Phil\""),
        .init("a broken chain", "\"{{a.b.c}}\" == \"\"", ["a": [:]], "\"\" == \"\""),
        .init(
            "a broken chain finds nothing outside", "\"{{a.b.c.name}}\" == \"\"",
            ["a": ["b": [:]], "c": ["name": "Jim"]], "\"\" == \"\""),
        .init(
            "the first part is looked up in the context", "\"{{#a}}{{b.c.d.e.name}}{{/a}}\" == \"Phil\"",
            ["a": ["b": ["c": ["d": ["e": ["name": "Phil"]]]]], "b": ["c": ["d": ["e": ["name": "Wrong"]]]]],
            "\"Phil\" == \"Phil\""),
        .init("the first part is looked up once", "{{#a}}{{b.c}}{{/a}}", ["a": ["b": [:]], "b": ["c": "ERROR"]], ""),
        .init("names are not single keys", "{{a.b}}", ["a.b": "c"], ""),
        .init("a single key does not win", "{{a.b}}", ["a.b": "c", "a": ["b": "d"]], "d"),
        .init("a single key does not mask", "{{#a}}{{b.c}}{{/a}}", ["a": ["b.c": "x"], "b": ["c": "d"]], "d"),
        .init("the implicit iterator", "Hello, {{.}}!\n", "world", "Hello, world!\n"),
        .init("escaped", "These: {{.}}\n", "& \" < >", "These: &amp; &quot; &lt; &gt;\n"),
        .init("triple", "These: {{{.}}}\n", "& \" < >", "These: & \" < >\n"),
        .init("ampersand on the iterator", "These: {{&.}}\n", "& \" < >", "These: & \" < >\n"),
        .init("an integer as iterator", "\"{{.}} miles\"", 85, "\"85 miles\""),
        .init("whitespace around", "| {{string}} |", ["string": "---"], "| --- |"),
        .init("whitespace around, triple", "| {{{string}}} |", ["string": "---"], "| --- |"),
        .init("whitespace around, ampersand", "| {{&string}} |", ["string": "---"], "| --- |"),
        .init("a value is never alone on its line", "  {{string}}\n", ["string": "---"], "  ---\n"),
        .init("nor a triple", "  {{{string}}}\n", ["string": "---"], "  ---\n"),
        .init("nor an ampersand", "  {{&string}}\n", ["string": "---"], "  ---\n"),
        .init("padding", "|{{ string }}|", ["string": "---"], "|---|"),
        .init("padding, triple", "|{{{ string }}}|", ["string": "---"], "|---|"),
        .init("padding, ampersand", "|{{& string }}|", ["string": "---"], "|---|"),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
