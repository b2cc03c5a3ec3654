/// Puts messages together from frames (RFC 6455 §5.4, §6.2): a pure value, which gets bytes and says what they mean.
///
/// The payload of a frame is taken, and decompressed, as it comes, so that nothing but the header, or a control frame,
/// has to be whole. Text is checked when all of it is there. After a Close frame, and after a failure, it reads nothing
/// more.
package struct MessageReceiver {
    /// A whole message or control frame that has come.
    package enum Event: Sendable, Equatable {
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        /// The code is nil when the frame has none.
        case close(WebSocketCloseCode?, reason: String)
    }

    private let limit: Int
    private let compression: IncomingCompression?
    private let memory: MemoryBudget
    /// The number of bytes of the current frame's payload that are still to come.
    private var remaining = 0
    /// The length of the message's frames together, in bytes.
    private var length = 0
    private var content: [UInt8] = []
    private var lease: MemoryLease?
    private var controls = ControlRate()
    private var mask: FrameMask?

    // Small properties come last and together: each WebSocket has a receiver.
    private let sender: FrameHeader.Sender
    /// The message that is coming: whether it is text or binary; nil between messages.
    private var kind: FrameOpcode?
    private var isCompressed = false
    /// Whether the frame that is coming is the last of its message.
    private var isFinal = false
    private var isInFrame = false
    /// Whether nothing more is read: after a Close frame or a failure.
    private(set) var isOver = false

    package init(
        from sender: FrameHeader.Sender,
        limit: Int,
        compression: IncomingCompression? = nil,
        memory: MemoryBudget = MemoryBudget(.max)
    ) {
        self.sender = sender
        // Sums of it must not overflow.
        self.limit = min(limit, .max / 4)
        self.compression = compression
        self.memory = memory
    }

    /// Whether some of a message has come, and not all of it.
    var isInMessage: Bool { kind != nil }

    /// Reads from `cursor` on until something has come, or all bytes are read: then nil. It unmasks payloads in place.
    /// - Parameter now: The time in seconds.
    package mutating func next(
        in bytes: MessageBytes, at cursor: inout Int, now: Int
    ) throws(WebSocketFailure) -> Event? {
        guard !isOver else {
            cursor = bytes.count
            return nil
        }
        do throws(WebSocketFailure) {
            return try read(bytes, &cursor, now)
        } catch {
            end()
            throw error
        }
    }

    /// Lets go of everything, and reads nothing more.
    mutating func end() {
        isOver = true
        content = []
        lease = nil
        compression?.end()
    }

    private mutating func read(
        _ bytes: MessageBytes, _ cursor: inout Int, _ now: Int
    ) throws(WebSocketFailure) -> Event? {
        while true {
            if isInFrame {
                if let message = try readPayload(bytes, &cursor) { return .message(message) }
                if isInFrame { return nil }
            }
            var start = cursor
            guard
                let header = try FrameHeader.read(
                    in: bytes, at: &start, from: sender, allowsCompression: compression != nil)
            else { return nil }
            if header.opcode.isControl {
                guard bytes.count &- start >= header.length else { return nil }
                cursor = start &+ header.length
                return try control(header, bytes.base + start, now)
            }
            cursor = start
            try begin(header)
        }
    }

    // MARK: Data

    private mutating func begin(_ header: FrameHeader) throws(WebSocketFailure) {
        if header.opcode == .continuation {
            guard kind != nil else { throw .protocolError("A message is continued that has not begun.") }
        } else {
            guard kind == nil else { throw .protocolError("A message begins within another one.") }
            kind = header.opcode
            isCompressed = header.isCompressed
            length = 0
            if isCompressed { try compression?.begin() }
        }
        // Bytes that cannot be compressed become a little longer.
        let most = isCompressed ? limit &+ limit >> 8 &+ 64 : limit
        guard header.length <= most &- length else { throw .tooBig }
        length &+= header.length
        remaining = header.length
        mask = header.mask
        isFinal = header.isFinal
        isInFrame = true
    }

    /// Takes what has come of the current frame; returns the message that ends with it.
    private mutating func readPayload(
        _ bytes: MessageBytes, _ cursor: inout Int
    ) throws(WebSocketFailure) -> WebSocketMessage? {
        let count = min(remaining, bytes.count &- cursor)
        let piece = UnsafeMutableBufferPointer(start: bytes.base + cursor, count: count)
        mask?.apply(to: piece)
        cursor &+= count
        remaining &-= count
        if remaining == 0 {
            isInFrame = false
            if isFinal, content.isEmpty, !isCompressed {
                return try wholeMessage(UnsafeBufferPointer(piece))
            }
        }
        if count > 0 { try take(UnsafeBufferPointer(piece)) }
        return remaining == 0 && isFinal ? try finish() : nil
    }

    /// A message that is all there: nothing is kept of it, and it is checked and copied in one go.
    private mutating func wholeMessage(
        _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(WebSocketFailure) -> WebSocketMessage {
        defer { kind = nil }
        guard kind == .text else { return .binary(Array(bytes)) }
        guard let text = bytes.validText else { throw .invalidText }
        return .text(text)
    }

    private mutating func take(_ piece: UnsafeBufferPointer<UInt8>) throws(WebSocketFailure) {
        let start = content.count
        if isCompressed {
            try compression?.inflate(piece, to: &content, limit: limit)
        } else {
            content += piece
        }
        try count(from: start)
    }

    /// Counts what has been added to the content in the memory that clients use.
    private mutating func count(from start: Int) throws(WebSocketFailure) {
        guard content.capacity > MemoryBudget.uncounted else { return }
        let added = lease == nil ? content.count : content.count &- start
        let lease = lease ?? MemoryLease(0, of: memory)
        self.lease = lease
        guard lease.hasGrown(by: added) else { throw .memoryIsFull }
    }

    private mutating func finish() throws(WebSocketFailure) -> WebSocketMessage {
        if isCompressed {
            let start = content.count
            try compression?.finish(to: &content, limit: limit)
            try count(from: start)
        }
        let (whole, isText) = (content, kind == .text)
        (content, lease, kind) = ([], nil, nil)
        guard isText else { return .binary(whole) }
        guard let text = whole.withUnsafeBufferPointer({ $0.validText }) else { throw .invalidText }
        return .text(text)
    }

    // MARK: Control frames

    private mutating func control(
        _ header: FrameHeader, _ start: UnsafeMutablePointer<UInt8>, _ now: Int
    ) throws(WebSocketFailure) -> Event {
        let payload = UnsafeMutableBufferPointer(start: start, count: header.length)
        var mask = header.mask
        mask?.apply(to: payload)
        guard controls.allowsOneMore(at: now) else { throw .tooManyControlFrames }
        switch header.opcode {
        case .ping: return .ping(Array(payload))
        case .pong: return .pong(Array(payload))
        default:
            let event = try close(UnsafeBufferPointer(payload))
            end()
            return event
        }
    }

    /// RFC 6455 §5.5.1, §7.1.5: nothing, or a code and a reason in UTF-8.
    private func close(_ payload: UnsafeBufferPointer<UInt8>) throws(WebSocketFailure) -> Event {
        if payload.isEmpty { return .close(nil, reason: "") }
        guard payload.count >= 2 else { throw .protocolError("A Close frame has half a code.") }
        let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.maySend else { throw .protocolError("A Close frame has a code that is never sent.") }
        guard let reason = UnsafeBufferPointer(rebasing: payload.dropFirst(2)).validText else { throw .invalidText }
        return .close(code, reason: reason)
    }
}

/// Counts a client's control frames: each costs the server work, and none is a message.
struct ControlRate: BitwiseCopyable {
    private var second: Int32 = 0
    private var count: Int32 = 0

    /// The most that may come in one second.
    static let maximum: Int32 = 100

    /// Counts one. False when there are too many in this second.
    /// - Parameter now: The time in seconds.
    mutating func allowsOneMore(at now: Int) -> Bool {
        let now = Int32(truncatingIfNeeded: now)
        if now != second { (second, count) = (now, 0) }
        count &+= 1
        return count <= Self.maximum
    }
}
