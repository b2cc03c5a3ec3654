import Testing

@testable import Roost

@Suite("Hexadecimal digits", .timeLimit(.minutes(5)))
struct ByteBufferHexTests {
    private func text(_ value: UInt64) -> String {
        let buffer = ByteBuffer()
        buffer.append(hex: value)
        return String(decoding: buffer.written, as: UTF8.self)
    }

    @Test("are 16, in lower case, the highest first")
    func digits() {
        #expect(text(0) == "0000000000000000")
        #expect(text(.max) == "ffffffffffffffff")
        #expect(text(0x0123_4567_89ab_cdef) == "0123456789abcdef")
        #expect(text(0xfedc_ba98_7654_3210) == "fedcba9876543210")
        for shift in 0..<64 {
            let digits = String(UInt64(1) << shift, radix: 16)
            #expect(text(1 << shift) == String(repeating: "0", count: 16 - digits.count) + digits)
        }
    }
}
