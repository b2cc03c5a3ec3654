import Testing

/// All pages of the manual.
@Suite(.timeLimit(.minutes(5)))
struct `The pages of the manual` {
    /// Their names, as the front page links to them.
    static let names = Readme.contents("docs/README.md").components(between: "](", and: ".md)")
        .filter { !$0.contains("/") }

    @Test func `no migration for both engines is in SQLite's words`() {
        #expect(Self.names.count > 30)
        for name in Self.names {
            let blocks = Readme.contents("docs/\(name).md").components(between: "```swift\n", and: "```")
            for block in blocks where block.contains("INTEGER PRIMARY KEY") {
                #expect(block.contains("sqlite:"), "docs/\(name).md")
            }
        }
    }

    @Test(arguments: [
        ("application", "| argument of `Application`", "Application", "    public init(\n"),
        ("api", "| argument of `describe`", "Description/DeclaredRoute", "    public func describe(\n"),
    ])
    func `a table of arguments has all of them, in their order`(
        page: String, head: String, source: String, start: String
    ) throws {
        let lines = Readme.contents("docs/\(page).md").split(separator: "\n")
        let table = try lines.suffix(from: #require(lines.firstIndex { $0.hasPrefix(head) })).dropFirst(2)
        let told = table.prefix { $0.hasPrefix("| `") }.compactMap { $0.dropFirst(3).split(separator: ":").first }
        let declared = try #require(
            Readme.contents("Sources/Roost/\(source).swift").components(between: start, and: "\n    )").first)
        let names = declared.split(separator: "\n").compactMap { $0.split { " :".contains($0) }.first }
        #expect(told.count > 5 && told == names.filter { $0 != "_" })
    }

    /// Otherwise the first request would start the site again.
    @Test func `the site is stopped and started together with its socket`() {
        for name in Self.names {
            for line in Readme.contents("docs/\(name).md").split(separator: "\n")
            where line.contains("systemctl stop") || line.contains("systemctl start") {
                #expect(
                    !line.contains(" roost") || line.contains("roost.socket roost.service"), "docs/\(name).md: \(line)")
            }
        }
    }
}
