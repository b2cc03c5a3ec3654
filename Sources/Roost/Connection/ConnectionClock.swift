// A connection waits for one thing at a time, and each wait has its end:
//
//     what is waited for      when it ends                                       what happens then
//     ------------------      ------------                                       -----------------
//     the first request       `headTimeout` after accept                         408
//     another request         `idleTimeout` after the last response              close
//     the rest of its head    `headTimeout` after its first byte                 408
//     more of a body          when the client is too far behind the least rate   the handler gets a 408
//     room for output         when the client is too far behind the least rate   close
//     the client's end        a while after its last byte, and not for ever      close
//     a handler               `handlerTimeout` of its own time, if that is set   503
//     a WebSocket's client    when it has been silent for too long               a ping; then close
//     its Close frame         ten seconds after the server's own                 close
//     nothing                 never

/// The current wait of a connection, its deadline, and the action when that passes: a pure value, in the seconds of its
/// group.
struct ConnectionClock {
    /// The event that a connection waits for.
    enum Wait: UInt8 {
        /// The whole head of the first request.
        case firstRequest
        /// The first byte of another request.
        case request
        /// The rest of another request's head.
        case head
        /// More of a request's body.
        case body
        /// The client to take what it has been sent. Until it does, nothing else is waited for.
        case output
        /// The client to close, after its last response.
        case end
        /// A handler whose time is limited.
        case handler
        /// Anything from the client of a WebSocket.
        case sign
        /// The Close frame of a client that has been sent one.
        case closeFrame
        /// Nothing that the client owes, and no handler whose time is limited.
        case nothing
    }

    /// The action when a wait has lasted too long.
    enum Expiry {
        /// The request is refused with a 408.
        case refusal
        /// The code that reads the body gets a 408 to respond with.
        case bodyFailure
        case close
        /// The handler is cancelled, and its request refused with a 503.
        case handlerFailure
        /// The WebSocket pings its client, or gives it up.
        case silence
        case nothing
    }

    private(set) var wait: Wait
    /// The time at which the running handler has had its time, not counting its waits for the client; `.max` without a
    /// handler or a limit.
    private var handlerEnd = Int32.max
    /// The time from which on the next response is the last one; `.max` without a limit.
    private let retirement: Int32
    /// The time at which the wait began.
    private(set) var began: Int
    /// The time at which the wait ends.
    private(set) var deadline: Int
    /// The client's arrears in taking its output, over all its responses.
    private var arrears = Arrears()

    /// The maximum time for which a client may go on sending after its last response, as a multiple of the silence that
    /// it is allowed.
    private static let endRounds = 6

    /// A client has connected.
    init(at now: Int, _ limits: borrowing ConnectionLimits) {
        wait = .firstRequest
        began = now
        deadline = now + limits.headTimeout
        retirement = limits.maximumAge.map { Int32(clamping: now + $0) } ?? .max
    }

    /// Whether the connection is so old that the next response is the last one.
    func isRetired(at now: Int) -> Bool { now >= Int(retirement) }

    /// The action when the wait ends.
    var expiry: Expiry {
        switch wait {
        case .firstRequest, .head: .refusal
        case .body: .bodyFailure
        case .request, .output, .end, .closeFrame: .close
        case .handler: .handlerFailure
        case .sign: .silence
        case .nothing: .nothing
        }
    }

    /// The client has sent what the connection waited for.
    mutating func awaitNothing(at now: Int) {
        if wait != .output { resumeHandler(at: now) }
    }

    /// A handler begins.
    mutating func beginHandler(at now: Int, within seconds: Int) {
        handlerEnd = Int32(clamping: now + seconds)
        awaitNothing(at: now)
    }

    /// The handler has returned.
    mutating func endHandler() {
        handlerEnd = .max
        if wait == .handler { stop() }
    }

    /// The time spent waiting for the client does not count as the handler's.
    private mutating func resumeHandler(at now: Int) {
        guard handlerEnd < .max else { return stop() }
        if wait == .body || wait == .output { handlerEnd = Int32(clamping: Int(handlerEnd) + now - began) }
        wait = .handler
        deadline = Int(handlerEnd)
    }

