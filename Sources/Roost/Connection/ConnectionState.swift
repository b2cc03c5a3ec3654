// The work of a connection, and its wait meanwhile: one thing at a time. No other pairs exist, because nothing
// else changes them than the functions below.
//
//     phase      waits for                when that ends                                    what happens then
//     ---------  -----------------------  -----------------------------------------------   ---------------------
//     receiving  the first request        `headTimeout` after accept                        408
//                another request          `idleTimeout` after the last response             close
//                the rest of its head     `headTimeout` after its first byte                408
//                room for output          when the client is too far behind the least rate  close
//     serving    nothing of its client    never
//                a handler                `handlerTimeout` of its own time, if that is set  503
//                more of a body           when the client is too far behind the least rate  the handler gets a 408
//                room for output          as above                                          close
//     upgraded   what its session wants   when that says                                    the session decides
//                nothing of its client    never
//                room for output          as above                                          close
//     lingering  room for output          as above                                          close
//                the client's end         a while after its last byte, and not for ever     close
//     closed     nothing                  never

/// The state of a connection: its phase, its wait, the end of that wait, and the action at that time. It is a pure
/// value, in the seconds of its group.
struct ConnectionState {
    /// The part of its life that a connection is in.
    enum Phase: UInt8 {
        /// It receives a request, or the rest of its head.
        case receiving
        /// It handles requests; what comes meanwhile is kept.
        case serving
        /// It has changed to another protocol.
        case upgraded
        /// Every request has had its response; bytes that still come are dropped.
        case lingering
        case closed
    }

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
        /// The wait of the session of another protocol.
        case session
        /// No wait: the client owes nothing, and no handler's time is limited.
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
        /// The session of another protocol decides.
        case session
        case nothing
    }

    private(set) var phase = Phase.receiving
    private(set) var wait: Wait
    /// Whether the body that is being sent has no other end than that of the connection.
    var endsBody = false
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
        case .request, .output, .end: .close
        case .handler: .handlerFailure
        case .session: .session
        case .nothing: .nothing
        }
    }

    /// A request has come, and is handled.
    mutating func serve(at now: Int) {
        phase = .serving
        awaitNothing(at: now)
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
        if wait == .handler { awaitNothing() }
    }

    /// The time spent waiting for the client does not count as the handler's.
    private mutating func resumeHandler(at now: Int) {
        guard handlerEnd < .max else { return awaitNothing() }
        if wait == .body || wait == .output { handlerEnd = Int32(clamping: Int(handlerEnd) + now - began) }
        wait = .handler
        deadline = Int(handlerEnd)
    }

    /// Waits for the next request. A head has its time from its first byte, the first head from accept. Only a whole
    /// head gives the client more time, not further bytes or the empty lines that are skipped.
    /// - Parameter headHasBegun: Whether some of it has come.
    mutating func awaitRequest(at now: Int, headHasBegun: Bool, _ limits: borrowing ConnectionLimits) {
        phase = .receiving
        switch wait {
        case .firstRequest, .head, .output: break
        case .request where !headHasBegun: break
        case .request, .body, .end, .handler, .session, .nothing:
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
        case .firstRequest, .head, .end: now - began
        case .body: limits.body.window - (deadline - now)
        case .output: limits.output.window - (deadline - now)
        case .request, .handler, .session, .nothing: nil
        }
    }

    /// Every request has had its response, which the client may still have to take.
    mutating func linger() { phase = .lingering }

    /// Waits for the client to close.
    /// - Parameter seconds: The maximum time that it may be silent.
    mutating func awaitEnd(at now: Int, within seconds: Int) {
        begin(.end, at: now, within: seconds)
    }

    /// The client has had its last response and still sends: it has as long again for more, but not for ever.
    mutating func prolongEnd(at now: Int, within seconds: Int) {
        if wait == .end { deadline = min(began + Self.endRounds * seconds, now + seconds) }
    }

    /// The connection goes on in another protocol.
    mutating func changeProtocol(at now: Int) {
        phase = .upgraded
        awaitNothing(at: now)
    }

    /// Waits for what the other protocol waits for.
    mutating func awaitSession(at now: Int, until deadline: Int) {
        if wait != .output { begin(.session, at: now, within: deadline - now) }
    }

    /// Ends the wait at another time.
    mutating func postpone(to deadline: Int) { self.deadline = deadline }

    mutating func close() {
        phase = .closed
        awaitNothing()
    }

    private mutating func awaitNothing() {
        wait = .nothing
        deadline = .max
    }

    private mutating func begin(_ wait: Wait, at now: Int, within seconds: Int) {
        self.wait = wait
        began = now
        deadline = now + seconds
    }
}
