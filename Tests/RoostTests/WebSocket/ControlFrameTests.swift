import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 6455 §5.5: control frames", .timeLimit(.minutes(5)))
struct ControlFrameTests {
    @Test(arguments: [0x8, 0x9, 0xA])
    func `a control frame is whole and has at most 125 bytes`(opcode: UInt8) throws {
        #expect(try FrameWire.failure(FrameWire.frame(opcode, [], isFinal: false)) == .protocolError)
        #expect(FrameWire.read([opcode]).failure?.code == .protocolError)
        #expect(try FrameWire.failure(FrameWire.header(opcode, 126)) == .protocolError)
        #expect(FrameWire.read([0x80 | opcode, 0xFE]).failure?.code == .protocolError)
    }

    @Test func `pings and pongs have any payload`() throws {
        let payload = (0..<125).map { UInt8($0) | 0x80 }
        let bytes = FrameWire.frame(0x9, payload) + FrameWire.frame(0xA, payload) + FrameWire.frame(0x9, [])
        #expect(try FrameWire.readEveryWay(bytes).events == [.ping(payload), .pong(payload), .ping([])])
    }

    @Test func `after a Close frame nothing is read`() throws {
        let bytes = FrameWire.frame(0x8, [0x03, 0xE8]) + FrameWire.text("late") + [0xFF, 0xFF]
        let outcome = try FrameWire.readEveryWay(bytes)
        #expect(outcome == FrameWire.Outcome(events: [.close(.normal, reason: "")], isOver: true))
    }

    @Test func `after a failure nothing is read`() throws {
        let outcome = try FrameWire.readEveryWay([0xFF] + FrameWire.text("late") + FrameWire.frame(0x9, []))
        #expect(outcome.events.isEmpty && outcome.isOver && outcome.failure?.code == .protocolError)
    }

    @Test func `a hundred control frames a second pass, one more does not`() throws {
        var receiver = MessageReceiver(from: .client, limit: 100)
        func receive(_ count: Int, now: Int) throws(WebSocketFailure) {
            for _ in 0..<count {
                let bytes = FrameWire.frame(0x9, []).withUnsafeBufferPointer { MessageBytes(copying: $0) }
                var cursor = 0
                #expect(try receiver.next(in: bytes, at: &cursor, now: now) == .ping([]))
            }
        }
        try receive(100, now: 7)
        try receive(100, now: 8)
        #expect(throws: WebSocketFailure.tooManyControlFrames) { try receive(1, now: 8) }
        #expect(WebSocketFailure.tooManyControlFrames.code == .policyViolation)
        #expect(receiver.isOver)
    }

    @Suite("RFC 6455 §5.5.1, §7.4: closing", .timeLimit(.minutes(5))) struct ClosingTests {
        @Test(arguments: [
            1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999,
        ])
        func `a code that may be sent is taken`(code: UInt16) throws {
            let bytes = FrameWire.frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("bye, öl".utf8))
            let outcome = try FrameWire.readEveryWay(bytes)
            #expect(outcome.events == [.close(WebSocketCloseCode(rawValue: code), reason: "bye, öl")])
        }

        @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
        func `any other is refused`(code: UInt16) throws {
            let bytes = FrameWire.frame(0x8, [UInt8(code >> 8), UInt8(code & 0xFF)])
            #expect(try FrameWire.failure(bytes) == .protocolError)
        }

        @Test func `there need be no code, but not half of one`() throws {
            #expect(try FrameWire.readEveryWay(FrameWire.frame(0x8, [])).events == [.close(nil, reason: "")])
            #expect(try FrameWire.failure(FrameWire.frame(0x8, [0x03])) == .protocolError)
        }

        @Test(arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0x61, 0xF4, 0x90, 0x80, 0x80]])
        func `a reason is UTF-8`(reason: [UInt8]) throws {
            #expect(try FrameWire.failure(FrameWire.frame(0x8, [0x03, 0xE8] + reason)) == .invalidData)
        }

        @Test func `a reason that is too long is cut between characters`() throws {
            for padding in 0..<3 {
                let reason = String(repeating: "a", count: padding) + String(repeating: "€", count: 60)
                let output = ByteBuffer()
                FrameWriter.writeClose(.normal, reason, to: output)
                var client = try WebSocketClientCodec(maximumMessageSize: 100, extensions: nil)
                guard case .close(.normal, let sent) = try client.receive(output.bytes).first else {
                    Issue.record("no Close frame")
                    return
                }
                #expect(reason.hasPrefix(sent) && sent.utf8.count > 120 && sent.utf8.count <= 123)
            }
        }
    }
}
