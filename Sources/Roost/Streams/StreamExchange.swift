import HTTPTypes
import Logging

// One of several exchanges at a time on a connection. The exchange knows what a request and a response are; the
// carrier, the protocol's session, knows how they are written on the wire.
//
// A request is responded to on the spot, or by a `ServingTask`, as over HTTP/1.1. The carrier asks for the bytes of the
// response when it can send some (`unsent`, `take`). What must be made first is awaited; then the carrier is told to
// ask again.

/// One request that has come on a stream of a connection, and its response.
///
/// Used on its connection's loop only.
package final class StreamExchange: Exchanging {
    /// The stream's number on its connection.
    package let number: Int32
    let connection: Connection
    let carrier: any StreamCarrier
    let notes: RequestNotes
    @exclusivity(unchecked) private var head: Result<(RequestHead, MessageBytes), HTTPError>?
    @exclusivity(unchecked) private(set) var method = KnownMethod.get
    /// The address of the client; it is not the peer's behind a trusted proxy.
    var client: IPAddress?
    /// The request's body; nil if the head says that there is none.
    let body: StreamBody?
    /// The response's body on its way out.
    @exclusivity(unchecked) var output = StreamOutput()
    /// Whether the response has begun.
    @exclusivity(unchecked) package private(set) var hasResponse = false
    /// Whether there was no memory for the response, so that the stream is reset.
    @exclusivity(unchecked) var isCutOff = false
    @exclusivity(unchecked) private var facts = Facts()
    @exclusivity(unchecked) var task: Task<Void, Never>?
    var isHandlerRunning = false
    var watchdogKnowsHandler = false
    /// The number of seconds that the handler has had, not counting those in which it waited for the client.
    private var handlerSeconds = 0
    /// Whether the request asks for another protocol on the stream.
    private(set) var isUpgrade = false
    /// The way of the other protocol's bytes, if the stream has changed to it.
    @exclusivity(unchecked) var transport: StreamTransport?
    /// The event stream that is being sent, and the time at which something was last sent.
    @exclusivity(unchecked) var live: (body: LiveBody, lastWrite: Int)?

    /// - Parameter hasBody: Whether more than a head may come.
    package init(_ number: Int32, hasBody: Bool, on connection: Connection, by carrier: any StreamCarrier) {
        self.number = number
        self.connection = connection
        self.carrier = carrier
        notes = RequestNotes(for: connection.group.loop.activity, isEncrypted: connection.notes.isEncrypted)
        client = connection.peer.ip
        body = hasBody ? StreamBody(in: connection.group) : nil
    }

    var group: ConnectionGroup { connection.group }

    private struct Facts {
        var place = 0
        var (hasWholeResponse, isClosed, isBusy) = (false, false, false)
    }

    // Another module's use of a stored property would be checked at run time for each request.

    /// The exchange's place among those of its carrier, which sets it.
    package var place: Int { facts.place }

    package func setPlace(_ place: Int) { facts.place = place }

    /// Whether all of the response has been sent.
    package var hasWholeResponse: Bool { facts.hasWholeResponse }

    package func responseIsSent() { facts.hasWholeResponse = true }

    /// Whether the stream has ended.
    package var isClosed: Bool { facts.isClosed }

    /// Whether a task serves it.
    package var isBusy: Bool { facts.isBusy }

    // MARK: The request

    /// The head of the request is whole. False if the request is refused for what the client has sent.
    /// - Parameter streams: The number of exchanges of the connection, with this one.
    package func receive(_ head: FieldwiseHead, among streams: Int) -> Bool {
        isUpgrade = head.isUpgrade
        // A WebSocket's handshake is a `GET`.
        method = isUpgrade ? .get : head.knownMethod
        guard head.hasRoom(in: group.memory, among: streams) else {
            self.head = .failure(.memoryIsFull)
            return true
        }
        do throws(ParseError) {
            self.head = .success(try head.finish(group.memory, among: streams))
            return true
        } catch {
            self.head = .failure(HTTPError(error.status, error.reason))
            return false
        }
    }

    /// A part of the body has come.
    /// - Parameter streams: The number of exchanges of the connection, with this one.
    package func receive(_ bytes: UnsafeBufferPointer<UInt8>, among streams: Int) {
        body?.receive(bytes, among: streams)
        transport?.inputHasCome()
    }

    /// The client has sent the whole request.
    package func requestEnds() {
        body?.finish()
        transport?.inputHasCome()
    }

    /// Responds to the request, on the spot if that takes no waiting.
    package func respond() {
        guard !isClosed, let head = head.take() else { return }
        switch head {
        case .success((let head, let bytes)): respond(to: head, bytes)
        case .failure(let error): refuse(error)
        }
    }

    private func respond(to head: RequestHead, _ bytes: MessageBytes) {
        notes.begin(group.nextRequestNumber(), at: group.metrics == nil ? 0 : LoopMetrics.now())
        var request = head.request(in: bytes, body: requestBody(head), from: connection.peer, notes: notes)
        if connection.isProxied { client = request.readForwarded(trusting: group.proxies).address }
        var response: Response
        do {
            switch try group.respondWithoutWaiting(&request) {
            case .ready(let ready): response = ready
            case .waiting(let responder): return group.servingTasks.add(.answer(request, responder), of: self)
            }
        } catch {
            response = group.failureResponse(error)
        }
        if start(&response, to: LogText.name(of: request)) {
            group.servingTasks.add(.body(response, persists: true, name: LogText.name(of: request)), of: self)
        }
    }

    private func requestBody(_ head: RequestHead) -> Body {
        guard let body, !isUpgrade else { return Body() }
        if let bytes = body.takeWhole() { return bytes.isEmpty ? Body() : Body(bytes) }
        body.onRead = { [unowned self] count in if !isClosed { carrier.used(count, of: self) } }
        if head.expectsContinue {
            body.onWait = { [unowned self, unowned body] in
                body.onWait = {}
                if !isClosed, !hasResponse { carrier.sendContinue(to: self) }
            }
        }
        let source = LoopBound<any BodySource>(lending: body, of: group.loop)
        let stream = IncomingBodyStream(body: source, memory: group.memory)
        if case .length(let length) = head.framing { return Body(stream: stream, length: length) }
        return Body(stream: stream)
    }

    private func refuse(_ error: HTTPError) {
        let reason = error.message ?? ""
        connection.noteRefusal(error.status, reason)
        refuse(error.status, reason, error.headers, isCounted: false)
    }

    private func refuse(
        _ status: HTTPResponse.Status, _ reason: String, _ headers: Headers = [:], isCounted: Bool
    ) {
        var response = Response(status, headers: headers, body: Body(Refusal.text(status, reason)))
        response.headers[.contentType] = Refusal.contentType
        _ = start(&response, isCounted: isCounted)
    }

    // MARK: Waiting

    var hasGone: Bool { isClosed }

    func servingSuspended(in serving: ServingTask) {
        task = serving.task
        handlerSuspended()
        if isClosed { task?.cancel() }
    }

    func detach(from served: Task<Void, Never>?) { if let task, task == served { self.task = nil } }

    func serve(_ first: consuming Connection.Pending) async {
        facts.isBusy = true
        switch consume first {
        case .answer(let request, let responder):
            handlerBegins()
            let response = send(await Connection.result(of: responder, for: request), to: request)
            if let response { await sendBody(response, to: LogText.name(of: request)) }
        case .body(let response, _, let name): await sendBody(response, to: name)
        case .untakenOutput: break
        }
        facts.isBusy = false
        if isClosed { carrier.isOver(self) }
    }

    /// Sends what a handler that has waited returned. If that takes waiting, the response is returned.
    @inline(never)
    private func send(_ result: consuming Result<Response, any Error>, to request: Request) -> Response? {
        let (isWanted, isAbandoned) = (!isClosed && !hasResponse, isClosed && !hasResponse)
        guard var response = response(from: result, isWanted: isWanted, isAbandoned: isAbandoned) else { return nil }
        group.admitLasting(&response, to: request)
        return start(&response, to: LogText.name(of: request)) ? response : nil
    }

    // MARK: The response

    /// Sends the head, and the body if that is in memory or a file. True if sending all of the body takes waiting.
    /// - Parameter request: The name of the request in the log.
    private func start(
        _ response: inout Response, to request: @autoclosure () -> String = "", isCounted: Bool = true
    ) -> Bool {
        var upgrade = isUpgrade ? admitUpgrade(&response) : nil
        group.admit(&response, isUpgrade: false)
        let fields = carrier.fields
        var framing = upgrade == nil ? ResponseSerializer.Framing(of: response, isHTTP10: false) : .none
        do throws(ResponseHeaderError) {
            try fields.write(response, framing, date: group.date.line)
        } catch {
            group.replace(&response, error)
            framing = .length(0)
            if upgrade != nil { group.budgets.webSockets.leave(client) }
            upgrade = nil
            // It has no field that could be refused.
            try? fields.write(response, framing, date: group.date.line)
        }
        var sendsBody = ResponseSerializer.sendsBody(response.status, toHead: method == .head)
        if sendsBody, case .live(let body) = response.body.storage {
            guard let place = LivePlace(for: client, in: group) else {
                response = group.tooManyOpen("event streams", by: clientHost)
                return start(&response)
            }
            live = (body, group.now)
            output.place = place
        }
        if sendsBody, !leavesPlaces(response.body) {
            response = group.tooManyOpen("files", by: clientHost)
            return start(&response)
        }
        hasResponse = true
        if isCounted { group.metrics?.responded(method, notes.route, status: response.status.code, since: notes.start) }
        if let upgrade { return change(to: upgrade) }
        sendsBody = sendsBody && response.body.count != 0
        if sendsBody { output.begin(response.body, to: request()) }
        carrier.send(endsStream: !sendsBody, on: self)
        return sendsBody && !output.isWhole
    }

    // MARK: Time and end

    /// A second has passed. If the whole connection was blocked by its client, only the handler has to be quick.
    package func secondHasPassed(isBlocked: Bool) {
        guard !isClosed else { return }
        if !isBlocked { body?.secondHasPassed() }
        if isHandlerRunning, !hasResponse, body?.isAwaited != true, let limit = group.handlerTicks {
            handlerSeconds += 1
            if handlerSeconds >= limit { giveHandlerUp() }
        }
        if isBlocked { return }
        let isStuck = transport?.isOverdue(after: group.limits.output.window) ?? false
        if isStuck || output.isOverdue(group.limits.output) { return carrier.isOverdue(self) }
        sendHeartbeat()
    }

    /// The time in seconds for which the exchange has waited for its client; nil when the client owes nothing.
    package var lag: Int? {
        if transport != nil { return nil }
        if let body, body.isAwaited { return body.lag }
        return output.lag(group.limits.output)
    }

    /// The handler has taken too long: it is cancelled, and its client gets a response whether or not it reacts.
    private func giveHandlerUp() {
        noteGivenUp(method)
        task?.cancel()
        refuse(.serviceUnavailable, "The request took too long to answer.", isCounted: true)
    }

    /// The stream has ended, however that has come: whatever waits for it is told, and its handler's task is cancelled.
    package func close() {
        guard !isClosed else { return }
        facts.isClosed = true
        if !output.isDone || !hasResponse { task?.cancel() }
        live = nil
        body?.fail(CancellationError())
        transport?.streamHasEnded()
        transport = nil
        output.abandon()
    }
}
