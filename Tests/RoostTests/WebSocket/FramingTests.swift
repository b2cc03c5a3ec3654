import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 6455 §5: data framing", .timeLimit(.minutes(5)))
struct FramingTests {
    @Suite("RFC 6455 §5.1: who masks", .timeLimit(.minutes(5))) struct OverviewTests {
        @Test func `a client's frame that is not masked is refused with its second byte`() throws {
            #expect(try FrameWire.failure(FrameWire.frame(0x1, [0x41], key: nil)) == .protocolError)
            #expect(FrameWire.read([0x81, 0x01]).failure?.code == .protocolError)
        }

        @Test func `a server's frame that is masked is refused`() throws {
            var client = try WebSocketClientCodec(maximumMessageSize: 100, extensions: nil)
            #expect(throws: WebSocketFailure.self) { try client.receive(FrameWire.text("hello")) }
        }
    }

    @Suite("RFC 6455 §5.2: base framing", .timeLimit(.minutes(5))) struct BaseFramingTests {
        @Test(arguments: [0, 1, 7, 8, 9, 124, 125, 126, 127, 128, 1000])
        func `a message of any length comes whole, wherever it is cut`(length: Int) throws {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let outcome = try FrameWire.readEveryWay(FrameWire.frame(0x2, bytes))
            #expect(outcome == FrameWire.Outcome(events: [.message(.binary(bytes))]))
        }

        @Test(arguments: [65_535, 65_536, 65_537])
        func `so does a long one, cut near the ends of its header and its payload`(length: Int) throws {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let frame = FrameWire.frame(0x2, bytes)
            let cuts = Array(0..<20) + [16_384, 16_385, length - 1, length, length + 1, frame.count - 1]
            for cut in cuts {
                #expect(FrameWire.read(frame, cuts: [cut]).events == [.message(.binary(bytes))])
            }
            #expect(FrameWire.read(frame, cuts: cuts.sorted()).events == [.message(.binary(bytes))])
        }

        @Test(arguments: 1...7)
        func `a reserved bit is refused`(bits: UInt8) throws {
            for opcode: UInt8 in [0x0, 0x1, 0x2, 0x8, 0x9, 0xA] {
                #expect(try FrameWire.failure(FrameWire.frame(opcode, [], reserved: bits)) == .protocolError)
            }
        }

        @Test(arguments: [0x3, 0x4, 0x5, 0x6, 0x7, 0xB, 0xC, 0xD, 0xE, 0xF])
        func `a reserved opcode is refused with its byte`(opcode: UInt8) throws {
            #expect(FrameWire.read([0x80 | opcode]).failure?.code == .protocolError)
            #expect(try FrameWire.failure(FrameWire.frame(opcode, [1, 2, 3])) == .protocolError)
        }

        @Test func `a length must have its shortest form`() throws {
            for length: UInt8 in [0, 1, 125] {
                #expect(try FrameWire.failure([0x82, 0xFE, 0, length]) == .protocolError)
                #expect(try FrameWire.failure([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0, length]) == .protocolError)
            }
            #expect(try FrameWire.failure([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) == .protocolError)
            #expect(FrameWire.read([0x82, 0xFE, 0, 126]).failure == nil)
            #expect(FrameWire.read([0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0]).failure == nil)
        }

        @Test(arguments: [
            (UInt64(1) << 63, WebSocketCloseCode.protocolError), (.max, .protocolError),
            (UInt64(Int.max), .messageTooBig), (UInt64(Int.max) - 1, .messageTooBig), (1 << 32, .messageTooBig),
        ])
        func `the largest lengths trap nothing`(length: UInt64, code: WebSocketCloseCode) throws {
            #expect(try FrameWire.failure(FrameWire.header(0x2, length)) == code)
            let begun = FrameWire.frame(0x2, [1], isFinal: false)
            #expect(try FrameWire.failure(begun + FrameWire.header(0x0, length)) == code)
        }

        @Test func `a frame over the limit is refused by its header alone`() throws {
            #expect(try FrameWire.failure(FrameWire.header(0x2, 1001), limit: 1000) == .messageTooBig)
            #expect(FrameWire.read(FrameWire.header(0x2, 1000), limit: 1000) == FrameWire.Outcome())
        }

        @Test func `the frames that a server writes have the shortest length, and a client reads them`() throws {
            for length in [0, 125, 126, 65_535, 65_536] {
                let output = ByteBuffer()
                let payload = [UInt8](repeating: 0x61, count: length)
                payload.withUnsafeBufferPointer { FrameWriter.write(.binary, $0, to: output) }
                #expect(output.count == length + (length < 126 ? 2 : length < 65_536 ? 4 : 10))
                var client = try WebSocketClientCodec(maximumMessageSize: 1 << 20, extensions: nil)
                #expect(try client.receive(output.bytes) == [.message(.binary(payload))])
            }
        }
    }

