import Testing

@testable import Roost

/// The script of live pages as it is served; what it does is tested in a browser.
@Suite("The size of the script of live pages", .timeLimit(.minutes(5)))
struct LiveScriptSizeTests {
    @Test func `it takes at most 6 KB, compressed`() throws {
        let output = ByteBuffer()
        let gzip = try Gzip(size: LiveScript.text.utf8.count, level: 9)
        var text = LiveScript.text
        text.withUTF8 { gzip.write($0, followedBy: .end, to: output) }
        #expect(output.count <= 6 * 1024)
    }

    @Test func `it has no comments, and nothing that a content security policy forbids`() {
        #expect(!LiveScript.text.contains(" // "))
        #expect(!LiveScript.text.contains("eval"))
        #expect(!LiveScript.text.contains("Function("))
        #expect(!LiveScript.text.contains(".style"))
        #expect(LiveScript.text.hasPrefix("\"use strict\";(() => {"))
    }

    /// It is served as another word, wherever it stands.
    @Test func `const is a word of its own`() {
        let parts = Array(LiveScript.source.utf8).split(separator: Array("const".utf8))
        #expect(parts.count > 1)
        for (before, behind) in zip(parts, parts.dropFirst()) {
            #expect([UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: "\n")].contains(before.last))
            #expect(behind.first == UInt8(ascii: " "))
        }
    }

    @Test func `its texts are served as they are written`() {
        #expect(LiveScript.text.contains("\"{n} changes.\""))
    }
}
