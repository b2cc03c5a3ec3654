package import Roost

/// A client's side of a WebSocket, for tests: bytes ⇄ messages, without a connection.
package struct WebSocketClientCodec {
    /// A whole message or control frame that the server has sent.
    package typealias Event = MessageReceiver.Event

    private var receiver: MessageReceiver
    private let outgoing: OutgoingCompression?
    private var unread: [UInt8] = []

    /// - Parameter extensions: The server's `Sec-WebSocket-Extensions`, which name what it has agreed to; nil if none.
    package init(maximumMessageSize: Int, extensions: String?) throws {
        let pool = CompressorPool(memory: MemoryBudget(.max))
        let deflate = try extensions.flatMap { try DeflateParameters.accept($0, WebSocketCompression()) }
        // The agreement names what each side does, so reading it as an offer gives the same numbers.
        let forgets = extensions?.contains("server_no_context_takeover") ?? false
        let incoming = deflate.map { _ in IncomingCompression(pool, windowBits: 15, forgets: forgets) }
        receiver = MessageReceiver(from: .server, limit: maximumMessageSize, compression: incoming)
        outgoing = deflate.map {
            OutgoingCompression(pool, windowBits: $0.clientBits, forgets: $0.clientForgets, threshold: 0)
        }
    }

    /// Takes what has arrived, and returns what it completes.
    /// - Throws: ``WebSocketFailure`` for what is not the protocol.
    package mutating func receive(_ bytes: [UInt8]) throws -> [Event] {
        unread += bytes
        let received = unread.withUnsafeBufferPointer { MessageBytes(copying: $0) }
        var cursor = 0
        defer { unread.removeFirst(cursor) }
        var events: [Event] = []
        while let event = try receiver.next(in: received, at: &cursor, now: 0) { events.append(event) }
        return events
    }

    /// The frames of a message.
    package func frames(of message: WebSocketMessage) -> [UInt8] {
        let output = ByteBuffer()
        var outgoing = OutgoingMessage(message, outgoing, mask: .random(in: 0 ... .max))
        while outgoing.writeNext(to: output) {}
        return output.bytes
    }

    /// One frame with any payload.
    package func frame(_ opcode: FrameOpcode, isFinal: Bool = true, _ payload: [UInt8]) -> [UInt8] {
        let output = ByteBuffer()
        payload.withUnsafeBufferPointer {
            FrameWriter.write(opcode, isFinal: isFinal, $0, mask: .random(in: 0 ... .max), to: output)
        }
        return output.bytes
    }

    /// A Close frame.
    package func close(_ code: WebSocketCloseCode?, _ reason: String) -> [UInt8] {
        let output = ByteBuffer()
        FrameWriter.writeClose(code, reason, mask: .random(in: 0 ... .max), to: output)
        return output.bytes
    }
}
