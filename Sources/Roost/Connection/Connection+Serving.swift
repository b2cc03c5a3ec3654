import Logging

// What takes waiting, in a task: see `ServingTask`.

extension Connection {
    /// The work that a connection hands to a task because it involves waiting.
    enum Pending {
        case answer(Request, any Responder)
        /// With the name of the request in the log.
        case rest(Response, persists: Bool, name: String)
        case taking(persists: Bool)
    }

    /// Does what takes waiting, and then all requests that have come meanwhile.
    func serve(_ first: consuming Pending) async {
        var next: Pending? = consume first
        var share = group.turns.share
        while let pending = next.take() {
            let persists = await complete(consume pending)
            // An event stream goes on in a task of its own.
            if live != nil { return keepInput() }
            endsWithClient = false
            // What has become a WebSocket, or ends, waits for its client by itself.
            guard isGoingOn(persists) else { return }
            if unsent != nil { await outputTaken() }
            guard phase == .serving, mayGoOn(&share) else { return }
            next = answerOnTheSpot(&share)
        }
    }

    private func complete(_ pending: consuming Pending) async -> Bool {
        switch consume pending {
        case .taking(let persists): return persists
        case .rest(let response, let persists, let name):
            let sender = ResponseSender(connection: self, exchange: exchange)
            return await sender.sendRest(response, to: name) && persists
        case .answer(let request, let responder):
            if let time = group.limits.handlerTimeout { clock.beginHandler(at: group.now, within: time) }
            beginWatched(request)
            let (rest, persists) = send(await Self.result(of: responder, for: request))
            guard let rest else { return persists }
            let sender = ResponseSender(connection: self, exchange: exchange)
            return await sender.sendRest(rest, to: LogText.name(of: request)) && persists
        }
    }

    // Functions that wait keep all their variables in memory of their task, also those that they need only before or
    // after: so those that every request passes through do little else.

    @inline(never)
    private static func result(of responder: any Responder, for request: Request) async -> Result<Response, any Error> {
        do { return .success(try await responder.respond(to: request)) } catch { return .failure(error) }
    }

    /// Sends what a handler that has waited returned. If that takes waiting, the response is returned.
    @inline(never)
    private func send(_ result: consuming Result<Response, any Error>) -> (rest: Response?, persists: Bool) {
        endWatched()
        clock.endHandler()
        // The client may have gone, or have been told that the handler took too long.
        guard phase == .serving else {
            if phase == .closed, !hasGivenUp { group.metrics?.abandon() }
            if case .failure(let error) = result, !(error is HTTPError) { group.report(error) }
            return (nil, false)
        }
        var response: Response
        switch consume result {
        case .success(let value): response = value
        case .failure(let error): response = failed(error)
        }
        let sender = ResponseSender(connection: self, exchange: exchange)
        let persists = sender.start(&response)
        responded(response.status.code)
        if begin(response) { return (nil, false) }
        if case .done = sender.sendNow(response) { return (nil, persists) }
        return (response, persists)
    }

    /// A task has served the connection, and may now serve another one: what happens to this one must not cancel it.
    func letGo(of served: Task<Void, Never>?) {
        if let task, task == served { self.task = nil }
    }
}
