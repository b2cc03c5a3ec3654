//     frame = fin rsv1 rsv2 rsv3 opcode mask payload-length [ masking-key ] payload-data
//
//      0               1               2               3
//     +-+-+-+-+-------+-+-------------+-------------------------------+
//     |F|R|R|R| opcode|M| length: 7   | length: 16 bits after 126,    |
//     |I|S|S|S|       |A|             | 64 bits after 127             |
//     |N|V|V|V|       |S|             +-------------------------------+
//     | |1|2|3|       |K|             | key: 4 bytes, if masked       |
//     +-+-+-+-+-------+-+-------------+-------------------------------+

/// The header of a frame, which stands before its payload (RFC 6455 §5.2).
package struct FrameHeader: BitwiseCopyable {
    var opcode: FrameOpcode
    /// Whether it is the last, or only, fragment of its message.
    var isFinal: Bool
    /// Whether the message that it begins is compressed: RSV1 (RFC 7692 §6).
    var isCompressed: Bool
    /// The length of the payload in bytes.
    var length: Int
    var mask: FrameMask?

    /// The most payload that a control frame may have (RFC 6455 §5.5).
    static let maximumControlLength = 125

    /// The sender of a frame, which decides whether it is masked (RFC 6455 §5.1).
    package enum Sender: Sendable {
        case client
        case server
    }

    /// Reads the header that begins at `cursor`, and moves the cursor past it; nil when not all of it is there. What is
    /// wrong is noticed with the first byte that shows it.
    /// - Parameter allowsCompression: Whether compression has been negotiated, which gives RSV1 its meaning.
    static func read(
        in bytes: MessageBytes,
        at cursor: inout Int,
        from sender: Sender,
        allowsCompression: Bool
    ) throws(WebSocketFailure) -> FrameHeader? {
        let available = bytes.count &- cursor
        guard available >= 1 else { return nil }
        let start = bytes.base + cursor
        guard start[0] & 0x30 == 0 else { throw .protocolError("A reserved bit is set.") }
        guard let opcode = FrameOpcode(rawValue: start[0] & 0x0F) else {
            throw .protocolError("The opcode is reserved.")
        }
        let isFinal = start[0] & 0x80 != 0
        let isCompressed = start[0] & 0x40 != 0
        guard !isCompressed || allowsCompression && (opcode == .text || opcode == .binary) else {
            throw .protocolError("RSV1 is set where it has no meaning.")
        }
        guard isFinal || !opcode.isControl else { throw .protocolError("A control frame is fragmented.") }
        guard available >= 2 else { return nil }
        let isMasked = start[1] & 0x80 != 0
        guard isMasked == (sender == .client) else {
            throw .protocolError(isMasked ? "A server's frame is masked." : "A client's frame is not masked.")
        }
        let short = Int(start[1] & 0x7F)
        guard !opcode.isControl || short <= maximumControlLength else {
            throw .protocolError("A control frame is too long.")
        }
        let lengthSize = short < 126 ? 0 : short == 126 ? 2 : 8
        guard available >= 2 &+ lengthSize else { return nil }
        let length = try length(short, start + 2)
        let size = 2 &+ lengthSize &+ (isMasked ? 4 : 0)
        guard available >= size else { return nil }
        cursor &+= size
        return FrameHeader(
            opcode: opcode,
            isFinal: isFinal,
            isCompressed: isCompressed,
            length: length,
            mask: isMasked ? FrameMask(start + 2 + lengthSize) : nil
        )
    }

    /// The length must have its shortest form, and its first bit must be 0.
    private static func length(_ short: Int, _ more: UnsafePointer<UInt8>) throws(WebSocketFailure) -> Int {
        switch short {
        case ..<126: return short
        case 126:
            let length = Int(more[0]) << 8 | Int(more[1])
            guard length >= 126 else { throw .protocolError("A length is longer than it has to be.") }
            return length
        default:
            let length = UInt64(bigEndian: UnsafeRawPointer(more).loadUnaligned(as: UInt64.self))
            guard length >> 16 != 0 else { throw .protocolError("A length is longer than it has to be.") }
            guard let length = Int(exactly: length) else { throw .protocolError("The first bit of a length is set.") }
            return length
        }
    }
}

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
