import Testing

@testable import Roost

@Suite("Signing key", .timeLimit(.minutes(5)))
struct SigningKeyTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let other = "another secret of thirty-two by."

    @Test(arguments: ["", "3", "Zoë; a=b, \"c\"", String(repeating: "x", count: 3_000)])
    func `what was signed comes back`(text: String) throws {
        let key = try SigningKey(Self.secret)
        let signed = key.sign(text, for: "test")
        #expect(key.text(in: signed, for: "test") == text)
        #expect(signed.utf8.allSatisfy { Base64.url.contains($0) || $0 == UInt8(ascii: ".") })
    }

    @Test func `no byte can be changed, added or left out`() throws {
        let key = try SigningKey(Self.secret)
        let signed = Array(key.sign("user 3", for: "test").utf8)
        for index in signed.indices {
            var (changed, shorter) = (signed, signed)
            changed[index] ^= 1
            shorter.remove(at: index)
            for forged in [changed, shorter] {
                #expect(key.text(in: String(decoding: forged, as: UTF8.self), for: "test") == nil, "\(index)")
            }
        }
        for forged in ["", ".", "dXNlciAz", "dXNlciAz.", String(decoding: signed, as: UTF8.self) + "."] {
            #expect(key.text(in: forged, for: "test") == nil, "\(forged)")
        }
    }

    @Test func `another purpose refuses it, also where purpose and text join to the same`() throws {
        let key = try SigningKey(Self.secret)
        #expect(key.text(in: key.sign("bc", for: "a"), for: "a") == "bc")
        #expect(key.text(in: key.sign("bc", for: "a"), for: "b") == nil)
        let signed = key.sign("bc", for: "a").split(separator: ".")
        let joined = key.sign("c", for: "ab").split(separator: ".")
        #expect(signed[1] != joined[1])
    }

    @Test func `another key refuses it, and a previous one is still accepted`() throws {
        let signed = try SigningKey(Self.secret).sign("3", for: "test")
        #expect(try SigningKey(Self.other).text(in: signed, for: "test") == nil)
        #expect(try SigningKey(Self.other, previous: [Self.secret]).text(in: signed, for: "test") == "3")
        #expect(SigningKey.random().text(in: signed, for: "test") == nil)
    }

    @Test func `the environment names secrets, the newest first`() throws {
        #expect(try SigningKey(environment: [:]) == nil)
        #expect(try SigningKey(environment: ["SECRET_KEY": ""]) == nil)
        let key = try #require(try SigningKey(environment: ["SECRET_KEY": Self.other + " , " + Self.secret]))
        #expect(key.text(in: try SigningKey(Self.secret).sign("3", for: "test"), for: "test") == "3")
        #expect(try SigningKey(Self.other).text(in: key.sign("3", for: "test"), for: "test") == "3")
    }

    @Test(arguments: ["short", secret + ",short", secret + ","])
    func `a short secret ends the start without being shown`(value: String) {
        let error = #expect(throws: StartError.self) { try SigningKey(environment: ["SECRET_KEY": value]) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("at least 32") && !text.contains("short"))
    }
}
