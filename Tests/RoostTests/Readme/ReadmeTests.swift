import Glibc
import Testing

@testable import Roost

@Suite("The README tells the truth", .timeLimit(.minutes(5)))
struct ReadmeTests {
    @Test func `it is as short as a README should be`() {
        #expect((150...230).contains(Readme.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1))
    }

    @Test(arguments: Readme.blocks("swift"))
    func `each snippet is compiled`(snippet: String) {
        let sources = (Self.programs + ["Tests/RoostTests/Readme/ReadmeApp.swift"]).map(Readme.contents)
        let lines = Self.lines(snippet)
        #expect(!lines.isEmpty)
        #expect(Self.parts(lines).allSatisfy { part in sources.contains { Self.contains(Self.lines($0), part) } })
    }

    private static let programs = ["Tests/Hello/Hello.swift", "Tests/UserSite/UserSite.swift"]

    @Test func `its first program is the whole of a file`() {
        #expect(Readme.blocks("swift").first == Readme.contents(Self.programs[0]))
    }

    /// So a reader who copies the three snippets has a program that runs.
    @Test func `the snippets of its app are the whole of a file, and its template is one`() {
        let snippets = Readme.blocks("swift").dropFirst().prefix(3)
        #expect(snippets.joined(separator: "\n") == Readme.contents(Self.programs[1]))
        #expect(Readme.blocks("mustache") == [Readme.contents("Tests/UserSite/Templates/users/index.mustache")])
    }

    @Test func `each link leads to something`() {
        for link in Readme.text.components(between: "](", and: ")") where !link.hasPrefix("http") {
            #expect(access(Readme.root + "/" + link, F_OK) == 0, "\(link)")
        }
    }

    @Test func `the variables of the example are those of the table, and the limits`() {
        let named = Self.variables.flatMap(\.names)
        let limits = ServerConfiguration.settings.map(\.name)
        #expect(Set(named).union(limits) == Set(Readme.exampleVariables.keys))
    }

    @Test func `the defaults of the table are those of the example`() {
        let example = Readme.exampleVariables
        for (names, defaults) in Self.variables {
            for (name, value) in zip(names, defaults) { #expect(example[name] == value, "\(name)") }
        }
        #expect(Self.variables.flatMap(\.defaults).count > 5)
    }

    /// The rows of the table: names, and their defaults as far as they are given.
    private static var variables: [(names: [String], defaults: [String])] {
        let page = Readme.contents("docs/configuration.md")
        let table = page.components(between: "| variable |", and: "\n\n").first ?? ""
        return table.split(separator: "\n").dropFirst(2).map { row in
            let cells = row.split(separator: "|").map { String($0).components(between: "`", and: "`") }
            return (cells[0], cells[1])
        }
    }

    @Test(arguments: ["scripts/run", "scripts/test"])
    func `each script is executable`(path: String) {
        #expect(Readme.text.contains(path))
        #expect(access(Readme.root + "/" + path, X_OK) == 0)
    }

    /// Declarations that are apart in a snippet may be apart in the source.
    private static func parts(_ lines: [String]) -> [[String]] {
        var parts: [[String]] = [[]]
        for line in lines {
            if !line.hasPrefix(" "), !line.hasPrefix("}"), let last = parts.last?.last, last == "}" { parts.append([]) }
            parts[parts.count - 1].append(line)
        }
        return parts
    }

    /// Without blank lines, and without the indentation that all lines share.
    private static func lines(_ text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
        return lines
    }

    private static func contains(_ source: [String], _ part: [String]) -> Bool {
        guard let first = part.first else { return false }
        let trimmed = { (line: String) in String(line.drop { $0 == " " }) }
        return source.indices.contains { start in
            trimmed(source[start]) == trimmed(first)
                && source[start...].prefix(part.count).map(trimmed) == part.map(trimmed)
        }
    }
}
