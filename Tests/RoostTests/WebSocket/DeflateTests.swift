import Testing

@testable import Roost

@Suite("RFC 7692: permessage-deflate", .timeLimit(.minutes(5)))
struct DeflateTests {
    static func agree(_ offer: String, _ compression: WebSocketCompression = WebSocketCompression(keepsContext: true))
        throws
        -> String?
    {
        try DeflateParameters.accept(offer, compression)?.agreement
    }

    @Suite("RFC 7692 §5, §7.1: negotiation", .timeLimit(.minutes(5))) struct NegotiationTests {
        @Test(arguments: [
            ("permessage-deflate", "permessage-deflate"), ("PERMESSAGE-DEFLATE", "permessage-deflate"),
            ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
            (
                "permessage-deflate; client_max_window_bits=10",
                "permessage-deflate; client_max_window_bits=10"
            ),
            ("permessage-deflate; client_max_window_bits=\"9\"", "permessage-deflate; client_max_window_bits=9"),
            ("permessage-deflate; server_max_window_bits=8", "permessage-deflate; server_max_window_bits=8"),
            (
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
            ),
            ("x-webkit-deflate-frame, permessage-deflate", "permessage-deflate"),
            ("foo; bar=1; baz=\"q\", permessage-deflate", "permessage-deflate"),
            (
                "permessage-deflate; server_max_window_bits=7, permessage-deflate; server_max_window_bits=12",
                "permessage-deflate; server_max_window_bits=12"
            ),
            ("permessage-deflate; unknown, permessage-deflate", "permessage-deflate"),
        ])
        func `the first offer that can be kept is taken`(offer: String, agreement: String) throws {
            #expect(try agree(offer) == agreement)
        }

        @Test(arguments: [
            "permessage-deflate; unknown", "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=08", "permessage-deflate; client_max_window_bits=0",
            "permessage-deflate; client_max_window_bits=a", "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; client_no_context_takeover=true",
            "permessage-deflate; client_max_window_bits; client_max_window_bits",
            "permessage-deflate; server_no_context_takeover; SERVER_no_context_takeover", "permessage-bzip2", "",
        ])
        func `any other offer is declined, and the connection goes on without`(offer: String) throws {
            #expect(try agree(offer) == nil)
        }

        @Test(arguments: [
            "permessage deflate", "permessage-deflate; =1", "permessage-deflate; a=", "a; b=c=d", ";", "a; b=\"c;,\"",
        ])
        func `a malformed field is refused`(offer: String) {
            #expect(throws: HTTPError.self) { try agree(offer) }
        }

        @Test func `by default each message is by itself, and windows can be made smaller`() throws {
            #expect(
                try agree("permessage-deflate; client_max_window_bits", WebSocketCompression())
                    == "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
            #expect(
                try agree(
                    "permessage-deflate; client_max_window_bits",
                    WebSocketCompression(keepsContext: true, windowBits: 11))
                    == "permessage-deflate; server_max_window_bits=11; client_max_window_bits=11")
            // A client that has not said that it can be told its window is not told it.
            #expect(
                try agree("permessage-deflate", WebSocketCompression(keepsContext: true, windowBits: 11))
                    == "permessage-deflate; server_max_window_bits=11")
        }
    }

    private static func pool() -> CompressorPool { CompressorPool(memory: MemoryBudget(.max)) }

    static func incoming(forgets: Bool = true) -> IncomingCompression {
        IncomingCompression(pool(), windowBits: 15, forgets: forgets)
    }

    /// Frames of a message that a client compresses.
    private func compressed(_ messages: [WebSocketMessage], forgets: Bool, bits: Int = 15) -> [UInt8] {
        let output = ByteBuffer()
        let compression = OutgoingCompression(Self.pool(), windowBits: bits, forgets: forgets, threshold: 0)
        for message in messages {
            var outgoing = OutgoingMessage(message, compression, mask: 0x1234_5678)
            while outgoing.writeNext(to: output) {}
        }
        return output.bytes
    }

    private static let samples: [WebSocketMessage] = [
        .text("Hello"), .text("Hello"), .text(String(repeating: "Ünïcode and more, ", count: 500)),
        .binary((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }), .binary([0]),
        .binary([UInt8](repeating: 7, count: 200_000)),
        .binary((0..<200_000).map { _ in UInt8.random(in: 0...255) }),
    ]

    @Test(arguments: [(true, 15), (false, 15), (true, 9), (false, 9), (false, 12)])
    func `§7.2: what is compressed comes out the same, cut anywhere`(forgets: Bool, bits: Int) {
        let bytes = compressed(Self.samples, forgets: forgets, bits: bits)
        let expected = Self.samples.map { MessageReceiver.Event.message($0) }
        for cuts in [[], Array(0..<100), [5, 17, 1000, bytes.count / 2, bytes.count - 1]] {
            let compression = IncomingCompression(Self.pool(), windowBits: max(bits, 9), forgets: forgets)
            #expect(FrameWire.read(bytes, limit: 1 << 20, compression: compression, cuts: cuts).events == expected)
        }
    }

    @Suite("RFC 7692 §7.2.3: the examples", .timeLimit(.minutes(5))) struct ExampleTests {
        private func read(_ frames: [UInt8], forgets: Bool = true) -> [MessageReceiver.Event] {
            FrameWire.read(frames, compression: incoming(forgets: forgets)).events
        }

        private func frame(_ payload: [UInt8]) -> [UInt8] { FrameWire.frame(0x1, payload, reserved: 4) }

        @Test func `§7.2.3.1: a message of one block, also in fragments`() {
            let payload: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
            #expect(read(frame(payload)) == [.message(.text("Hello"))])
            let fragments =
                FrameWire.frame(0x1, Array(payload[..<3]), isFinal: false, reserved: 4)
                + FrameWire.frame(0x0, Array(payload[3...]))
            #expect(read(fragments) == [.message(.text("Hello"))])
        }

        @Test func `§7.2.3.2: a shared window`() {
            let first = frame([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
            let second = frame([0xF2, 0x00, 0x11, 0x00, 0x00])
            #expect(read(first + second, forgets: false) == [.message(.text("Hello")), .message(.text("Hello"))])
            #expect(FrameWire.read(first + second, compression: incoming()).failure?.code == .invalidData)
        }

        @Test func `§7.2.3.3: a block without compression`() {
            let payload: [UInt8] = [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
            #expect(read(frame(payload)) == [.message(.text("Hello"))])
        }

        @Test func `§7.2.3.4: a block that says it is the last, and what follows it`() {
            let payload: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
            #expect(read(frame(payload)) == [.message(.text("Hello"))])
            let shared = frame(payload) + frame([0xF2, 0x00, 0x11, 0x00, 0x00])
            #expect(read(shared, forgets: false) == [.message(.text("Hello")), .message(.text("Hello"))])
        }

        @Test func `§7.2.3.5: two blocks in one message`() {
            let payload: [UInt8] = [
                0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00,
            ]
            #expect(read(frame(payload)) == [.message(.text("Hello"))])
        }

        @Test func `§7.2.3.6: an empty message`() {
            #expect(read(frame([0x00])) == [.message(.text(""))])
            #expect(read(frame([])) == [.message(.text(""))])
        }
    }

    @Test func `§6: RSV1 is for the first frame of a message, and only when it was agreed on`() {
        let frame = FrameWire.frame(0x1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], reserved: 4)
        #expect(FrameWire.read(frame).failure?.code == .protocolError)
        let continued = FrameWire.text("a", isFinal: false) + FrameWire.frame(0x0, [], reserved: 4)
        #expect(FrameWire.read(continued, compression: Self.incoming()).failure?.code == .protocolError)
        for opcode: UInt8 in [0x8, 0x9, 0xA] {
            let control = FrameWire.frame(opcode, [], reserved: 4)
            #expect(FrameWire.read(control, compression: Self.incoming()).failure?.code == .protocolError)
        }
        let plain = FrameWire.read(FrameWire.text("plain") + frame, compression: Self.incoming())
        #expect(plain.events == [.message(.text("plain")), .message(.text("Hello"))])
    }

    @Test func `a message that inflates beyond the limit is refused as it inflates`() {
        let bomb = compressed([.binary([UInt8](repeating: 0, count: 100_000_000))], forgets: true)
        #expect(bomb.count < 110_000)
        let budget = MemoryBudget(.max)
        let compression = IncomingCompression(CompressorPool(memory: budget), windowBits: 15, forgets: true)
        let outcome = FrameWire.read(bomb, limit: 1_000_000, compression: compression)
        #expect(outcome.failure == .tooBig)
        #expect(budget.count == 0)
        let exact = compressed([.binary([UInt8](repeating: 0, count: 1_000_000))], forgets: true)
        #expect(FrameWire.read(exact, limit: 1_000_000, compression: Self.incoming()).events.count == 1)
        #expect(FrameWire.read(exact, limit: 999_999, compression: Self.incoming()).failure == .tooBig)
        #expect(FrameWire.read(exact, limit: .max, compression: Self.incoming()).events.count == 1)
    }

    @Test func `what is no compressed data is refused`() {
        for payload: [UInt8] in [[0xFF, 0xFF, 0xFF], [0x06, 0xFF], [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x17]] {
            let frame = FrameWire.frame(0x2, payload, reserved: 4)
            #expect(FrameWire.read(frame, compression: Self.incoming()).failure?.code == .invalidData)
        }
        let text = compressed([.binary([0xFF])], forgets: true)
        var asText = text
        asText[0] = asText[0] & 0xF0 | 0x1
        #expect(FrameWire.read(asText, compression: Self.incoming()).failure == .invalidText)
    }

    @Test func `with a window of 8 bits nothing refers back more than 256 bytes`() throws {
        let text = (0..<20_000).map { "\($0 % 97) \($0 % 13)" }.joined(separator: ",")
        let output = ByteBuffer()
        let compression = OutgoingCompression(Self.pool(), windowBits: 8, forgets: true, threshold: 0)
        var outgoing = OutgoingMessage(.text(text), compression, mask: 1)
        while outgoing.writeNext(to: output) {}
        #expect(output.count < text.utf8.count / 2)
        let incoming = IncomingCompression(Self.pool(), windowBits: 8, forgets: false)
        let events = FrameWire.read(
            output.bytes, compression: incoming, cuts: Array(stride(from: 0, to: output.count, by: 50))
        ).events
        #expect(events == [.message(.text(text))])
    }

    @Test func `decompressors count as memory while they are used, and one too many is refused`() throws {
        let budget = MemoryBudget(3 * Inflater.size)
        let pool = CompressorPool(memory: budget)
        let first = IncomingCompression(pool, windowBits: 15, forgets: true)
        let second = IncomingCompression(pool, windowBits: 15, forgets: true)
        try first.begin()
        #expect(budget.count == Inflater.size)
        try second.begin()
        let third = IncomingCompression(pool, windowBits: 15, forgets: true)
        #expect(throws: WebSocketFailure.memoryIsFull) { try third.begin() }
        first.end()
        second.end()
        #expect(budget.count == 0)
    }
}
