import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5)))
struct `Short bytes` {
    private static let source = (0..<64).map { UInt8($0 + 32) }

    @Test(arguments: 0...40)
    func `are appended as they are, and no more than these`(count: Int) {
        let (short, padded) = (ByteBuffer(capacity: 64), ByteBuffer(capacity: 64))
        Self.source.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            for _ in 0..<5 {
                short.append(short: base, count: count)
                padded.append(padded: base, count: count)
            }
        }
        let expected = Array(repeatElement(Self.source.prefix(count), count: 5).joined())
        #expect(short.bytes == expected && padded.bytes == expected)
    }

    @Test func `numbers have their digits`() {
        let numbers: [Int64] = Array(-20_000...20_000) + [99_999, 100_000, 4_294_967_296, .min, .max]
        for number in numbers {
            let buffer = ByteBuffer()
            buffer.append(decimal: number)
            #expect(String(decoding: buffer.written, as: UTF8.self) == String(number))
        }
    }
}
