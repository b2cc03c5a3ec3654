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
