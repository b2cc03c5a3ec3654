import HTTPTypes

// One client: read → advance → respond → flush. The loop calls `ready` (from `ConnectionSocket.watch`),
// which calls `receive` and `advance`; `answerOnTheSpot` responds, and `TurnOutput` flushes when the turn ends.
//
// A connection reads, writes, waits and closes; a protocol says what the bytes mean. There are two ways to speak for a
// connection. HTTP/1.1 has one exchange at a time, so its state is the connection's own (phases `receiving` and
// `serving`). Any other protocol is a `ProtocolSession` (phase `upgraded`): HTTP/2, whose exchanges are many at a time,
// and WebSockets.
//
// HTTP/1.1: a readable socket is read once, and every whole request in what was read is handled; the responses gather
// in the loop's `TurnOutput` and go out with one write. A function that never waits has responded before the callback
// returns. A handler that may wait is called when the turn ends, by a `ServingTask`. `ConnectionState` is the table of
// what a connection does and waits for.
//
// Of several clients, the one that has sent first is read first (`ConnectionSocket`). What a client sends while its
// request is being handled is kept up to a limit; beyond it, the socket is not watched for reading until the response
// is out.

/// A client's connection.
///
/// It is used on its loop's thread only. The task that serves it prefers that loop as its executor, so it resumes
/// there, whatever its handlers have awaited.
package final class Connection {
    package let group: ConnectionGroup
    package let peer: PeerAddress
    /// The address of the client that has sent the latest request; it is not the peer's behind a trusted proxy.
    @exclusivity(unchecked) private(set) var client: IPAddress?
    /// Whether the peer is a trusted proxy.
    package let isProxied: Bool
    /// Whether the peer will send nothing more.
    var peerHasFinished = false
    /// Whether the current response ends when the client sends nothing more.
    var endsWithClient = false
    /// Whether a handler took too long, and its client got a response without it.
    var hasGivenUp = false
    /// The facts about the current request that its response depends on.
    @exclusivity(unchecked) var exchange = RequestHead.Exchange()
    @exclusivity(unchecked) var state: ConnectionState

    @exclusivity(unchecked) var socket: ConnectionSocket
    var isHandlerRunning = false
    var watchdogKnowsHandler = false
    /// Whether it is about to read what its transport still has, see ``readTransportLater()``.
    @exclusivity(unchecked) var willReadTransport = false
    @exclusivity(unchecked) var input = ReceivedInput()
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) var unsent: UnsentOutput?
    /// The notes on the current request: what is learnt about it while it is handled, such as its route.
    let notes: RequestNotes
    /// The rest of the body of the current request.
    @exclusivity(unchecked) var incoming: IncomingBody?
    /// The number of further requests that may get a response.
    @exclusivity(unchecked) private var requestsLeft: Int32

    /// The event stream that is being sent.
    var live: LiveOutput?
    /// The other protocol that speaks for it, until that is over.
    @exclusivity(unchecked) package var session: (any ProtocolSession)?
    var task: Task<Void, Never>?
    /// The tasks that wait until the client has taken more: the sender of the response, and the reader of the body.
    var outputWaiters: [CheckedContinuation<Void, Never>] = []

    init(
        _ socket: Int32, from peer: PeerAddress, for client: IPAddress? = nil,
        through transport: (any Transport)? = nil, notes: RequestNotes? = nil, in group: ConnectionGroup
    ) {
        self.group = group
        self.peer = peer
        self.client = client ?? peer.ip
        isProxied = group.proxies.contain(peer)
        self.notes = notes ?? RequestNotes(for: group.loop.activity, isEncrypted: transport != nil)
        self.socket = ConnectionSocket(socket, through: transport)
        parser = RequestParser(limits: group.limits.parser)
        state = ConnectionState(at: group.now, group.limits)
        requestsLeft = group.limits.maximumRequests.map { Int32(clamping: $0) } ?? .max
    }

    func start() { watch(.readable) }

    func watch(_ interest: Readiness) {
        socket.watch(interest, for: self)
        if socket.transport != nil { readTransportLater() }
    }

    /// The loop reports that the socket can be read or written.
    func ready(_ what: Readiness) {
        if what.contains(.writable) { resend() }
        guard what.contains(.readable) else { return }
        switch state.phase {
        case .receiving: if receive() { advance() }
        case .serving: receiveAhead()
        case .upgraded: session?.receive()
        case .lingering: dropInput()
        case .closed: break
        }
    }

    /// Handles what has been received: without a task as far as possible, and the rest in one, when the turn ends.
    /// - Parameter share: Its share of the turn; nil for the usual one.
    func advance(_ share: TurnShare? = nil) {
        var share = share ?? group.turns.share
        if let pending = answerOnTheSpot(&share) { handOver(pending) }
    }

    /// Handles one request after the other until one takes waiting, which is returned, no whole one is left, or others
    /// come first.
    func answerOnTheSpot(_ share: inout TurnShare) -> Pending? {
        while var request = nextRequest() {
            var response: Response
            do {
                switch try group.respondWithoutWaiting(&request) {
                case .ready(let ready): response = ready
                case .waiting(let responder): return pendingAnswer(to: &request, by: responder)
                }
            } catch {
                response = group.failureResponse(error)
            }
            switch ResponseSender(connection: self).send(&response) {
            case .whole(let persists):
                if unsent != nil { return .untakenOutput(persists: persists) }
                guard endExchange(persists), takeShare(&share) else { return nil }
            case .headOnly(let persists):
                return .body(response, persists: persists, name: LogText.name(of: request))
            case .otherProtocol: return nil
            }
        }
        awaitNextRequest()
        return nil
    }

    /// The next request in what has been received. A malformed one gets its response right here, and the connection
    /// ends: there is no telling where another request would begin.
    private func nextRequest() -> Request? {
        guard let bytes = input.bytes else { return nil }
        // A proxy may have sent the request before for somebody else.
        if isProxied { client = peer.ip }
        do throws(ParseError) {
            guard let head = try parser.next(in: bytes, at: &input.cursor) else { return nil }
            exchange = head.exchange
            notes.begin(group.nextRequestNumber(), at: group.metrics == nil ? 0 : LoopMetrics.now())
            requestsLeft -= 1
            if requestsLeft == 0 || state.isRetired(at: group.now) { exchange.persists = false }
            state.serve(at: group.now)
            let body = head.framing == .none ? Body() : takeBody(of: head)
            let request = head.request(in: bytes, body: body, from: peer, notes: notes)
            if isProxied { client = request.readForwarded(trusting: group.proxies).address }
            return request
        } catch {
            if error == .unsupportedVersion, beginHTTP2IfPreface() { return nil }
            refuse(HTTPError(error.status, error.reason))
            return nil
        }
    }

    /// Counts a response, whose head is ready.
    @inline(__always)
    func countResponse(_ code: Int) {
        group.metrics?.responded(exchange.method, notes.route, status: code, since: notes.start)
    }

    /// Ends the exchange of the current request, whose response is complete, and also the connection if that does not
    /// persist. False when no other request follows.
    func endExchange(_ persists: Bool) -> Bool {
        endsWithClient = false
        incoming?.fail(CancellationError())
        incoming = nil
        guard state.phase == .serving else { return false }
        if !persists { finish() }
        return persists
    }

    /// Waits for the next request, or the rest of it.
    private func awaitNextRequest() {
        guard state.phase == .receiving || state.phase == .serving else { return }
        task = nil
        let isKept = input.keepUnread(in: group)
        // A response whose head went out before the drain has promised that another request may follow.
        let isLast = group.isDraining && input.isEmpty
        if peerHasFinished || isLast && group.patience == 0 { return finish() }
        if !isKept { return refuse(.memoryIsFull) }
        awaitRequest()
        if isLast, unsent == nil { state.postpone(to: group.now + group.patience) }
        watch(unsent == nil ? .readable : .writable)
    }

    /// Waits for a request that may have come in part.
    func awaitRequest() {
        state.awaitRequest(at: group.now, headHasBegun: !input.isEmpty, group.limits)
    }
}
