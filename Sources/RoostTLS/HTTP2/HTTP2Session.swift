internal import CNghttp2
internal import Roost

// What comes is read once when the socket is ready, and given to nghttp2, which calls back for each head, each part of
// a body and each end (`HTTP2Session+Callbacks`). The callbacks only take notes. Then the requests whose heads are
// whole are responded to, one after the other, as long as the connection has its share of the turn. At last nghttp2 is
// asked for the frames to send: so the responses of one turn go out together.

/// HTTP/2 on one connection: nghttp2's session, and the exchanges on its streams. Used on the connection's loop only.
final class HTTP2Session: ProtocolSession, TurnObserver {
    let connection: Connection
    /// The head that is being received: only one can be at a time (RFC 9113 §4.3).
    @exclusivity(unchecked) var head: FieldwiseHead?
    /// The time at which that head began, in the group's seconds.
    @exclusivity(unchecked) var headBegan: Int?
    /// The stream of that head.
    @exclusivity(unchecked) var headStream: Int32 = 0
    /// The exchanges whose streams are open, or that a task still serves.
    @exclusivity(unchecked) var exchanges: [StreamExchange] = []
    /// The exchanges whose requests wait for their response, the oldest first.
    @exclusivity(unchecked) var ready: [StreamExchange] = []
    @exclusivity(unchecked) var patience: Patience
    /// The number of requests that have come.
    @exclusivity(unchecked) var requests = 0
    let http2: HTTP2
    @exclusivity(unchecked) private(set) var handle: OpaquePointer?
    /// The time at which the connection became idle, in the group's seconds.
    @exclusivity(unchecked) var idleSince: Int
    @exclusivity(unchecked) private var lastHeard: Int
    @exclusivity(unchecked) private var isPumpDue = false
    /// The number of bytes that have been written since frames were asked for.
    @exclusivity(unchecked) var pumped = 0
    @exclusivity(unchecked) private var isWaitingForTurn = false
    @exclusivity(unchecked) private(set) var isOver = false
    @exclusivity(unchecked) private var ending = Ending.none

    private enum Ending {
        case none
        /// The client knows that the end is near, and may still send requests.
        case announced(at: Int)
        /// The last request is settled.
        case begun
    }

    init?(_ connection: Connection, _ http2: HTTP2) {
        self.connection = connection
        self.http2 = http2
        patience = Patience(withProxy: connection.isProxied)
        (idleSince, lastHeard) = (connection.group.now, connection.group.now)
        let me = Unmanaged.passUnretained(self).toOpaque()
        let result = FrameMemory.withFunctions {
            nghttp2_session_server_new3(&handle, http2.callbacks, me, http2.options(for: connection), $0)
        }
        guard result == 0 else { return nil }
    }

    deinit { nghttp2_session_del(handle) }

