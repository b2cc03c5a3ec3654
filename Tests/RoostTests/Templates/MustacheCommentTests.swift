import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Mustache comments` {
    static let cases: [MustacheCase] = [
        .init("inline comments are removed", "12345{{! Comment Block! }}67890", [:], "1234567890"),
        .init("comments may have many lines", "12345{{!\n  This is a\n  comment...\n}}67890", [:], "1234567890"),
        .init("a comment alone removes its line", "Begin.\n{{! Comment Block! }}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("so does an indented one", "Begin.\n  {{! Indented }}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("CRLF ends its line", "|\r\n{{! Standalone }}\r\n|", [:], "|\r\n|"),
        .init("it needs no line before it", "  {{! I'm Still Standalone }}\n!", [:], "!"),
        .init("it needs no newline after it", "!\n  {{! I'm Still Standalone }}", [:], "!\n"),
        .init("many lines alone", "Begin.\n{{!\nSomething's going on here...\n}}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("indented many lines", "Begin.\n  {{!\n    Going on...\n  }}\nEnd.\n", [:], "Begin.\nEnd.\n"),
        .init("indented inline", "  12 {{! 34 }}\n", [:], "  12 \n"),
        .init("whitespace around stays", "12345 {{! Comment Block! }} 67890", [:], "12345  67890"),
        .init(
            "a comment is no variable", "comments never show: >{{! comment }}<",
            ["! comment": 1, "! comment ": 2, "!comment": 3, "comment": 4], "comments never show: ><"),
    ]

    @Test(arguments: cases)
    func `an Encodable page`(_ one: MustacheCase) throws { #expect(try one.encoded() == one.expected) }

    @Test(arguments: cases)
    func `a page that writes itself`(_ one: MustacheCase) throws { #expect(try one.written() == one.expected) }
}
