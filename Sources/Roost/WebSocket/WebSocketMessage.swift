/// A message of a WebSocket (RFC 6455 §5.6), put together from its fragments.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, which came or goes as UTF-8.
    case text(String)
    /// Any bytes.
    case binary([UInt8])

    /// The text; nil when the message is binary.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The length in bytes.
    var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    package var opcode: FrameOpcode {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// Lends the payload without copying it.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        switch self {
        case .text(var text): try text.withUTF8(body)
        case .binary(let bytes): try bytes.withUnsafeBufferPointer(body)
        }
    }
}
