import Logging

// A connection after its upgrade. What comes is read once when the socket is ready, as ever; the receiver says what it
// means. Control frames are dealt with on the spot. A message resumes the handler if that waits, or waits for it:
// beyond some bytes the socket is no longer read, so that a handler that does not read stops its client.
//
// What the handler sends goes out with one `write` for each message, or for each 64 KiB of a large one. What the socket
// does not take suspends the sender.

/// One WebSocket: what its handler and its connection know of each other. Used on the connection's loop only.
final class WebSocketSession {
    enum State {
        case open
        /// A Close frame was sent, and the client's is awaited.
        case closing
        /// Nothing more is read or written.
        case over
    }

    let connection: Connection
    /// What its handler is called with; it names the handler in the log.
    let request: Request
    /// The handler's task, in which reading needs no other way to be cancelled than the end of the messages.
    var handlerTask: UnsafeCurrentTask?
    private let limits: WebSocketLimits
    var receiver: MessageReceiver
    let compression: OutgoingCompression?
    var state = State.open
    /// How it has ended, for those who still send or read; nil while it is open. An orderly end ends the messages, any
    /// other throws.
    var end: WebSocketClosed?
    var endIsOrderly = false

    /// A Close frame, or what is not the protocol, has come behind messages that the handler has not read yet, or may
    /// still be answering: it is answered in its turn.
    struct Pending {
        let end: WebSocketClosed
        /// The code to send; nil for a Close frame without one.
        let code: WebSocketCloseCode?
        let isOrderly: Bool
    }

    var pending: Pending?
    /// Messages that nobody has read yet, the oldest first.
    var messages = MessageQueue()
    var reader: UnsafeContinuation<WebSocketMessage?, any Error>?
    /// Counts waits for a message, so that only the one that was cancelled ends.
    private(set) var waits: UInt32 = 0
    var hasBeenRead = false
    /// Whether somebody reads at this moment, and so learns what is found meanwhile.
    var isReading = false
    /// Whether the handler has not returned.
    var isRunning = true
    /// Whether the handler must be cancelled as soon as its task is known.
    var isCancelled = false
    /// Whether a message of several frames is being sent.
    var isSending = false
    /// How many bytes were sent since others had their turn.
    var sentSinceTurn = 0
    /// Those who wait to send.
    var senders: [UnsafeContinuation<Void, Never>] = []
    /// A pong that waits until the client takes its output. Only the latest ping has to be answered (RFC 6455 §5.5.3).
    var pong: [UInt8]?

    /// When something last came from the client, when a message did, and when a Close frame was sent, in the group's
    /// seconds.
    private var lastHeard: Int
    private var lastMessage: Int
    var closed = 0
    var pendingSince = 0
    private var isPinged = false

    init(_ connection: Connection, _ upgrade: WebSocketUpgrade) {
        let group = connection.group
        self.connection = connection
        request = upgrade.request
        limits = WebSocketLimits(upgrade.options)
        let deflate = upgrade.handshake.deflate
        let incoming = deflate.map {
            IncomingCompression(group.compressors, windowBits: $0.clientBits, forgets: $0.clientForgets)
        }
        let threshold = upgrade.options.compression?.threshold ?? 0
        compression = deflate.map {
            let pool = group.compressors
            return OutgoingCompression(
                pool, windowBits: $0.serverBits, forgets: $0.serverForgets, threshold: threshold)
        }
        let limit = max(0, upgrade.options.maximumMessageSize)
        receiver = MessageReceiver(from: .client, limit: limit, compression: incoming, memory: group.memory)
        lastHeard = group.now
        lastMessage = group.now
    }

    // MARK: What comes

    /// The socket can be read.
    func receive() {
        guard connection.receive() else { return connection.input.keepRest(in: connection.group) }
        lastHeard = connection.group.now
        isPinged = false
        advance()
    }

    /// Reads what has been received, as far as there is room for its messages.
    func advance() {
        while canRead, let bytes = connection.input.bytes {
            do throws(WebSocketFailure) {
                let now = connection.group.now
                guard let event = try receiver.next(in: bytes, at: &connection.input.cursor, now: now) else { break }
                take(event)
            } catch {
                fail(error)
            }
        }
        guard state != .over else { return }
        flushFrames()
        connection.input.keepRest(in: connection.group)
        awaitClient()
    }

