import HTTPTypes

// One client: read → advance → respond → send.
//
// A readable socket is read once, and every whole request in what was read is handled; the responses gather in the
// loop's `TurnOutput` and go out with one write. A function that never waits has responded before the callback
// returns. A handler that may wait is called when the turn ends, by a `ServingTask`; until then, and until its response
// is out, the connection is *serving*.
//
// Requests are read in the order in which they come (`ConnectionSocket`). What comes while one is being handled is kept
// up to a limit; beyond it, the socket is not watched for reading until the response is out.

/// A client's connection.
///
/// It is used on its loop's thread only. The task that serves it prefers that loop as its executor, so it resumes
/// there, whatever its handlers have awaited.
final class Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of its head.
        case waiting
        /// A task is handling requests.
        case serving
        /// It has become a WebSocket.
        case webSocket
        /// Every request has had its response; bytes that still come are dropped.
        case lingering
        case closed
    }

    let group: ConnectionGroup
    let peer: PeerAddress
    /// The address of the client that has sent the latest request; it is not the peer's behind a trusted proxy.
    @exclusivity(unchecked) private(set) var client: IPAddress?
    /// Whether the peer is a trusted proxy.
    private let isProxied: Bool
    @exclusivity(unchecked) var phase = Phase.waiting
    /// The connection's current wait, and its deadline.
    @exclusivity(unchecked) var clock: ConnectionClock
    /// Whether the peer will send nothing more.
    var peerHasEnded = false

    @exclusivity(unchecked) var socket: ConnectionSocket
    @exclusivity(unchecked) var input = ReceivedInput()
    /// The rest of the body of the current request.
    @exclusivity(unchecked) var incoming: IncomingBody?
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) var unsent: UnsentOutput?
    /// The WebSocket that it has become, until that is over.
    @exclusivity(unchecked) var session: WebSocketSession?
    /// The facts about the current request that its response depends on: method, version, persistence.
    @exclusivity(unchecked) var exchange = Exchange()
    /// The notes on the current request that are made while it is handled, such as its route.
    let notes = RequestNotes()
    /// The time at which the head of the current request was complete (`LoopMetrics.now`); 0 without metrics.
    @exclusivity(unchecked) var requestStart: UInt64 = 0
    /// The number of further requests that may get a response.
    @exclusivity(unchecked) private var requestsLeft: Int32

    /// Whether a handler took too long, and its client got a response without it.
    var hasGivenUp = false
    /// Whether it makes room for others: then it waits for its client no longer than it must.
    var hasToGo = false
    /// Whether a stream is being sent that says of itself that it is one of events.
    var isEndless = false
    /// The event stream that is being sent.
    var live: LiveOutput?
    /// Whether the current response ends when the client sends nothing more.
    var endsWithClient = false
    /// A number that changes with each request that goes to a task, and when the connection gives way to others: it
    /// tells the current request from those before it.
    var waitingRequests = 0
    var task: Task<Void, Never>?
    /// Those who wait until the client has taken more: the sender of the response, and the reader of the body.
    var outputWaiters: [CheckedContinuation<Void, Never>] = []

    init(_ socket: Int32, from peer: PeerAddress, in group: ConnectionGroup) {
        self.group = group
        self.peer = peer
        client = peer.ip
        isProxied = group.proxies.contain(peer)
        self.socket = ConnectionSocket(socket, group.loop)
        parser = RequestParser(limits: group.limits.parser)
        clock = ConnectionClock(at: group.now, group.limits)
        requestsLeft = group.limits.maximumRequests.map { Int32(clamping: $0) } ?? .max
    }

    /// The client for a log: its IP address, or `local`.
    var clientHost: String { client?.description ?? "local" }

    func start() { watch(.read) }

    func watch(_ interest: ConnectionSocket.Interest) { socket.watch(interest, for: self) }

    /// The loop reports that the socket can be read or written.
    func ready(_ what: ConnectionSocket.Interest) {
        if what.contains(.write) { resend() }
        guard what.contains(.read) else { return }
        switch phase {
        case .waiting: if receive() { advance() }
        case .serving: receiveAhead()
        case .webSocket: session?.receive()
        case .lingering: dropInput()
        case .closed: break
        }
    }

    /// Handles what has been received: without a task as far as possible, and the rest in one, when the turn ends.
    private func advance() {
        phase = .serving
        var share = group.turns.share
        if let pending = answerOnTheSpot(&share) { handOver(pending) }
    }

    /// Lets a task do what takes waiting.
    func handOver(_ pending: consuming Pending) {
        keepInput()
        if phase == .serving { group.servingTasks.add(consume pending, of: self) }
    }

    /// The serving task continues in a job, even if the client has gone before it first waited.
    func wait(for serving: ServingTask) {
        guard let task = serving.task else { return }
        self.task = task
        group.loop.activity.suspendRequest(of: self)
        if phase == .serving { keepInput() } else { task.cancel() }
    }

    /// Handles one request after the other until one takes waiting, which is returned, no whole one is left, or others
    /// come first.
    func answerOnTheSpot(_ share: inout TurnShare) -> Pending? {
        while var request = nextRequest() {
            var response: Response
            do {
                // The watchdog may read the request's line, even when middleware passes on another request.
                let watched = request.bytes
                beginWatchedOnTheSpot(request)
                defer { withExtendedLifetime(watched) { group.loop.activity.endRequest() } }
                switch try group.respondWithoutWaiting(&request) {
                case .ready(let ready): response = ready
                case .waiting(let responder):
                    if let bytes = input.bytes, group.owns(bytes) { request.letGo(of: bytes) }
                    waitingRequests &+= 1
                    let me = LoopBound(lending: self, of: group.loop)
                    request.client = ConnectedClient(me, number: waitingRequests)
                    return .answer(request, responder)
                }
            } catch {
                response = failed(error)
            }
            let sender = ResponseSender(connection: self, exchange: exchange)
            let persists = sender.start(&response)
            responded(response.status.code)
            if begin(response) { return nil }
            if case .more = sender.sendNow(response) {
                return .rest(response, persists: persists, name: LogText.name(of: request))
            }
            if unsent != nil { return .taking(persists: persists) }
            guard isGoingOn(persists) else { return nil }
            guard mayGoOn(&share) else { return nil }
        }
        rest()
        return nil
    }

    /// The response for an error that no middleware has turned into one. An unexpected error is logged, so that it is
    /// not lost.
    func failed(_ error: any Error) -> Response {
        if !(error is HTTPError) { group.report(error) }
        return Response(error)
    }

    /// The event stream has ended, and so has its task.
    func goOn(persists: Bool) {
        endsWithClient = false
        if isGoingOn(persists) { advance() }
    }

    /// Whether another request may follow the current one.
    func isGoingOn(_ persists: Bool) -> Bool {
        incoming?.fail(CancellationError())
        incoming = nil
        guard phase == .serving else { return false }
        if !persists { finish() }
        return persists
    }

    /// The next request in what has been received. A malformed one gets its response right here, and the connection
    /// ends: there is no telling where another request would begin.
    private func nextRequest() -> Request? {
        guard let bytes = input.bytes else { return nil }
        do throws(ParseError) {
            guard let parsed = try parser.next(in: bytes, at: &input.cursor) else { return nil }
            exchange = Exchange(parsed)
            notes.begin(group.nextRequestNumber())
            if group.metrics != nil { requestStart = LoopMetrics.now() }
            requestsLeft -= 1
            if requestsLeft == 0 || clock.isRetired(at: group.now) { exchange.persists = false }
            clock.awaitNothing(at: group.now)
            let body = parsed.framing == .none ? Body() : takeBody(parsed)
            let request = parsed.request(in: bytes, body: body, from: peer, notes: notes)
            if isProxied { client = request.readForwarded(trusting: group.proxies).address }
            return request
        } catch {
            refuse(error.status, error.reason)
            return nil
        }
    }

    /// Waits for the next request, or the rest of it.
    private func rest() {
        guard phase == .waiting || phase == .serving else { return }
        phase = .waiting
        task = nil
        let isKept = input.keepRest(in: group)
        if peerHasEnded || group.isDraining && input.isEmpty { return finish() }
        if !isKept { return refuse(.serviceUnavailable, HTTPError.memoryIsFull.message ?? "") }
        awaitRequest()
        watch(unsent == nil ? .read : .write)
    }

    /// Waits for the next request, which may have come in part.
    func awaitRequest() {
        clock.awaitRequest(at: group.now, headHasBegun: !input.isEmpty, group.limits)
    }
}
