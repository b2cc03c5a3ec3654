import HTTPTypes

// One client: read → advance → respond → flush.
//
// A readable socket is read once, and a task answers every whole request in what was read; the answers gather in the
// loop's output buffer and go out with one write. A handler that never suspends has answered before the callback
// returns. One that suspends leaves its connection *serving*: what it then sends is flushed at once, because the shared
// buffer is other connections' in between.
//
// The socket is watched level-triggered: a short read needs no second one to see whether there was more, and an end of
// file behind the data is not missed. What comes while a request is being answered is kept up to a bound; beyond it the
// socket is not watched for reading until the answer is out.

/// A client's connection.
///
/// It is used on its loop's thread only. The task that serves it prefers that loop as its executor, so it resumes
/// there, whatever its handlers have awaited.
final class Connection {
    enum Phase {
        /// Waiting for a request, or for the rest of its head.
        case waiting
        /// A task is answering.
        case serving
        /// Everything is answered; bytes that still come are dropped.
        case lingering
        case closed
    }

    let group: ConnectionGroup
    let peer: PeerAddress
    @exclusivity(unchecked) var phase = Phase.waiting
    /// What the peer is waited for with, and for how long.
    @exclusivity(unchecked) var clock: ConnectionClock
    /// Whether the peer will send nothing more.
    var peerHasEnded = false

