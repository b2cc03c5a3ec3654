// A connection after its upgrade. What comes is read once when the socket is ready, as ever; the receiver says what it
// means. Control frames are dealt with on the spot. A message resumes the handler if that waits, or waits for it:
// beyond some bytes the socket is no longer read, so that a handler that does not read stops its client.
//
// A handler's small messages go out together when the turn ends; one that is large, or compressed, goes out by itself,
// with one `write` for each 64 KiB. What the socket does not take suspends the sender.

/// One WebSocket: what its handler and its connection know of each other.
///
/// `@unchecked Sendable`: any task may carry it, as its handler's ``WebSocket``. It is used on its connection's loop
/// only: what other threads may call goes there first (`WebSocketSession+Channel`), or reads what never changes.
final class WebSocketSession: @unchecked Sendable {
    enum State {
        case open
        /// A Close frame was sent, and the client's is awaited.
        case closing
        /// The end: nothing more is read or written.
        case over
    }

    let connection: Connection
    /// The request that its handler is called with; it names the handler in the log.
    let request: Request
    let subprotocol: String?
    /// The handler's task: reading in it needs no other way to be cancelled than the end of the messages. It is a
    /// number, because the layout of `UnsafeCurrentTask` is known at run time only, as that of this class would be.
    @exclusivity(unchecked) var handlerTask: UInt = 0
    @exclusivity(unchecked) var receiver: MessageReceiver
    let compression: OutgoingCompression?
    /// The end of the WebSocket, for those who still send or read; nil while it is open.
    @exclusivity(unchecked) var end: WebSocketEnd?
    /// A Close frame, or what is not the protocol, has come behind messages that the handler has not read yet, or may
    /// still be answering: it is answered in its turn.
    @exclusivity(unchecked) var pending: WebSocketEnd?
    /// Messages that nobody has read yet, the oldest first.
    @exclusivity(unchecked) var messages = MessageQueue()
    @exclusivity(unchecked) var reader: UnsafeContinuation<WebSocketMessage?, any Error>?
    /// The tasks that wait to send.
    @exclusivity(unchecked) var senders: [UnsafeContinuation<Void, Never>] = []
    /// A pong that waits until the client takes its output. Only the latest ping has to be answered (RFC 6455 §5.5.3).
    @exclusivity(unchecked) var pong: [UInt8]?
    /// The client's arrears in sending the rest of messages that it has begun, over all of them.
    @exclusivity(unchecked) var arrears = Arrears()

    // Small properties come last and together: there may be very many sessions.
    let limits: WebSocketLimits
    /// The number of bytes that were sent since others had their turn, with the overhead of each message.
    @exclusivity(unchecked) var sentSinceTurn: Int32 = 0
    /// The times at which anything, and a message, last came from the client, in the group's seconds.
    @exclusivity(unchecked) var lastHeard: Int32
    @exclusivity(unchecked) var lastMessage: Int32
    /// Counts waits for a message, so that only the one that was cancelled ends.
    @exclusivity(unchecked) private(set) var waits: UInt32 = 0
    /// The number of messages that were read since others had their turn.
    @exclusivity(unchecked) var readSinceTurn: UInt8 = 0
    @exclusivity(unchecked) var state = State.open
    @exclusivity(unchecked) var isPinged = false
    /// Whether the wait is for the rest of what the client has begun to send.
    @exclusivity(unchecked) var isOwed = false
    @exclusivity(unchecked) var hasBeenRead = false
    /// Whether somebody reads, or the handler closes, at this moment, and so learns what is found meanwhile.
    @exclusivity(unchecked) var isAware = false
    /// Whether the handler has not returned.
    @exclusivity(unchecked) var isRunning = true
    /// Whether the handler must be cancelled as soon as its task is known.
    @exclusivity(unchecked) var isCancelled = false
    /// Whether a message of several frames is being sent.
    @exclusivity(unchecked) var isSending = false

