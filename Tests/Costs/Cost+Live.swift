@testable import Roost

extension Cost {
    /// The costs of opening a WebSocket, of its messages, and of events that go to a stream.
    static var live: [Cost] {
        frames
            + handshake("Sec-WebSocket-Extensions", extensionInputs)
            + handshake("Sec-WebSocket-Protocol", protocolInputs)
            + events(budget: 100, [Input("one line", repeating: "a"), Input("long characters", repeating: "😀")])
            // Each line break becomes seven bytes.
            + events(budget: 250, [Input("empty lines", repeating: "\n"), Input("both breaks", repeating: "\r\n")])
    }

    /// A key that changes nothing, so that the same bytes can be read again.
    private static let noMask: [UInt8] = [0, 0, 0, 0]

    private static var frames: [Cost] {
        [
            frames("empty messages", budget: 150, unit: [0x81, 0x80] + noMask),
            frames("messages of one byte", budget: 150, unit: [0x81, 0x81] + noMask + [0x61]),
            frames("empty binary messages", budget: 150, unit: [0x82, 0x80] + noMask),
            frames("pings", budget: 150, unit: [0x89, 0x80] + noMask),
            frames("pings with a payload", budget: 150, unit: [0x89, 0x84] + noMask + [1, 2, 3, 4]),
            frames("empty fragments", budget: 150, [0x01, 0x80] + noMask, unit: [0x00, 0x80] + noMask),
            frames("fragments of one byte", budget: 150, [0x01, 0x80] + noMask, unit: [0x00, 0x81] + noMask + [0x61]),
            frames("a character in fragments", budget: 150, [0x01, 0x80] + noMask, unit: splitCharacter),
            frames("a long text", budget: 20, longHeader(0x81), unit: [0x61]),
            frames("a long text of long characters", budget: 40, longHeader(0x81), unit: Array("😀".utf8)),
            frames("long bytes", budget: 20, longHeader(0x82), unit: [0]),
            frames("empty compressed blocks", budget: 40, longHeader(0xC2), unit: [0, 0, 0, 0xFF, 0xFF]),
        ]
    }

    /// The four bytes of a character, each in a frame of its own.
    private static let splitCharacter: [UInt8] = Array("😀".utf8).flatMap { [0x00, 0x81] + noMask + [$0] }

    /// The header of a frame that is longer than what comes.
    private static func longHeader(_ first: UInt8) -> [UInt8] { [first, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0] + noMask }

    /// Measures reading frames.
    private static func frames(_ name: String, budget: Int, _ start: [UInt8] = [], unit: [UInt8]) -> Cost {
        Cost(parser: "WebSocket frames", input: name, budget: budget) { size in
            let repeated = repeatElement(unit, count: size / unit.count).flatMap { $0 }
            let bytes = (start + repeated).withUnsafeBufferPointer { MessageBytes(copying: $0) }
            let pool = CompressorPool(memory: MemoryBudget(.max))
            return {
                let compression = IncomingCompression(pool, windowBits: 15, forgets: true)
                var receiver = MessageReceiver(from: .client, limit: 1 << 20, compression: compression)
                var cursor = 0
                // Each in a second of its own, so that control frames are not too many.
                while let event = try? receiver.next(in: bytes, at: &cursor, now: cursor) {
                    if case .message(let message) = event { result += message.count }
                }
                result += cursor
                receiver.end()
            }
        }
    }

    /// Measures the handshake of a request with this field.
    private static func handshake(_ field: String, _ inputs: [Input]) -> [Cost] {
        let head = """
            Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n
            """
        return table("WebSocket handshake", budget: 200, field: head + field, inputs) { request in
            let handshake = try? WebSocketHandshake(request, WebSocketOptions(subprotocols: ["z"], origins: .any))
            result += handshake?.subprotocol == nil ? 0 : 1
        }
    }

    private static let extensionInputs = [
        Input("short extensions", repeating: "a,"),
        Input("empty elements", repeating: ","),
        Input("offers", repeating: "permessage-deflate,"),
        Input("an extension of many parameters", "a", repeating: ";b"),
        Input("an offer of many parameters", "permessage-deflate", repeating: ";b=1"),
        Input("an unterminated quote", "a;b=\"", repeating: ",;"),
        Input("a long name", repeating: "a"),
    ]

    private static let protocolInputs = [
        Input("the same short protocol", repeating: "a,"),
        Input("empty elements", repeating: ","),
        Input("blanks", repeating: " ,"),
        Input("a long protocol", repeating: "a"),
    ]

    /// Measures writing an event.
    private static func events(budget: Int, _ inputs: [Input]) -> [Cost] {
        table("Server-sent event", budget: budget, inputs) { bytes in
            let event = ServerSentEvent(String(decoding: bytes, as: UTF8.self))
            result += (try? event.bytes.count) ?? 0
        }
    }
}
