// The bytes of a client: read once when the socket is ready, whatever the connection is doing.

extension Connection {
    /// Reads once. False when nothing came.
    func receive() -> Bool {
        let transfer = socket.read(into: input.room(in: group))
        if socket.transport != nil { readTransportLater() }
        switch transfer {
        case .bytes(let count):
            if socket.isOfSystem { group.metrics?.received(count) }
            return socket.transport == nil || !beginHTTP2IfChosen()
        case .wouldBlock:
            if input.isEmpty { input.clear() }
            awaitTransport()
        case .end: peerFinishedSending()
        case .failed: close()
        }
        return false
    }

    /// Does not watch for input that the transport reads only when it has written: the socket would report it again and
    /// again.
    private func awaitTransport() {
        guard socket.transport?.hasToWrite ?? false else { return }
        watch(socket.interest.union(.writable).subtracting(.readable))
    }

    /// Something has come while a request is being handled: the rest of its body, or the next request.
    func receiveAhead() {
        if let incoming, incoming.isAwaited {
            guard receive() || peerHasFinished || state.phase == .closed else { return }
            state.awaitNothing(at: group.now)
            incoming.resume()
            return
        }
        if mayReceiveAhead {
            _ = receive()
            keepInput()
        }
        if !mayReceiveAhead { watch(socket.interest.subtracting(.readable)) }
    }

    private var mayReceiveAhead: Bool { input.count < ConnectionGroup.readSize && input.hasRoom(in: group) }

    /// Keeps what is not used yet. If there is no memory for it, the body that it belongs to is refused; a client that
    /// has sent other requests ahead is cut off.
    func keepInput() {
        guard state.phase != .closed, !input.keepUnread(in: group) else { return }
        guard let incoming, incoming.refuse() else { return cutOff("sent requests faster than they were handled") }
        input.clear()
    }

    /// The peer has shut down its side. Its requests still get their responses, except one that is of use only while
    /// the peer is there.
    func peerFinishedSending() {
        peerHasFinished = true
        if endsWithClient || state.phase == .upgraded { return close() }
        watch(socket.interest.subtracting(.readable))
        if state.phase != .serving { finish() }
    }

    /// Makes the current response end when the client sends nothing more.
    func endWithClient() {
        guard state.phase == .serving else { return }
        endsWithClient = true
        if peerHasFinished { close() }
    }

    /// Checks the connection once a second.
    func secondHasPassed() {
        lookForClient()
        live?.tick()
        if state.wait == .output { session?.secondOfOutputHasPassed() }
        if state.deadline <= group.now { missedDeadline() }
    }

    /// Checks whether the client has gone without a report from the loop.
    func lookForClient() {
        guard mayHaveGone else { return }
        let peer = socket.peer
        if peer == .present { return }
        if socket.interest.contains(.readable) { return socket.reportAgain() }
        if peer == .gone || endsWithClient || session?.isNeverRead ?? false { close() }
    }

    /// Whether the client may have gone without a report: because nothing is read from it, since enough has come or it
    /// has shut down its side; or because a reset came together with its last bytes (`ConnectionSocket`).
    private var mayHaveGone: Bool {
        switch state.phase {
        case .receiving: !input.isEmpty || socket.transport?.holdsPart ?? false
        case .serving: true
        case .upgraded:
            !socket.interest.contains(.readable) || session?.wasHeardLately ?? false
                || socket.transport?.holdsPart ?? false
        case .lingering, .closed: false
        }
    }

    /// Reads what the client still sends and drops it, which neither gains nor costs it time to take its response.
    func dropInput() {
        let transfer = socket.read(into: group.takeReadBuffer())
        if socket.transport != nil { readTransportLater() }
        switch transfer {
        case .bytes: state.prolongEnd(at: group.now, within: lingerTimeout)
        case .wouldBlock: awaitTransport()
        case .end: peerFinishedSending()
        case .failed: close()
        }
    }

    /// The body if it has come with the head, otherwise a stream that reads it.
    func takeBody(of head: RequestHead) -> Body {
        if case .length(let length) = head.framing, let bytes = input.bytes, length <= input.count {
            input.cursor += length
            return Body(received: bytes, ByteRange(input.cursor - length, input.cursor))
        }
        let body = IncomingBody(self, head)
        incoming = body
        let source = LoopBound<any BodySource>(lending: body, of: group.loop)
        let stream = IncomingBodyStream(body: source, memory: group.memory)
        if case .length(let length) = head.framing { return Body(stream: stream, length: length) }
        return Body(stream: stream)
    }

    /// Prepares to receive more of the body. False when the client has gone.
    func expectBody(_ arrears: Arrears) -> Bool {
        guard state.phase == .serving else { return false }
        state.awaitBody(at: group.now, arrears, group.limits.body)
        watch(socket.interest.union(.readable))
        return true
    }
}
