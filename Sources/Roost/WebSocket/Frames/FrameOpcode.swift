/// The type of a frame (RFC 6455 §5.2, §11.8). The values that are missing are reserved.
package enum FrameOpcode: UInt8, Sendable, BitwiseCopyable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    /// Whether it is about the connection, and so may come between the fragments of a message (RFC 6455 §5.5).
    var isControl: Bool { rawValue >= Self.close.rawValue }
}
