// The times of a WebSocket: how long its client may be silent, and owe the rest of what it has begun to send.

extension WebSocketSession {
    /// Whether what the client sends is read: not while its messages wait for the handler.
    var canRead: Bool {
        switch state {
        case .closing where !isListening: true
        case .open, .closing: messages.hasRoom && pending == nil
        case .over: false
        }
    }

    /// Waits for the client: for its Close frame, for the rest of what it has begun, for anything if it was pinged, or
    /// until it has been silent for so long that it is pinged. Nothing is waited for that could not be read.
    func awaitClient() {
        let interest = connection.socket.interest
        connection.watch(canRead ? interest.union(.readable) : interest.subtracting(.readable))
        let now = connection.group.now
        switch state {
        case .over: break
        case .closing:
            connection.state.awaitSession(at: now, until: (end?.time ?? now) + WebSocketLimits.closeTimeout)
        case .open where pending != nil:
            connection.state.awaitSession(at: now, until: (pending?.time ?? now) + WebSocketLimits.closeTimeout)
        case .open where !canRead: connection.state.awaitNothing(at: now)
        case .open:
            let silence = Int(limits.pingInterval) + (isPinged ? Int(limits.pongTimeout) : 0)
            let end = min(Int(lastHeard) + silence, Int(lastMessage) + Int(limits.idleTimeout))
            // Of a message, or of the head of a frame, which is all that is left when everything has been read.
            isOwed = receiver.isInMessage || !connection.input.isEmpty
            connection.state.awaitSession(at: now, until: isOwed ? min(end, now + arrears.secondsLeft(rate)) : end)
        }
    }

    /// A message takes memory until it is whole, so it must come at the rate of a body, whatever else the client sends.
    private var rate: MinimumRate { connection.group.limits.body }

    /// Counts the time of a wait for the rest of what the client has begun to send.
    func countWait() {
        guard isOwed else { return }
        isOwed = false
        // Waiting for it to take its output is not that.
        guard connection.state.wait == .session else { return }
        arrears.add(seconds: connection.group.now - connection.state.began, rate)
    }

    /// The client has sent a number of bytes, which end with an event. A control frame may come within a message, and
    /// does not bring that forward.
    func pay(_ count: Int, for event: MessageReceiver.Event?) {
        if arrears.bytes > 0 { arrears.pay(count - (event?.controlSize ?? 0), rate) }
    }

    /// Has the time for the response to a ping begin now, for a client that could not send or get it until now.
    func extendTimeForPong() {
        if isPinged { lastHeard = max(lastHeard, now - limits.pingInterval) }
    }

    /// The client has sent no Close frame in time, not enough of a message, or nothing for some time.
    func deadlineHasPassed() {
        if state == .closing {
            if !finishPending() { connection.close() }
            return
        }
        // A handler that has read all messages, and reads no further, would learn of the Close when it sends, if ever.
        let handler = messages.isEmpty ? connection.task : nil
        if finishPending() {
            handler?.cancel()
            return
        }
        if isOwed {
            countWait()
            if arrears.secondsLeft(rate) == 0 {
                fail(.tooSlow)
                return advance()
            }
        }
        let now = connection.group.now
        if now >= Int(lastMessage) + Int(limits.idleTimeout) {
            return end(with: .goingAway, "Nothing was sent for too long.")
        }
        if isPinged { return connection.close() }
        isPinged = true
        extendTimeForPong()
        FrameWriter.write(.ping, UnsafeBufferPointer(start: nil, count: 0), to: output)
        advance()
    }
}

extension MessageReceiver.Event {
    /// The size in bytes of a client's control frame (RFC 6455 §5.2, §5.5); 0 for a message.
    fileprivate var controlSize: Int {
        switch self {
        case .ping(let payload), .pong(let payload): 6 + payload.count
        case .message, .close: 0
        }
    }
}

/// The times of one WebSocket in the seconds of its group; a very long one stands for no limit.
struct WebSocketLimits {
    let pingInterval: Int32
    let pongTimeout: Int32
    let idleTimeout: Int32

    /// The maximum time in seconds for a client to answer a Close frame with its own.
    static let closeTimeout = 10

    init(_ options: WebSocketOptions) {
        pingInterval = Self.seconds(options.pingInterval)
        pongTimeout = Self.seconds(options.pongTimeout)
        idleTimeout = Self.seconds(options.idleTimeout)
    }

    /// Small numbers, because there may be very many of these.
    private static func seconds(_ duration: Duration?) -> Int32 {
        duration.map { Int32(clamping: max(1, $0.wholeSeconds)) } ?? .max
    }
}
