import HTTPTypes
import Logging

// The end of a connection: with a refusal, after a last response, because the peer has run out of time, or at once.

extension Connection {
    /// Responds with an error to what has not become a request, and ends. The log entry contains no byte from the
    /// client.
    func refuse(_ error: HTTPError) {
        let reason = error.message ?? ""
        noteRefusal(error.status, reason)
        sendRefusal(error.status, reason, error.headers, isHead: input.beginsWithHEAD)
    }

    /// Counts and logs a refusal.
    package func noteRefusal(_ status: HTTPResponse.Status, _ reason: String) {
        group.metrics?.refused(status.code)
        logRefusal(status, reason, .info)
    }

    private func logRefusal(_ status: HTTPResponse.Status, _ reason: String, _ level: Logger.Level) {
        if group.logger.logLevel <= level, group.mayLogRefusal() {
            group.logger.log(level: level, "Refused \(clientHost): \(status.code), \(reason)")
        }
    }

    /// - Parameter isHead: Whether the head alone is wanted (RFC 9110 §9.3.2).
    private func sendRefusal(
        _ status: HTTPResponse.Status, _ reason: String, _ headers: Headers = [:], isHead: Bool
    ) {
        let text = Refusal.text(status, reason)
        ResponseSerializer.writeRefusal(status, headers, length: text.utf8.count, date: group.date.line, to: output)
        if !isHead { output.append(text) }
        finish()
    }

    /// All requests have their responses: sends the rest and then closes.
    package func finish() {
        flush()
        linger()
    }

    /// Everything has been written: closes when the client has taken it.
    func linger() {
        guard state.phase != .closed else { return }
        state.linger()
        task = nil
        input.clear()
        // A peer that has finished stays readable, and would be reported in every turn.
        if unsent == nil { shutDown() } else { watch(peerHasFinished ? .writable : [.readable, .writable]) }
    }

    /// Closes the sending side. Closing a socket with unread bytes would reset the connection, which can destroy the
    /// response on its way (RFC 9112 §9.6), so what the client still sends is read for a while.
    func shutDown() {
        if peerHasFinished { return close() }
        state.awaitEnd(at: group.now, within: lingerTimeout)
        socket.shutdownSending()
        watch(.readable)
    }

    /// The maximum silence in seconds of a client that has had its last response: while the server is ending, only 1.
    var lingerTimeout: Int { group.isDraining ? 1 : group.limits.lingerTimeout }

    /// The peer has not done in time what the connection waited for.
    func missedDeadline() {
        if state.wait == .output {
            // It may have taken some without the loop knowing yet. A task that sends a file tries by itself.
            resend()
            guard state.deadline <= group.now else { return }
        }
        switch state.expiry {
        case .refusal:
            if let transport = socket.transport, !transport.isEstablished { return close() }
            let (status, reason) = (HTTPResponse.Status.requestTimeout, "The request took too long to arrive.")
            // Browsers connect before they know whether they will need it: then no message is refused, and that is not
            // worth telling everybody.
            if input.isEmpty { logRefusal(status, reason, .debug) } else { noteRefusal(status, reason) }
            sendRefusal(status, reason, isHead: input.beginsWithHEAD)
        case .bodyFailure:
            state.awaitNothing(at: group.now)
            incoming?.fail(HTTPError(.requestTimeout, "The body took too long to arrive."))
        case .close: close()
        case .handlerFailure: giveHandlerUp()
        case .session: session?.deadlineHasPassed()
        case .nothing: break
        }
    }

    /// The handler has taken too long: it is cancelled, and its client gets a response whether or not the handler
    /// reacts. What the handler still returns is dropped.
    private func giveHandlerUp() {
        noteGivenUp(exchange.method)
        let handler = task
        handler?.cancel()
        state.endHandler()
        hasGivenUp = true
        countResponse(503)
        sendRefusal(.serviceUnavailable, "The request took too long to answer.", isHead: exchange.isHead)
        // The watchdog is told when it ends.
        if state.phase != .closed { task = handler }
    }

    /// Closes unless something is under way. A request that has already come, and has not been read, counts as under
    /// way. One may also still be coming if the last response, or the connection, is not older than `patience`: it is
    /// given as long again.
    func closeIfIdle(patience: Int) {
        guard state.phase == .receiving, unsent == nil, input.isEmpty else { return }
        ready(.readable)
        guard state.phase == .receiving, unsent == nil, input.isEmpty else { return }
        if group.now - state.began < patience {
            state.postpone(to: group.now + patience)
        } else {
            close()
        }
    }

    /// Finishes, when the server ends, unless a request has come while the response before it was not taken yet. One
    /// may still be coming, since that response has not told the client that it is the last.
    func finishUnlessRequestHasCome() {
        ready(.readable)
        guard state.phase == .receiving, unsent == nil, input.isEmpty else { return }
        if group.patience == 0 { finish() } else { state.postpone(to: group.now + group.patience) }
    }

    /// The server ends. An event stream is ended: it has no end of its own, and its client comes back. A client that
    /// has had its last response is given less time.
    func serverEnds() {
        switch state.phase {
        case .serving: live?.endNow()
        case .upgraded: session?.serverEnds()
        case .lingering: if unsent == nil { shutDown() }
        case .receiving, .closed: break
        }
    }

    /// Closes the socket now. Whatever waits for it is told; a handler's task is cancelled, or another protocol's
    /// session decides.
    /// - Parameter isBroken: As in ``ConnectionSocket/close(isBroken:)``. It is so, too, when a body is cut short that
    ///   has no other end: an orderly one would say that it is whole.
    package func close(isBroken: Bool = false) {
        guard state.phase != .closed else { return }
        let isBroken = isBroken || state.endsBody && (state.phase == .serving || unsent != nil)
        state.close()
        noteHandshake()
        socket.close(isBroken: isBroken)
        input.clear()
        unsent = nil
        live = nil
        if let session { session.connectionIsGone() } else { task?.cancel() }
        incoming?.fail(CancellationError())
        incoming = nil
        resumeOutputWaiters()
        group.remove(self)
    }
}
