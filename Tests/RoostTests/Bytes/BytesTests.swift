import Testing

@testable import Roost

extension HTTP1Tests {
    @Suite("RFC 9110 §5.5 and §5.6.2: sets of bytes") struct ByteSetTests {
        @Test func `a token is made of letters, digits and fifteen signs`() {
            let signs = Array("!#$%&'*+-.^_`|~".utf8)
            for byte in UInt8.min...UInt8.max {
                let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                let isToken = isLetter || (0x30...0x39).contains(byte) || signs.contains(byte)
                #expect(ByteSet.token.contains(byte) == isToken, "\(byte)")
            }
        }

        @Test func `a field value is made of all but control characters`() {
            for byte in UInt8.min...UInt8.max {
                #expect(ByteSet.fieldContent.contains(byte) == (byte == 9 || byte >= 32 && byte != 127), "\(byte)")
            }
        }

        @Test func `a set holds its members and no others`() {
            for member in UInt8.min..<128 {
                let set = ByteSet { $0 == member }
                #expect((UInt8.min...UInt8.max).filter(set.contains) == [member])
            }
            #expect(ByteSet(includingUpperHalf: true) { _ in false }.contains(128))
        }
    }

    @Suite("Memory: the output buffer") struct ByteBufferTests {
        @Test(arguments: [0, 1, 9, 10, 99, 100, 12345, -1, -10, Int.max, Int.min])
        func `numbers are written in decimal`(number: Int) {
            let buffer = ByteBuffer()
            buffer.append(decimal: number)
            #expect(buffer.bytes == Array("\(number)".utf8))
        }

        @Test func `small and unsigned numbers are written too`() {
            let buffer = ByteBuffer()
            for number in [UInt64.max, 0] { buffer.append(decimal: number) }
            for number in [Int8.min, Int8.max] { buffer.append(decimal: number) }
            #expect(buffer.bytes == Array("184467440737095516150-128127".utf8))
        }

        @Test func `it grows and keeps what it holds`() {
            let buffer = ByteBuffer(capacity: 0)
            var expected: [UInt8] = []
            for count in 0..<300 {
                let bytes = Array(repeating: UInt8(truncatingIfNeeded: count), count: count)
                switch count % 4 {
                case 0: buffer.append(bytes)
                case 1: buffer.append(bytes[...])
                case 2: for byte in bytes { buffer.append(byte) }
                default: bytes.withUnsafeBufferPointer { buffer.append($0) }
                }
                expected += bytes
            }
            #expect(buffer.bytes == expected)
            buffer.truncate(to: 300)
            #expect(buffer.bytes == Array(expected[..<300]))
            buffer.removeAll()
            buffer.append("é")
            buffer.append(String(repeating: "é", count: 40))
            #expect(buffer.count == 82)
        }

        @Test func `other code may write into it`() {
            let buffer = ByteBuffer(capacity: 64)
            buffer.append("ab")
            let count = buffer.write(upTo: 1000) { room in
                room[0] = UInt8(ascii: "c")
                return room.count == 1000 ? 1 : 0
            }
            #expect(count == 1)
            #expect(buffer.bytes == Array("abc".utf8))
        }
    }
}