    private func take(_ event: MessageReceiver.Event) {
        switch event {
        case .message(let message):
            lastMessage = connection.group.now
            // After this side has closed, what still comes is of no use.
            guard state == .open else { return }
            if let reader = reader.take() {
                reader.resume(returning: message)
            } else {
                messages.append(message, connection.group.memory)
            }
        case .ping(let payload): if state == .open { answer(payload) }
        case .pong: break
        case .close(let code, let reason): clientCloses(code, reason)
        }
    }

    func answer(_ payload: [UInt8]) {
        guard connection.unsent == nil else { return pong = payload }
        payload.withUnsafeBufferPointer { FrameWriter.write(.pong, $0, to: output) }
    }

    // MARK: Time

    /// Whether what the client sends is read: not while its messages wait for the handler.
    private var canRead: Bool {
        switch state {
        case .open: messages.hasRoom && pending == nil
        case .closing: true
        case .over: false
        }
    }

    /// Waits for the client: for its Close frame, for anything if it was pinged, or until it has been silent for so
    /// long that it is pinged. Nothing is waited for that could not be read.
    func awaitClient() {
        let interest = connection.socket.interest
        connection.watch(canRead ? interest.union(.read) : interest.subtracting(.read))
        let now = connection.group.now
        switch state {
        case .over: break
        case .closing: connection.clock.awaitCloseFrame(since: closed, within: WebSocketLimits.closeTimeout)
        case .open where pending != nil:
            connection.clock.awaitSign(at: now, until: pendingSince + WebSocketLimits.closeTimeout)
        case .open where !canRead: connection.clock.awaitNothing(at: now)
        case .open:
            let silence = isPinged ? limits.pingInterval + limits.pongTimeout : limits.pingInterval
            connection.clock.awaitSign(
                at: now, until: min(lastHeard + silence, lastMessage + limits.idleTimeout))
        }
    }

    /// The client has been silent for some time.
    func clientIsSilent() {
        if finishPending() { return }
        let now = connection.group.now
        if now >= lastMessage + limits.idleTimeout {
            return close(.goingAway, "Nothing was sent for too long.")
        }
        if isPinged { return connection.close() }
        isPinged = true
        FrameWriter.write(.ping, UnsafeBufferPointer(start: nil, count: 0), to: output)
        flushFrames()
        if state != .over { awaitClient() }
    }

    // MARK: Reading

    /// Gives the next message to a reader, now or when it has come.
    func read(_ continuation: UnsafeContinuation<WebSocketMessage?, any Error>) {
        hasBeenRead = true
        waits &+= 1
        if !hasMessage(), end == nil, reader == nil {
            flushFrames()
            return reader = continuation
        }
        continuation.resume(with: Result { try messageThatIsThere() })
    }

    /// Whether a message is there; reads what has been received if none is.
    func hasMessage() -> Bool {
        isReading = true
        defer { isReading = false }
        if messages.isEmpty, end == nil, !finishPending(), !connection.input.isEmpty { advance() }
        return !messages.isEmpty
    }

    /// The message that is there, or how the messages have ended.
    func messageThatIsThere() throws -> WebSocketMessage? {
        hasBeenRead = true
        if let message = messages.popFirst() {
            // The client may go on.
            if messages.isEmpty, state == .open, !connection.socket.interest.contains(.read) { advance() }
            return message
        }
        guard let end else { throw WebSocketReadTwice() }
        if endIsOrderly { return nil }
        throw end
    }

    /// Whoever waits for a message is cancelled, if that is still the same wait.
    func cancelWait(_ number: UInt32) {
        if waits == number { reader.take()?.resume(throwing: CancellationError()) }
    }
}

/// Two tasks read from one WebSocket at the same time.
struct WebSocketReadTwice: Error, CustomStringConvertible {
    var description: String {
        "Another task is reading from this WebSocket already: read in one, and pass messages on."
    }
}