    @Suite("RFC 6455 §5.3: masking", .timeLimit(.minutes(5))) struct MaskingTests {
        @Test func `masking is the same in pieces of any sizes, at any place in memory`() {
            let key: [UInt8] = [0x11, 0x9F, 0x00, 0xE3]
            for start in 0..<9 {
                for length in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63] {
                    for cut in 0...length {
                        var bytes = (0..<start + length).map { UInt8($0) }
                        var mask = key.withUnsafeBufferPointer { FrameMask($0.baseAddress.unsafelyUnwrapped) }
                        bytes.withUnsafeMutableBufferPointer {
                            mask.apply(to: UnsafeMutableBufferPointer(rebasing: $0[start..<start + cut]))
                            mask.apply(to: UnsafeMutableBufferPointer(rebasing: $0[(start + cut)...]))
                        }
                        let expected = (0..<start + length).map { index in
                            index < start ? UInt8(index) : UInt8(index) ^ key[(index - start) % 4]
                        }
                        #expect(bytes == expected)
                    }
                }
            }
        }
    }

    @Suite("RFC 6455 §5.4: fragmentation", .timeLimit(.minutes(5))) struct FragmentationTests {
        @Test func `fragments become one message, with control frames in between`() throws {
            let bytes =
                FrameWire.text("Hel", isFinal: false) + FrameWire.frame(0x9, Array("?".utf8))
                + FrameWire.frame(0x0, Array("lo, ".utf8), isFinal: false) + FrameWire.frame(0x0, [], isFinal: false)
                + FrameWire.frame(0xA, []) + FrameWire.frame(0x0, Array("wörld".utf8)) + FrameWire.text("next")
            #expect(
                try FrameWire.readEveryWay(bytes).events == [
                    .ping(Array("?".utf8)), .pong([]), .message(.text("Hello, wörld")), .message(.text("next")),
                ])
        }

        @Test func `fragments of nothing are an empty message`() throws {
            let bytes = FrameWire.frame(0x2, [], isFinal: false) + FrameWire.frame(0x0, [])
            #expect(try FrameWire.readEveryWay(bytes).events == [.message(.binary([]))])
        }

        @Test func `a continuation of nothing is refused`() throws {
            #expect(try FrameWire.failure(FrameWire.frame(0x0, [1])) == .protocolError)
            #expect(try FrameWire.failure(FrameWire.frame(0x0, [1], isFinal: false)) == .protocolError)
            #expect(try FrameWire.failure(FrameWire.text("a") + FrameWire.frame(0x0, [1])) == .protocolError)
        }

        @Test func `a message within another one is refused`() throws {
            let bytes = FrameWire.text("a", isFinal: false) + FrameWire.text("b")
            #expect(try FrameWire.failure(bytes) == .protocolError)
        }

        @Test func `fragments that are too large together are refused by the header of the one too many`() throws {
            let bytes = FrameWire.frame(0x2, [UInt8](repeating: 0, count: 60), isFinal: false)
            #expect(try FrameWire.failure(bytes + FrameWire.header(0x0, 41), limit: 100) == .messageTooBig)
            #expect(FrameWire.read(bytes + FrameWire.header(0x0, 40), limit: 100).failure == nil)
            let next = bytes + FrameWire.frame(0x0, [UInt8](repeating: 0, count: 40)) + bytes
            #expect(FrameWire.read(next, limit: 100).failure == nil)
        }
    }
}
