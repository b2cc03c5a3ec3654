import Testing

@testable import Roost

@Suite("The beginning of a text", .timeLimit(.minutes(5)))
struct TextPrefixTests {
    @Test(arguments: ["", "abc", "äöü", "e\u{301}e\u{301}", "👩‍👩‍👧", "🇩🇪🇫🇷", "a\r\nb", "a\0b", "日本語"])
    func `a text is cut behind a whole scalar value`(text: String) {
        for limit in -1...text.utf8.count + 1 {
            var expected: [UInt8] = []
            for scalar in text.unicodeScalars {
                let bytes = Array(String(scalar).utf8)
                guard expected.count + bytes.count <= limit else { break }
                expected += bytes
            }
            #expect(Array(text.prefix(bytes: limit).utf8) == expected, "\(limit)")
        }
    }
}