    @exclusivity(unchecked) var socket: ConnectionSocket
    @exclusivity(unchecked) var input = ReceivedInput()
    /// The rest of the body of the request that is being answered.
    @exclusivity(unchecked) var incoming: IncomingBody?
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) var unsent: UnsentOutput?
    /// What the answer to the request at hand must know of it.
    @exclusivity(unchecked) var exchange = Exchange()
    /// How many more requests are answered.
    @exclusivity(unchecked) private var requestsLeft: Int32
    /// Whether the callback that read is still on the stack, so that output may gather.
    @exclusivity(unchecked) var isGathering = false

    /// Whether the task that serves has returned.
    @exclusivity(unchecked) private var isServed = true
    /// Whether it makes room for others: it waits for its client no longer than it has to.
    var hasToGo = false
    /// Whether an event stream is being sent.
    var isEndless = false
    /// Whether what is being answered ends when the client sends nothing more.
    var endsWithClient = false
    /// How many requests have been answered by a task.
    private(set) var waitingRequests = 0
    var task: Task<Void, Never>?
    /// Who waits until the client has taken more: whoever sends the answer, and whoever wants more of the body.
    var outputWaiters: [CheckedContinuation<Void, Never>] = []

    init(_ socket: Int32, from peer: PeerAddress, in group: ConnectionGroup) {
        self.group = group
        self.peer = peer
        self.socket = ConnectionSocket(socket, group.loop)
        parser = RequestParser(limits: group.limits.parser)
        clock = ConnectionClock(at: group.now, group.limits)
        requestsLeft = group.limits.maximumRequests.map { Int32(clamping: $0) } ?? .max
    }

    func start() { watch(.read) }

    func watch(_ interest: ConnectionSocket.Interest) { socket.watch(interest, for: self) }

    /// The loop says that the socket can be read or written.
    func ready(_ what: ConnectionSocket.Interest) {
        if what.contains(.write) { resend() }
        guard what.contains(.read) else { return }
        switch phase {
        case .waiting: if receive() { advance() }
        case .serving: receiveAhead()
        case .lingering: dropInput()
        case .closed: break
        }
    }

    /// What a task must do because it takes waiting.
    private enum Pending {
        case answer(Request, any Responder)
        /// With what the log calls the request.
        case rest(Response, persists: Bool, name: String)
        case taking(persists: Bool)
    }

    /// Answers what has been received: on the spot as far as that goes, then in a task.
    private func advance() {
        isGathering = true
        phase = .serving
        if let pending = answerOnTheSpot() {
            isServed = false
            let me = LoopBound(lending: self, of: group.loop)
            let task = Task.immediate(executorPreference: group.loop) { await me.value.serve(pending) }
            if !isServed { wait(for: task) }
        }
        flush()
        isGathering = false
    }

    /// The task that serves goes on in a job, also when the client has gone before it first waited.
    private func wait(for task: Task<Void, Never>) {
        self.task = task
        group.loop.activity.suspendRequest(of: self)
        if phase == .serving { input.keepRest(in: group) } else { task.cancel() }
    }

    /// Answers one request after the other until one takes waiting, which is returned, or no whole one is left.
    private func answerOnTheSpot() -> Pending? {
        while var request = nextRequest() {
            var response: Response
            do {
                // The watchdog may look at the request's line, also when middleware hands on another request.
                let watched = request.bytes
                beginWatchedOnTheSpot(request)
                defer { withExtendedLifetime(watched) { group.loop.activity.endRequest() } }
                switch try group.respondWithoutWaiting(&request) {
                case .ready(let ready): response = ready
                case .waiting(let responder):
                    if let bytes = input.bytes, group.owns(bytes) { request.letGo(of: bytes) }
                    waitingRequests &+= 1
                    let me = LoopBound(lending: self, of: group.loop)
                    request.client = ConnectedClient(connection: me, number: waitingRequests)
                    return .answer(request, responder)
                }
            } catch {
                response = failed(error)
            }
            let sender = ResponseSender(connection: self, exchange: exchange)
            let persists = sender.start(&response)
            if case .more = sender.sendNow(response) {
                return .rest(response, persists: persists, name: LogText.name(of: request))
            }
            if unsent != nil { return .taking(persists: persists) }
            guard isGoingOn(persists) else { return nil }
        }
        rest()
        return nil
    }

    private func serve(_ first: Pending) async {
        defer { isServed = true }
        var next: Pending? = first
        while let pending = next.take() {
            let persists = await complete(pending)
            endsWithClient = false
            if unsent != nil { await outputTaken() }
            guard isGoingOn(persists) else { return }
            next = answerOnTheSpot()
        }
    }

    private func complete(_ pending: Pending) async -> Bool {
        switch pending {
        case .taking(let persists): return persists
        case .rest(let response, let persists, let name):
            let sender = ResponseSender(connection: self, exchange: exchange)
            return await sender.sendRest(response, to: name) && persists
        case .answer(let request, let responder):
            var response: Response
            if let time = group.limits.handlerTimeout { clock.beginHandler(at: group.now, within: time) }
            do {
                beginWatched(request)
                defer { endWatched() }
                response = try await responder.respond(to: request)
            } catch {
                response = failed(error)
            }
            clock.endHandler()
            // The client may have gone, or have been told that the handler took too long.
            guard phase == .serving else { return false }
            let sender = ResponseSender(connection: self, exchange: exchange)
            let persists = sender.start(&response)
            if case .done = sender.sendNow(response) { return persists }
            return await sender.sendRest(response, to: LogText.name(of: request)) && persists
        }
    }

    /// An error that no middleware has made a response of; an unexpected one is logged, so that it is not lost.
    private func failed(_ error: any Error) -> Response {
        if !(error is HTTPError) { group.report(error) }
        return Response(error)
    }

    /// Whether another request may be answered after one has been.
    private func isGoingOn(_ persists: Bool) -> Bool {
        incoming?.fail(CancellationError())
        incoming = nil
        guard phase == .serving else { return false }
        if !persists { finish() }
        return persists
    }

    /// The next request among what has been received. A malformed one is answered right here, and the connection ends:
    /// nothing tells where another request would begin.
    private func nextRequest() -> Request? {
        guard let bytes = input.bytes else { return nil }
        do throws(ParseError) {
            guard let parsed = try parser.next(in: bytes, at: &input.cursor) else { return nil }
            exchange = Exchange(parsed)
            requestsLeft -= 1
            if requestsLeft == 0 || clock.isRetired(at: group.now) { exchange.persists = false }
            clock.awaitNothing(at: group.now)
            return parsed.request(in: bytes, body: parsed.framing == .none ? Body() : takeBody(parsed), from: peer)
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
        flush()
        input.keepRest(in: group)
        if peerHasEnded || group.isDraining && input.isEmpty { return finish() }
        if input.isTooMuch(in: group) { return refuse(.serviceUnavailable, HTTPError.memoryIsFull.message ?? "") }
        awaitRequest()
        watch(unsent == nil ? .read : [.read, .write])
    }

    /// Waits for the next request, some of which may be there.
    func awaitRequest() {
        clock.awaitRequest(at: group.now, headHasBegun: !input.isEmpty, group.limits)
    }
}
