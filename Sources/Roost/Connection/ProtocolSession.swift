/// A protocol that can speak for a connection instead of HTTP/1.1: from its beginning, as HTTP/2 does, or after a
/// response with 101 (RFC 9110 §7.8).
package protocol ProtocolUpgrade: AnyObject {
    /// Goes on with a connection, and sets its session. What has been received is in its input.
    func begin(on connection: Connection)
}

/// A protocol on its connection. The connection reads, writes and closes; what the bytes mean is the session's.
package protocol ProtocolSession: AnyObject {
    /// The socket can be read.
    func receive()
    /// The client has taken everything that it was sent.
    func outputIsTaken()
    /// The time is over for which it waits (``Connection/awaitSession(for:)``).
    func deadlineHasPassed()
    /// A second has passed in which the client has not taken everything that it was sent, which is what the connection
    /// waits for meanwhile.
    func secondOfOutputHasPassed()
    /// It has had its share of a turn, and others have had theirs (``Connection/goOnLater()``).
    func goOn(_ share: inout TurnShare)
    /// The server ends.
    func serverEnds()
    /// The connection is gone, however that has come.
    func connectionIsGone()
    /// Whether anything has come from the client since the previous tick.
    var wasHeardLately: Bool { get }
    /// Whether it reads nothing, so that reading cannot show that the client has gone.
    var isNeverRead: Bool { get }
    /// The work that it does.
    var work: SessionWork { get }
    /// The time in seconds for which all of its work has waited for the client; nil when some does not.
    var lag: Int? { get }
}

extension ProtocolSession {
    package func secondOfOutputHasPassed() {}
}

/// The work of a session, for the metrics, and for the choice of connections that are closed to make room.
package enum SessionWork {
    /// No request is under way.
    case none
    case requests
    /// Something that lasts, as a WebSocket does.
    case lasting
}

extension Connection {
    /// Lets another protocol speak for the connection from now on.
    package func speak(_ other: any ProtocolUpgrade) {
        state.changeProtocol(at: group.now)
        task = nil
        other.begin(on: self)
    }

    /// Lets HTTP/2 speak for the connection if a handshake has chosen it; whether it has.
    func beginHTTP2IfChosen() -> Bool {
        guard let http2 = group.http2, state.phase == .receiving, state.wait == .firstRequest,
            socket.transport?.speaksHTTP2 ?? false
        else { return false }
        speak(http2)
        return true
    }

    /// Lets HTTP/2 speak for the connection if the client begins with it without having asked; whether it does. It
    /// begins with a request line that no request of HTTP/1.1 has (RFC 9113 §3.4). Clients with TLS have to ask.
    func beginHTTP2IfPreface() -> Bool {
        guard let http2 = group.http2, socket.transport == nil, state.phase == .receiving, state.wait == .firstRequest,
            let bytes = input.bytes,
            bytes.slice(ByteRange(input.cursor, bytes.count)).prefix(16).elementsEqual("PRI * HTTP/2.0\r\n".utf8)
        else { return false }
        speak(http2)
        return true
    }

    // The services of a connection for a session of another module.

    /// Reads once. False when nothing came, or the connection is closed now.
    package func read() -> Bool {
        if receive() { return true }
        keepInput()
        return false
    }

    /// Lends everything that has been received, which then is used.
    package func useInput<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let bytes = input.bytes else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
        let result = body(bytes.slice(ByteRange(input.cursor, bytes.count)))
        input.cursor = bytes.count
        keepInput()
        return result
    }

    /// Writes bytes to the turn's output.
    package func append(_ bytes: UnsafeBufferPointer<UInt8>) { output.append(bytes) }

    /// Writes bytes to the turn's output, and behind them as many as a function copies there. When that is false,
    /// nothing has been written.
    package func append(
        _ bytes: UnsafeBufferPointer<UInt8>, followedBy count: Int,
        _ copy: (UnsafeMutableBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let output = output
        let start = output.count
        output.append(bytes)
        if output.write(upTo: count, { copy($0) ? count : 0 }) == count { return true }
        output.truncate(to: start)
        return false
    }

    /// Sends the turn's output if there is much of it.
    package func sendIfFull() { group.output.sendIfFull() }

    /// Whether the client has taken everything that it was sent.
    package var hasTakenOutput: Bool { unsent == nil }

    /// Reads from the client, or does not.
    package func watchInput(_ reads: Bool) {
        watch(reads ? socket.interest.union(.readable) : socket.interest.subtracting(.readable))
    }

    /// Waits for the client on behalf of the session, in seconds from now; nil waits for nothing.
    package func awaitSession(for seconds: Int?) {
        guard let seconds else { return state.awaitNothing(at: group.now) }
        state.awaitSession(at: group.now, until: group.now + seconds)
    }

    /// Goes on after the other clients.
    package func goOnLater() { group.turns.append(self) }

    /// Ends the session and the connection, once the client has taken everything.
    package func endSession() {
        session = nil
        finish()
    }
}

/// The share of a turn for a session of another module.
extension Connection {
    /// The connection's share of this turn.
    package var turnShare: TurnShare { group.turns.share }

    /// Whether another request may be responded to in this turn.
    package func allowsMore(_ share: inout TurnShare) -> Bool {
        guard share.allowsMore(writtenUpTo: group.output.position, now: LoopMetrics.now) else { return false }
        // The watchdog must not take many requests for a long one.
        group.loop.activity.work()
        return true
    }

    /// Whether the connection is so old that it should end.
    package var isRetired: Bool { state.isRetired(at: group.now) }
}