    /// Begins with the bytes that have come with the choice of the protocol.
    func begin() {
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                value: UInt32(HTTP2.maximumStreams)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(HTTP2.streamWindow)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: connection.group.limits.parser.fields)),
            // For WebSockets (RFC 8441).
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL.rawValue), value: 1),
        ]
        nghttp2_submit_settings(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        nghttp2_session_set_local_window_size(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, HTTP2.connectionWindow)
        connection.watchInput(true)
        awaitClient()
        if connection.group.isDraining { serverEnds() }
        feed()
    }

    // MARK: Reading

    func receive() {
        // What it would say has no place to go. It is read when the client has taken more.
        guard connection.hasTakenOutput, ready.isEmpty else { return connection.watchInput(false) }
        if connection.read() { feed() }
    }

    private func feed() {
        lastHeard = connection.group.now
        patience.pass(to: lastHeard)
        let used = connection.useInput { nghttp2_session_mem_recv(handle, $0.baseAddress, $0.count) }
        if isOver { return }
        if used == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue) { return finish(isMalformed: true) }
        if used < 0 || patience.isOver { return loseIt() }
        if connection.isRetired || requests >= connection.group.limits.maximumRequests ?? .max { announceEnd() }
        var share = connection.turnShare
        respond(&share)
    }

    /// Responds to the requests whose heads are whole, until the connection has had its share of the turn.
    private func respond(_ share: inout TurnShare) {
        // What is responded to on the spot is sent afterwards, together.
        isPumpDue = true
        while !ready.isEmpty {
            ready.removeFirst().respond()
            if isOver { return }
            if !ready.isEmpty, !connection.allowsMore(&share) {
                isWaitingForTurn = true
                connection.goOnLater()
                break
            }
        }
        pump()
    }

    func goOn(_ share: inout TurnShare) {
        isWaitingForTurn = false
        if !isOver, connection.hasTakenOutput { respond(&share) }
    }

    // MARK: Writing

    /// The number of bytes that go to a client before others have their turn.
    static let turnSize = 64 * 1024

    /// Writes the frames that are there to be sent, if the client takes them.
    private func pump() {
        isPumpDue = false
        guard !isOver else { return }
        guard connection.hasTakenOutput else { return countMemory() }
        guard writeFrames() else { return connection.close() }
        if nghttp2_session_want_read(handle) == 0, nghttp2_session_want_write(handle) == 0 { return finish() }
        if patience.isOver { return loseIt() }
        connection.sendIfFull()
        if isOver { return }
        countMemory()
        if pumped >= Self.turnSize, !isWaitingForTurn {
            isWaitingForTurn = true
            connection.goOnLater()
        }
        awaitClient()
    }

    /// Writes as many frames as may go out before others have their turn; nghttp2 has parts of bodies written by
    /// `writeBody`. False when there is no memory.
    private func writeFrames() -> Bool {
        pumped = 0
        while pumped < Self.turnSize, !isOver {
            var data: UnsafePointer<UInt8>?
            let size = nghttp2_session_mem_send(handle, &data)
            if size <= 0 { return size == 0 }
            connection.append(UnsafeBufferPointer(start: data, count: size))
            pumped += size
        }
        return true
    }

    /// Output that clients have not taken counts in the memory that they may use together.
    private func countMemory() {
        for exchange in exchanges where !exchange.isClosed && !exchange.countMemory() {
            submitReset(exchange.number, NGHTTP2_INTERNAL_ERROR)
            // Otherwise it is written when the client has taken what was there before: until then, each pump would end
            // here again.
            if connection.hasTakenOutput { pumpSoon() }
        }
    }

    /// There is more to send; it is asked for when the turn ends.
    func pumpSoon() {
        if isPumpDue || isOver { return }
        isPumpDue = true
        connection.group.loop.afterTurn(self)
    }

    func turnEnded() { if isPumpDue { pump() } }

    func outputIsTaken() {
        if isOver { return }
        var share = connection.turnShare
        respond(&share)
    }

    // MARK: Time and end

    /// Waits for the next look at all connections, which may be under way, or until the client has been idle too long.
    private func awaitClient() {
        connection.watchInput(ready.isEmpty && connection.hasTakenOutput)
        let isIdle = exchanges.isEmpty && headBegan == nil
        if case .none = ending, isIdle {
            connection.awaitSession(for: idleSince + idleTime - connection.group.now)
        } else {
            connection.awaitSession(for: 0)
        }
    }

    /// A client that has never sent a request has as long as one of HTTP/1.1 has for its first head.
    private var idleTime: Int {
        let limits = connection.group.limits
        return requests == 0 ? limits.headTimeout : limits.idleTimeout
    }

    func deadlineHasPassed() {
        secondHasPassed(isBlocked: false)
        pump()
    }

    func secondOfOutputHasPassed() { secondHasPassed(isBlocked: true) }

    private func secondHasPassed(isBlocked: Bool) {
        let now = connection.group.now
        for exchange in exchanges {
            exchange.secondHasPassed(isBlocked: isBlocked)
            // The rest of a request that has its response is not wanted (RFC 9113 §8.1). But clients that were told at
            // once would not read the response (curl 7.88).
            guard !isBlocked, exchange.hasWholeResponse, !exchange.isClosed else { continue }
            submitReset(exchange.number, NGHTTP2_NO_ERROR)
        }
        if isOver { return }
        // Nothing is read meanwhile, so a head cannot go on.
        if isBlocked { headBegan = headBegan.map { $0 + 1 } }
        if let headBegan, now - headBegan >= connection.group.limits.headTimeout { return loseIt(isSlow: true) }
        switch ending {
        case .announced(let time) where now > time + 1: settle()
        case .none where exchanges.isEmpty && headBegan == nil && now >= idleSince + idleTime: settle()
        case .none where connection.isRetired: announceEnd()
        default: break
        }
    }

    func serverEnds() {
        for exchange in exchanges { exchange.endNow() }
        announceEnd()
    }

    /// Tells the client that the connection will end: what is on its way is still responded to (RFC 9113 §6.8).
    private func announceEnd() {
        guard case .none = ending, !isOver else { return }
        ending = .announced(at: connection.group.now)
        nghttp2_submit_shutdown_notice(handle)
        pumpSoon()
    }

    /// Takes no further request.
    private func settle() {
        ending = .begun
        let last = nghttp2_session_get_last_proc_stream_id(handle)
        nghttp2_submit_goaway(
            handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, NGHTTP2_NO_ERROR.rawValue, nil, 0)
    }

    /// Ends the connection of a client that costs more than it may, or takes too long for a head.
    private func loseIt(isSlow: Bool = false) {
        guard !isOver else { return }
        let reason = isSlow ? "The request took too long to arrive." : "Its HTTP/2 cost more than it may."
        connection.noteRefusal(isSlow ? .requestTimeout : .tooManyRequests, reason)
        nghttp2_session_terminate_session(handle, NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
        // nghttp2 may still ask the exchanges for bytes: they end afterwards.
        // GOAWAY is behind what has been queued: a few shares of a turn at most.
        for _ in 0..<4 where connection.hasTakenOutput { _ = writeFrames() }
        finish()
    }

    private func finish(isMalformed: Bool = false) {
        guard !isOver else { return }
        if isMalformed { noteMalformed() }
        isOver = true
        endExchanges()
        connection.endSession()
    }

    func connectionIsGone() {
        isOver = true
        endExchanges()
        connection.session = nil
    }

    private func endExchanges() {
        let all = exchanges
        exchanges = []
        ready = []
        for exchange in all { exchange.close() }
    }

    var wasHeardLately: Bool { connection.group.now - lastHeard <= 1 }
    var isNeverRead: Bool { false }
    var work: SessionWork { exchanges.isEmpty ? .none : .requests }

    var lag: Int? {
        var least = Int.max
        for exchange in exchanges {
            let isHead = headBegan != nil && exchange.number == headStream
            guard let lag = isHead ? headBegan.map({ connection.group.now - $0 }) : exchange.lag else { return nil }
            least = min(least, lag)
        }
        return exchanges.isEmpty ? nil : least
    }
}