    /// Waits for the next request. A head has its time from its first byte, the first head from accept. Only a whole
    /// head gives the client more time, not further bytes or the empty lines that are skipped.
    /// - Parameter headHasBegun: Whether some of it has come.
    mutating func awaitRequest(at now: Int, headHasBegun: Bool, _ limits: borrowing ConnectionLimits) {
        switch wait {
        case .firstRequest, .head, .output: break
        case .request where !headHasBegun: break
        case .request, .body, .end, .handler, .sign, .closeFrame, .nothing:
            if headHasBegun {
                begin(.head, at: now, within: limits.headTimeout)
            } else {
                begin(.request, at: now, within: limits.idleTimeout)
            }
        }
    }

    /// Waits for more of a body.
    /// - Parameter arrears: The client's arrears in sending it.
    mutating func awaitBody(at now: Int, _ arrears: Arrears, _ rate: MinimumRate) {
        if wait != .output { begin(.body, at: now, within: arrears.secondsLeft(rate)) }
    }

    /// Waits until the client has taken more. Only this time counts against it, not the time to make a response.
    mutating func awaitOutput(at now: Int, _ rate: MinimumRate) {
        countWait(until: now, rate)
        begin(.output, at: now, within: arrears.secondsLeft(rate))
    }

    /// Whether it matters how much of its output the client takes: usually it has taken everything.
    var countsOutput: Bool { wait == .output || arrears.bytes > 0 }

    /// The client has taken some of its output.
    mutating func outputMoved(_ count: Int, at now: Int, _ rate: MinimumRate) {
        countWait(until: now, rate)
        arrears.pay(count, rate)
        if wait == .output { begin(.output, at: now, within: arrears.secondsLeft(rate)) }
    }

    /// The client could take more than there is.
    mutating func outputIsTaken(at now: Int, _ rate: MinimumRate) {
        countWait(until: now, rate)
        resumeHandler(at: now)
    }

    private mutating func countWait(until now: Int, _ rate: MinimumRate) {
        if wait == .output { arrears.add(seconds: now - began, rate) }
    }

    /// Returns the time in seconds for which the client has kept others waiting; nil when it owes nothing.
    func lag(at now: Int, _ limits: borrowing ConnectionLimits) -> Int? {
        switch wait {
        case .firstRequest, .head, .end, .closeFrame: now - began
        case .body: limits.body.window - (deadline - now)
        case .output: limits.output.window - (deadline - now)
        case .request, .handler, .sign, .nothing: nil
        }
    }

    /// Waits for the client to close.
    /// - Parameter seconds: The maximum time that it may be silent.
    mutating func awaitEnd(at now: Int, within seconds: Int) {
        begin(.end, at: now, within: seconds)
    }

    /// The client has had its last response and still sends: it has as long again for more, but not for ever.
    mutating func prolongEnd(at now: Int, within seconds: Int) {
        if wait == .end { deadline = min(began + Self.endRounds * seconds, now + seconds) }
    }

    /// Waits for anything from the client of a WebSocket.
    mutating func awaitSign(at now: Int, until deadline: Int) {
        if wait == .output { return }
        wait = .sign
        began = now
        self.deadline = deadline
    }

    /// Waits for the Close frame of a WebSocket's client.
    /// - Parameter closed: The time at which the server sent its own.
    mutating func awaitCloseFrame(since closed: Int, within seconds: Int) {
        if wait != .output { begin(.closeFrame, at: closed, within: seconds) }
    }

    /// Ends the wait sooner, or later.
    mutating func end(at deadline: Int) { self.deadline = deadline }

    /// Waits for nothing any more.
    mutating func stop() {
        wait = .nothing
        deadline = .max
    }

    private mutating func begin(_ wait: Wait, at now: Int, within seconds: Int) {
        self.wait = wait
        began = now
        deadline = now + seconds
    }
}