    init(_ connection: Connection, _ upgrade: WebSocketUpgrade, _ request: Request) {
        let group = connection.group
        self.connection = connection
        self.request = request
        subprotocol = upgrade.handshake.subprotocol
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
        lastHeard = Int32(truncatingIfNeeded: group.now)
        lastMessage = lastHeard
    }

    /// The time in the group's seconds.
    var now: Int32 { Int32(truncatingIfNeeded: connection.group.now) }

    /// Whether anything has come from the client since the previous tick.
    var wasHeardLately: Bool { now - lastHeard <= 1 }

    /// It may be silent: whether the client is still there, pings show.
    var lag: Int? { nil }

    // MARK: Receiving

    /// The socket can be read.
    func receive() {
        guard connection.receive() else { return keepInput() }
        lastHeard = now
        isPinged = false
        advance()
    }

    /// Reads what has been received, as far as there is room for its messages.
    func advance() {
        countWait()
        while canRead, let bytes = connection.input.bytes {
            do throws(WebSocketFailure) {
                let (now, start) = (connection.group.now, connection.input.cursor)
                let event = try receiver.next(in: bytes, at: &connection.input.cursor, now: now)
                pay(connection.input.cursor - start, for: event)
                guard take(event) else { break }
            } catch {
                fail(error)
            }
        }
        keepInput()
        if state != .over { awaitClient() }
    }

    /// Keeps what has not been read yet. A client for which there is no memory is sent away.
    private func keepInput() {
        guard state != .over, !connection.input.keepUnread(in: connection.group) else { return }
        connection.input.clear()
        fail(.memoryIsFull)
    }

    /// False when nothing more has come.
    private func take(_ event: MessageReceiver.Event?) -> Bool {
        switch event {
        case nil: return false
        case .message(let message):
            lastMessage = now
            guard state == .open || isListening else { break }
            if let reader = reader.take() {
                reader.resume(returning: message)
            } else {
                messages.append(message, connection.group.memory)
            }
        case .ping(let payload): if state == .open { answer(payload) }
        case .pong: break
        case .close(let code, let reason): clientCloses(code, reason)
        }
        return true
    }

    func answer(_ payload: [UInt8]) {
        guard connection.unsent == nil else { return pong = payload }
        payload.withUnsafeBufferPointer { FrameWriter.write(.pong, $0, to: output) }
    }

    // MARK: Reading

    /// Gives the next message to a reader, now or when it has come; nobody else waits for it.
    func read(_ continuation: UnsafeContinuation<WebSocketMessage?, any Error>) {
        hasBeenRead = true
        if !hasMessage(), !hasEnded {
            readSinceTurn = 0
            return reader = continuation
        }
        continuation.resume(with: Result { try messageThatIsThere() })
    }

    /// Whether a message is there; reads what has been received if none is.
    func hasMessage() -> Bool {
        isAware = true
        defer { isAware = false }
        if messages.isEmpty, !hasEnded, !finishPending(), !connection.input.isEmpty { advance() }
        return !messages.isEmpty
    }

    /// The message that is there, or how the messages have ended.
    func messageThatIsThere() throws -> WebSocketMessage? {
        hasBeenRead = true
        if let message = messages.popFirst() {
            readSinceTurn &+= 1
            // The client may go on.
            if messages.isEmpty, canRead, !connection.socket.interest.contains(.readable) { advance() }
            return message
        }
        if let end, !end.isOrderly { throw end.error }
        return nil
    }

    /// Begins a wait. Returns its number, by which it is cancelled.
    /// - Throws: ``WebSocketReadTwice`` while another task waits.
    func beginWait() throws(WebSocketReadTwice) -> UInt32 {
        guard reader == nil else { throw WebSocketReadTwice() }
        waits &+= 1
        return waits
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

extension ConnectionGroup {
    /// The compressors for the messages of the loop's WebSockets.
    fileprivate var compressors: CompressorPool {
        if let pool = sharedBySessions as? CompressorPool { return pool }
        let pool = CompressorPool(memory: memory)
        sharedBySessions = pool
        return pool
    }
}
