import Testing

@testable import Roost

@Suite("The page about security", .timeLimit(.minutes(5)))
struct SecurityPageTests {
    /// The rows of its tables of threats: what stands in backticks after the last bar of each.
    private static let rows = Readme.contents("docs/security.md").split(separator: "\n")
        .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| threat") && !$0.hasPrefix("| ---") }
        .map { row in
            let cell = String(row.split(separator: "|").last ?? "")
            return (row: row, tests: cell.components(between: "`", and: "`"))
        }

    private static let tests = Sources.paths(below: "Tests").map(Readme.contents).joined()

    @Test func `each of its threats names tests, and they exist`() {
        #expect(Self.rows.count > 40)
        for (row, tests) in Self.rows {
            #expect(!tests.isEmpty, "\(row)")
            for test in tests { #expect(Self.tests.contains("func `\(test)`("), "\(test)") }
        }
    }

    /// Those that are constants here; the others are in the modules' own tests.
    @Test func `the limits of the page about requests are those of the sources`() {
        let page = Readme.contents("docs/requests.md")
        let limits: [(row: String, value: Int)] = [
            ("| parameters in a path, with those of its groups | at most ", PathCaptures.maximum),
            ("| depth of arrays and objects in JSON | ", JSONCoder().maximumDepth),
            ("| members of a JSON object, values in all | ", JSONCoder().maximumMembers),
            ("| fields of a form | ", Form.maximumFields),
            ("| parts of a form with files, their fields, a file's name | ", MultipartLimits().maximumParts),
            ("| a template: open sections, partials in each other, bytes | ", TemplateLimits().nesting),
        ]
        for (row, value) in limits {
            let number = page.components(between: row, and: "\n").first?.filter { $0 != "," }.prefix { $0.isNumber }
            #expect(number.map(String.init) == String(value), "\(row)")
        }
    }
}
