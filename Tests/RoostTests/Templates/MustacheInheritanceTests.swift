import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache inheritance` {
    static let cases: [MustacheCase] = [
        .init("default content", "{{$title}}Default title{{/title}}\n", [:], "Default title\n"),
        .init("with a value", "{{$foo}}default {{bar}} content{{/foo}}\n", ["bar": "baz"], "default baz content\n"),
        .init(
            "with a triple", "{{$foo}}default {{{bar}}} content{{/foo}}\n", ["bar": "<baz>"],
            "default <baz> content\n"),
        .init(
            "with a section", "{{$foo}}default {{#bar}}{{baz}}{{/bar}} content{{/foo}}\n", ["bar": ["baz": "qux"]],
            "default qux content\n"),
        .init(
            "with an inverted section", "{{$foo}}default {{^bar}}{{baz}}{{/bar}} content{{/foo}}\n", ["baz": "three"],
            "default three content\n"),
        .init(
            "values are not read again", "{{$foo}}default {{#bar}}{{baz}}{{/bar}} content{{/foo}}\n",
            ["bar": ["baz": "{{qux}}"]], "default {{qux}} content\n"),
        .init(
            "default content of a parent", "{{<include}}{{/include}}\n", [:], "default content",
            partials: ["include": "{{$foo}}default content{{/foo}}"]),
        .init(
            "overridden", "{{<super}}{{$title}}sub template title{{/title}}{{/super}}", [:], "...sub template title...",
            partials: ["super": "...{{$title}}Default title{{/title}}..."]),
        .init(
            "data does not override", "{{<include}}{{$var}}var in template{{/var}}{{/include}}", ["var": "var in data"],
            "var in template", partials: ["include": "{{$var}}var in include{{/var}}"]),
        .init(
            "nor the default", "{{<include}}{{/include}}", ["var": "var in data"], "var in include",
            partials: ["include": "{{$var}}var in include{{/var}}"]),
        .init(
            "behind text", "test {{<parent}}{{$stuff}}override{{/stuff}}{{/parent}}", [:], "test override",
            partials: ["parent": "{{$stuff}}...{{/stuff}}"]),
        .init(
            "two parents",
            "test {{<parent}}{{$stuff}}override1{{/stuff}}{{/parent}} "
                + "{{<parent}}{{$stuff}}override2{{/stuff}}{{/parent}}\n",
            [:], "test |override1 default| |override2 default|\n",
            partials: ["parent": "|{{$stuff}}...{{/stuff}}{{$default}} default{{/default}}|"]),
        .init(
            "newlines", "{{<parent}}{{$ballmer}}\npeaked\n\n:(\n{{/ballmer}}{{/parent}}", [:], "peaked\n\n:(\n",
            partials: ["parent": "{{$ballmer}}peaking{{/ballmer}}"]),
        .init(
            "the block's indentation", "{{<parent}}{{$nineties}}hammer time{{/nineties}}{{/parent}}", [:],
            "stop:\n  hammer time\n",
            partials: ["parent": "stop:\n  {{$nineties}}collaborate and listen{{/nineties}}\n"]),
        .init(
            "one of two", "{{<parent}}{{$stuff2}}override two{{/stuff2}}{{/parent}}", [:],
            "new default one, override two",
            partials: ["parent": "{{$stuff}}new default one{{/stuff}}, {{$stuff2}}new default two{{/stuff2}}"]),
        .init(
            "a parent is a partial", "{{>parent}}|{{<parent}}{{/parent}}", [:], "default content|default content",
            partials: ["parent": "{{$foo}}default content{{/foo}}"]),
        .init(
            "recursion", "{{<parent}}{{$foo}}override{{/foo}}{{/parent}}", [:],
            "override override override don't recurse",
            partials: [
                "parent": "{{$foo}}default content{{/foo}} {{$bar}}{{<parent2}}{{/parent2}}{{/bar}}",
                "parent2":
                    "{{$foo}}parent2 default content{{/foo}} {{<parent}}{{$bar}}don't recurse{{/bar}}{{/parent}}",
            ]),
        .init(
            "the lowest level wins", "{{<parent}}{{$a}}c{{/a}}{{/parent}}", [:], "c",
            partials: [
                "parent": "{{<older}}{{$a}}p{{/a}}{{/older}}", "older": "{{<grandParent}}{{$a}}o{{/a}}{{/grandParent}}",
                "grandParent": "{{$a}}g{{/a}}",
            ]),
        .init(
            "the middle one is next", "{{<parent}}{{/parent}}", [:], "p",
            partials: [
                "parent": "{{<older}}{{$a}}p{{/a}}{{/older}}", "older": "{{<grandParent}}{{$a}}o{{/a}}{{/grandParent}}",
                "grandParent": "{{$a}}g{{/a}}",
            ]),
        .init(
            "text around blocks", "{{<parent}} asdfasd {{$foo}}hmm{{/foo}} asdfasdfasdf {{/parent}}", [:], "hmm",
            partials: ["parent": "{{$foo}}default content{{/foo}}"]),
        .init(
            "text alone", "{{<parent}} asdfasd asdfasdfasdf {{/parent}}", [:], "default content",
            partials: ["parent": "{{$foo}}default content{{/foo}}"]),
        .init(
            "the parent's context", "{{<parent}}{{$block}}I say {{fruit}}.{{/block}}{{/parent}}",
            ["fruit": "apples", "nested": ["fruit": "bananas"]], "I say bananas.",
            partials: ["parent": "{{#nested}}{{$block}}You say {{fruit}}.{{/block}}{{/nested}}"]),
        .init(
            "a parent alone on its line", "Hi,\n  {{<parent}}{{/parent}}\n", [:], "Hi,\n  one\n  two\n",
            partials: ["parent": "one\ntwo\n"]),
        .init(
            "a block alone on its line", "{{<parent}}{{$block}}\none\ntwo{{/block}}\n{{/parent}}\n", [:],
            "Hi,\n  one\n  two\n", partials: ["parent": "Hi,\n  {{$block}}{{/block}}\n"]),
        .init(
            "content is reindented", "{{<parent}}{{$block}}\n    one\n    two\n{{/block}}{{/parent}}\n", [:],
            "Hi,\n  one\n  two\n", partials: ["parent": "Hi,\n  {{$block}}\n  {{/block}}\n"]),
        .init(
            "like the default content", "{{<parent}}{{$block}}\none\ntwo\n{{/block}}{{/parent}}\n", [:],
            "Hi,\n  one\n  two\n", partials: ["parent": "Hi,\n{{$block}}\n  default\n{{/block}}\n"]),
        .init(
            "within the block around it", "{{<parent}}{{$nested}}\nthree\n{{/nested}}{{/parent}}\n", [:],
            "one\n  three\n",
            partials: [
                "parent":
                    "{{<grandparent}}{{$block}}\n  one\n"
                    + "  {{$nested}}\n    two\n  {{/nested}}\n{{/block}}{{/grandparent}}\n",
                "grandparent": "{{$block}}default{{/block}}",
            ]),
        .init(
            "a block in its own content", "{{<p}}{{$a}}[{{$a}}x{{/a}}]{{/a}}{{/p}}", [:], "([x])",
            partials: ["p": "({{$a}}y{{/a}})"]),
        .init(
            "parents in content do not see it", "{{<p}}{{$a}}[{{<q}}{{/q}}]{{/a}}{{/p}}", [:], "([q])",
            partials: ["p": "({{$a}}y{{/a}})", "q": "{{$a}}q{{/a}}"]),
        .init(
            "partials see it", "{{<p}}{{$a}}x{{/a}}{{/p}}", [:], "(x)",
            partials: ["p": "({{>q}})", "q": "{{$a}}q{{/a}}"]),
        .init(
            "a parent over many lines",
            "{{<p}}\n  {{$a}}\n    <p>{{x}}</p>\n    <i>\n      y\n    </i>\n  {{/a}}\n{{/p}}\n", ["x": "1\n2"],
            "<body>\n  <p>1\n2</p>\n  <i>\n    y\n  </i>\n</body>\n",
            partials: ["p": "<body>\n  {{$a}}\n  {{/a}}\n</body>\n"]),
        .init(
            "one line into many", "{{<p}}{{$a}}x{{/a}}{{/p}}", [:], "<b>\n  x\n</b>\n",
            partials: ["p": "<b>\n  {{$a}}\n    default\n  {{/a}}\n</b>\n"].mapValues {
                $0.replacing("    default", with: "  default")
            }),
        .init(
            "nothing leaves nothing", "{{<p}}{{$a}}{{/a}}{{/p}}", [:], "<b>\n</b>\n",
            partials: ["p": "<b>\n  {{$a}}\n  default\n  {{/a}}\n</b>\n"]),
        .init(
            "a section in content", "{{<p}}{{$a}}\n  {{#l}}\n  - {{.}}\n  {{/l}}\n{{/a}}{{/p}}", ["l": [1, 2]],
            "<b>\n    - 1\n    - 2\n</b>\n", partials: ["p": "<b>\n    {{$a}}{{/a}}\n</b>\n"]),
        .init(
            "CRLF", "{{<p}}{{$a}}\r\n  one\r\n  two{{/a}}{{/p}}\r\n", [:], "<b>\r\n  one\r\n  two\r\n</b>\r\n",
            partials: ["p": "<b>\r\n  {{$a}}{{/a}}\r\n</b>\r\n"]),
        .init(
            "a partial at its beginning", "{{<p}}{{$a}}\n{{>q}}\nnext\n{{/a}}{{/p}}", [:],
            "<b>\n  1\n  2\n  next\n</b>\n", partials: ["p": "<b>\n  {{$a}}{{/a}}\n</b>\n", "q": "1\n2\n"]),
        .init(
            "an indented partial in it", "{{<p}}{{$a}}\nx\n  {{>q}}\n{{/a}}{{/p}}", [:],
            "<b>\n  x\n    1\n    2\n</b>\n", partials: ["p": "<b>\n  {{$a}}{{/a}}\n</b>\n", "q": "1\n2\n"]),
        .init(
            "an empty partial at its beginning", "{{<p}}{{$a}}\n{{>q}}\nnext\n{{/a}}{{/p}}\n", [:],
            "<b>\n  next\n</b>\n", partials: ["p": "<b>\n  {{$a}}{{/a}}\n</b>\n", "q": "{{! nothing }}\n"]),
        .init(
            "a parent at its beginning", "{{<p}}{{$a}}\n{{<q}}{{$b}}1{{/b}}{{/q}}\n{{/a}}{{/p}}\n", [:],
            "<b>\n  <i>\n    1\n  </i>\n</b>\n",
            partials: ["p": "<b>\n  {{$a}}{{/a}}\n</b>\n", "q": "<i>\n  {{$b}}{{/b}}\n</i>\n"]),
        .init(
            "within an attribute", "{{<p}}{{$a}}x{{/a}}{{/p}}", [:], "  <p class=\"x\">\n",
            partials: ["p": "  <p class=\"{{$a}}y{{/a}}\">\n"]),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
