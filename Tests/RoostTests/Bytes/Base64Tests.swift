import Testing

@testable import Roost

@Suite("Base64", .timeLimit(.minutes(5)))
struct Base64Tests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the RFC's examples, in both alphabets and both directions`(text: String, encoded: String) {
        let bytes = Array(text.utf8)
        let short = encoded.prefix { $0 != "=" }
        #expect(Base64.standard.text(bytes) == encoded)
        #expect(Base64.standard.bytes(encoded.utf8) == bytes)
        #expect(Base64.url.text(bytes) == short)
        #expect(Base64.url.bytes(short.utf8) == bytes)
    }

    @Test func `the last two letters are fit for URLs`() {
        #expect(Base64.standard.text([0xFB, 0xFF]) == "+/8=")
        #expect(Base64.url.text([0xFB, 0xFF]) == "-_8")
        #expect(Base64.url.bytes("-_8".utf8) == [0xFB, 0xFF])
    }

    @Test(arguments: ["Z", "Zh", "Zg==", "Zg=", "+/8", "Zg Zg", "Zm9v\n", "é", "Zm9v."])
    func `a text that no bytes have is refused`(text: String) {
        #expect(Base64.url.bytes(text.utf8) == nil)
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "=", "Zh==", "Zg==Zg==", "-_8="])
    func `padding is exact`(text: String) {
        #expect(Base64.standard.bytes(text.utf8) == nil)
    }
}
