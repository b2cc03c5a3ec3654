import Testing

@testable import Roost

/// Numbers that are the same in each run (splitmix64).
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }
}

/// Any template renders or is refused; it never stops the program.
@Suite(.timeLimit(.minutes(5)))
struct `Random templates` {
    static let pieces = [
        "{{a}}", "{{{b}}}", "{{&c}}", "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}", "{{#c}}", "{{/c}}", "{{>p}}", "{{>q}}",
        "{{<p}}", "{{/p}}", "{{$x}}", "{{/x}}", "{{>*d}}", "{{!c}}", "{{=| |=}}", "|a|", "|={{ }}=|", "{{.}}", "\n",
        "\n",
        "\r\n", "  ", "\t", "text", "é", "{{", "}}", "{", "}", "{{#.}}", "{{/.}}", "{{<q}}", "{{/q}}", "{{a.b}}", "",
    ]

    static let data: Sample = ["a": [1, 2, "x"], "b": ["b": "<&>"], "c": nil, "d": "p"]

    private func template(_ dice: inout Dice) -> String {
        (0..<Int.random(in: 1...14, using: &dice)).map { _ in Self.pieces.randomElement(using: &dice) ?? "" }.joined()
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `they render or are refused`(_ seed: UInt64) throws {
        var dice = Dice(state: seed)
        var limits = TemplateLimits()
        (limits.steps, limits.output, limits.partials) = (2000, 5000, 8)
        for _ in 0..<300 {
            let sources = ["main": template(&dice), "p": template(&dice), "q": template(&dice)]
            guard let templates = try? Templates(sources: sources, missingNames: .empty, limits: limits) else {
                continue
            }
            for name in templates.names {
                let encoded = try? templates.render(name, Self.data)
                let written = try? templates.render(name, SampleData(sample: Self.data))
                #expect(encoded == written)
            }
        }
    }
}
