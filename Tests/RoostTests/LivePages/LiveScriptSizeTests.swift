import HTTPTypes
import RoostTesting
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

    @Test(.quietLog) func `a page of another version of the program gets the script, too, but does not keep it`()
        async throws
    {
        let site = LivePagesTests()
        let client = try site.client { routes in
            site.birds(routes)
            routes.live(LivePagesTests.all, on: site.topic)
        }
        let page = try await client.get("/birds").text
        let path = try #require(page.split(separator: "\"").first { $0.hasPrefix("/_live/live-") }.map(String.init))
        let own = try await client.get(path)
        let other = try await client.get("/_live/live-0123456789abcdef.js")
        #expect(own.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(other.headers[.cacheControl] == "no-cache")
        for response in [own, other] {
            #expect(response.status == .ok && response.text == LiveScript.text)
            #expect(response.headers[.contentType] == "text/javascript; charset=utf-8")
        }
        for name in ["live-0123456789abcde.js", "live-0123456789ABCDEF.js", "live-.js", "live-0123456789abcdef0.js"] {
            #expect(try await client.get("/_live/\(name)").status == .notFound)
        }
    }

    @Test func `its texts are served as they are written`() {
        #expect(LiveScript.text.contains("\"{n} changes.\""))
    }
}
