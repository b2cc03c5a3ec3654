import Testing

@testable import Roost

/// The table of the specification's modules: how many cases each has here, and how many pass.
@Suite(.timeLimit(.minutes(5)))
struct `Mustache specification` {
    private static let modules: [(name: String, cases: [MustacheCase])] = [
        ("comments", `Mustache comments`.cases),
        ("delimiters", `Mustache delimiters`.cases),
        ("interpolation", `Mustache interpolation`.cases),
        ("inverted", `Mustache inverted sections`.cases),
        ("partials", `Mustache partials`.cases),
        ("sections", `Mustache sections`.cases),
        ("~dynamic-names", `Mustache dynamic names`.cases),
        ("~inheritance", `Mustache inheritance`.cases),
    ]

    @Test func `every case of every module passes in both forms`() {
        var table = "| module | cases | passed |\n| --- | ---: | ---: |\n"
        for (name, cases) in Self.modules {
            let passed = cases.count { (try? $0.encoded()) == $0.expected && (try? $0.written()) == $0.expected }
            table += "| \(name) | \(cases.count) | \(passed) |\n"
            #expect(passed == cases.count, "\(name)")
        }
        print(table)
    }
}
