import Testing

@testable import Roost

@Suite("Text for the log", .timeLimit(.minutes(5)))
struct LogTextTests {
    private func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { LogText.isPlain($0) } }

    @Test("is plain if each byte is printable ASCII and needs no escape, wherever it stands")
    func plain() {
        for count in [1, 7, 8, 9, 16, 23] {
            for place in 0..<count {
                for byte in UInt8.min ... .max {
                    var bytes = [UInt8](repeating: 0x61, count: count)
                    bytes[place] = byte
                    let expected = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
                    #expect(isPlain(bytes) == expected, "\(byte) at \(place) of \(count)")
                }
            }
        }
        #expect(isPlain([]))
    }

    @Test("is not taken for plain where two bytes borrow from each other")
    func borrows() {
        for first in [UInt8(0x00), 0x1F, 0x22, 0x5C, 0x7F, 0x80, 0xFF] {
            for second in UInt8.min ... .max { #expect(!isPlain([first, second, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61])) }
        }
    }
}
