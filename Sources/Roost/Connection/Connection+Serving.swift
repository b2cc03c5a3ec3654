import Logging

// Requests that wait. On the loop, `pendingAnswer` and `handOver` leave them to `ServingTasks`. At the end of the
// turn, or sooner if they are many, a task of these calls `serve`: that handles one, and then what else its client has
// sent meanwhile.

extension Connection: Exchanging {
    /// The work that a connection hands to a task because it involves waiting.
    enum Pending {
        case answer(Request, any Responder)
        /// The body of a response whose head has been sent, with the name of the request in the log.
        case body(Response, persists: Bool, name: String)
        /// Output of a whole response, which the client has yet to take.
        case untakenOutput(persists: Bool)
    }

    /// Prepares a request for a responder that waits: it must keep neither the loop's buffer nor, because an event
    /// stream keeps its request for as long as it is open, more of another one than it is in.
    func pendingAnswer(to request: inout Request, by responder: any Responder) -> Pending {
        if let bytes = input.bytes { request.moveOut(of: bytes, group.memory) }
        let connection = LoopBound(lending: self, of: group.loop)
        request.client = ConnectedClient(connection: connection, number: notes.number)
        return .answer(request, responder)
    }

    var hasGone: Bool { state.phase == .closed }

    /// Lets a task do what takes waiting.
    func handOver(_ pending: consuming Pending) {
        keepInput()
        if state.phase == .serving { group.servingTasks.add(consume pending, of: self) }
    }

    /// The serving task goes on in a job, even if the client has gone before it first waited.
    func servingSuspended(in serving: ServingTask) {
        guard let task = serving.task else { return }
        self.task = task
        handlerSuspended()
        if state.phase == .serving { keepInput() } else { task.cancel() }
    }

    /// A task has served the connection, and may now serve another one: what happens to this one must not cancel it.
    func detach(from served: Task<Void, Never>?) {
        if let task, task == served { self.task = nil }
    }

    /// Does what takes waiting, and then all requests that have come meanwhile.
    func serve(_ first: consuming Pending) async {
        var pending = consume first
        var share = group.turns.share
        while true {
            let persists = await complete(consume pending)
            // An event stream goes on in a task of its own.
            if live != nil { return keepInput() }
            // A connection that has changed its protocol, or ends, waits for its client by itself.
            guard endExchange(persists) else { return }
            if unsent != nil { await outputTaken() }
            guard state.phase == .serving, takeShare(&share), let next = answerOnTheSpot(&share) else { return }
            pending = next
        }
    }

    @inline(__always)
    private func complete(_ pending: consuming Pending) async -> Bool {
        switch consume pending {
        case .untakenOutput(let persists): return persists
        case .body(let response, let persists, let name):
            return await ResponseSender(connection: self).sendBody(response, to: name) && persists
        case .answer(let request, let responder):
            if let time = group.handlerTicks { state.beginHandler(at: group.now, within: time) }
            handlerBegins()
            let (response, persists) = send(await Self.result(of: responder, for: request), to: request)
            guard let response else { return persists }
            return await ResponseSender(connection: self).sendBody(response, to: LogText.name(of: request)) && persists
        }
    }

    // Functions that wait keep all their variables in memory of their task, also those that they need only before or
    // after: so those that every request passes through do little else.

    @inline(never)
    static func result(of responder: any Responder, for request: Request) async -> Result<Response, any Error> {
        do { return .success(try await responder.respond(to: request)) } catch { return .failure(error) }
    }

    /// Sends what a handler that has waited returned. If that takes waiting, the response is returned.
    @inline(never)
    private func send(
        _ result: consuming Result<Response, any Error>, to request: Request
    ) -> (response: Response?, persists: Bool) {
        state.endHandler()
        let isAbandoned = state.phase == .closed && !hasGivenUp
        guard var response = response(from: result, isWanted: state.phase == .serving, isAbandoned: isAbandoned)
        else { return (nil, false) }
        group.admitLasting(&response, to: request)
        switch ResponseSender(connection: self).send(&response) {
        case .whole(let persists): return (nil, persists)
        case .headOnly(let persists): return (response, persists)
        case .otherProtocol: return (nil, false)
        }
    }
}

extension ConnectionGroup {
    /// Puts a 503 in the place of an event stream, or a WebSocket, that would keep a large request when clients have
    /// half of their memory: room must be left for what comes and goes.
    func admitLasting(_ response: inout Response, to request: Request) {
        guard request.bytes.count > MemoryBudget.uncounted, response.body.lasting != nil,
            !memory.hasRoom(for: 0, of: memory.largest)
        else { return }
        let name = LogText.name(of: request)
        logger.info("\(name): sent 503: it is large, and clients hold too much memory.")
        response = Response(HTTPError.memoryIsFull)
    }
}

/// The client of one request on a connection.
private struct ConnectedClient: RequestClient {
    let connection: LoopBound<Connection>
    /// The number of its request: it must not end the response to another one.
    let number: UInt64

    func cancelWhenItLeaves() {
        guard connection.loop.isCurrent else { return connection.loop.execute { cancelWhenItLeaves() } }
        if connection.value.notes.number == number { connection.value.endWithClient() }
    }
}

/// The watchdog learns the route that a handler is for, as the address of its pattern.
extension LoopActivity: RouteObserver {
    func begin(_ route: RoutePattern?) { begin(RoutePattern.address(of: route)) }

    func suspend(_ route: RoutePattern?, of owner: AnyObject) {
        suspend(RoutePattern.address(of: route), of: owner)
    }
}
