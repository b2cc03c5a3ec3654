import Testing

@testable import Roost

@Suite("RFC 6455 §5.6, §8.1: text is UTF-8", .timeLimit(.minutes(5)))
struct TextTests {
    /// One of each kind: the first and the last of each length, and what surrounds the surrogates.
    static let valid = [
        "", "a", "\u{0}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{D7FF}", "\u{E000}", "\u{FFFD}",
        "\u{FFFE}", "\u{FFFF}", "\u{10000}", "\u{3FFFF}", "\u{100000}", "\u{10FFFF}", "Hello-µ@ßöäüàá-UTF-8!!",
        "κόσμε", "abcdefghijklmnopq€rstuvwxyz",
    ]

    static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x41], [0xC2, 0xC2], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF, 0x41], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        Array("abcdefghijk".utf8) + [0xFF],
    ]

    static let cut: [[UInt8]] = [[0xC2], [0xE1], [0xE1, 0x80], [0xF1], [0xF1, 0x80], [0xF1, 0x80, 0x80]]

    @Test(arguments: valid)
    func `text is taken, in one frame and in fragments of a byte`(text: String) throws {
        #expect(try FrameWire.readEveryWay(FrameWire.text(text)).events == [.message(.text(text))])
        let fragments = text.utf8.flatMap { FrameWire.frame(0x0, [$0], isFinal: false) }
        let bytes = FrameWire.frame(0x1, [], isFinal: false) + fragments + FrameWire.frame(0x0, [])
        #expect(FrameWire.read(bytes).events == [.message(.text(text))])
    }

    @Test(arguments: invalid + cut)
    func `what is not UTF-8 is refused`(bytes: [UInt8]) throws {
        #expect(try FrameWire.failure(FrameWire.frame(0x1, bytes)) == .invalidData)
        let fragments = bytes.flatMap { FrameWire.frame(0x0, [$0], isFinal: false) }
        let message = FrameWire.frame(0x1, [], isFinal: false) + fragments + FrameWire.frame(0x0, [])
        #expect(FrameWire.read(message).failure?.code == .invalidData)
    }

    @Test(arguments: cut)
    func `a character may go on in the next fragment`(bytes: [UInt8]) {
        #expect(FrameWire.read(FrameWire.frame(0x1, bytes, isFinal: false)).failure == nil)
    }

    @Test func `the check agrees with the standard library on all texts of three bytes`() {
        for first in stride(from: 0, through: 255, by: 1) {
            for second in [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xFF] {
                for third in [0x41, 0x7F, 0x80, 0xBF, 0xC0] {
                    let bytes = [UInt8(first), UInt8(second), UInt8(third)]
                    let text = bytes.withUnsafeBufferPointer { $0.validText }
                    #expect(text == String(validating: bytes, as: UTF8.self), "\(bytes)")
                }
            }
        }
    }

    @Test func `binary data is any bytes`() throws {
        for bytes in Self.invalid {
            #expect(try FrameWire.readEveryWay(FrameWire.frame(0x2, bytes)).events == [.message(.binary(bytes))])
        }
    }
}
