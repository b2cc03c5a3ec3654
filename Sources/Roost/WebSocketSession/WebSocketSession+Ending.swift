import Logging

// The end of a WebSocket, from either side, and the way in which tasks that read and send learn of it.

extension WebSocketSession {
    /// The client has sent a Close frame, which is answered with the same code (RFC 6455 §5.5.1). Then the server
    /// is the first to close the connection (§7.1.1).
    func clientCloses(_ code: WebSocketCloseCode?, _ reason: String) {
        let end = WebSocketClosed(code: code ?? .noStatus, reason: reason)
        finishInTurn(WebSocketEnd(end, isOrderly: true, code: code, at: connection.group.now))
    }

    /// Closes the connection of a client that breaks the protocol, with a Close frame that says why (RFC 6455 §7.1.7).
    func fail(_ failure: WebSocketFailure) {
        let client = connection.clientHost
        connection.group.logger.info("Closed \(client)'s WebSocket: \(failure.code.rawValue), \(failure.reason)")
        receiver.end()
        let end = WebSocketClosed(code: failure.code, reason: failure.reason)
        finishInTurn(WebSocketEnd(end, isOrderly: false, code: failure.code, at: connection.group.now))
    }

    /// Ends when the handler has come to read what came last; at once if it waits, or has never read.
    private func finishInTurn(_ pending: WebSocketEnd) {
        self.pending = pending
        let isHeard = state == .open || isListening
        if !isHeard || reader != nil || !hasBeenRead && messages.isEmpty { finishPending() }
    }

    /// Whether this side has closed, and the handler still gets what its client sends until that closes, too. A client
    /// that has broken the rules, or whose session has ended, is not listened to; nor is anybody once the handler has
    /// been cancelled.
    var isListening: Bool { state == .closing && isRunning && !isCancelled && end?.code != .policyViolation }

    /// Whether no message will follow those that are kept.
    var hasEnded: Bool { end != nil && !isListening }

    /// Whether something was pending, which ends now.
    @discardableResult
    func finishPending() -> Bool {
        guard let pending = pending.take() else { return false }
        if state == .open {
            let reason = pending.isOrderly ? "" : pending.error.reason
            FrameWriter.writeClose(pending.code, reason, to: output)
        }
        finish(pending)
        return true
    }

    /// Sends a Close frame. The messages end when the client has closed, too.
    func end(with code: WebSocketCloseCode, _ reason: String) {
        guard state == .open, !finishPending() else { return }
        state = .closing
        FrameWriter.writeClose(code, reason, to: output)
        let end = WebSocketClosed(code: code, reason: reason)
        tell(WebSocketEnd(end, isOrderly: true, code: code, at: connection.group.now))
        advance()
    }

    /// Closes after the handler has ended, unless that has been done. Nobody listens any more.
    func end(afterHandler code: WebSocketCloseCode, _ reason: String) {
        end(with: code, reason)
        guard state == .closing, !finishPending() else { return }
        if let end { tell(end) }
        advance()
    }

    /// Sends what has been written, and ends the connection.
    private func finish(_ end: WebSocketEnd) {
        state = .over
        tell(end)
        release()
        connection.finish()
    }

    /// The connection is gone, however that has come.
    func connectionIsGone() {
        guard state != .over else { return }
        let broken = WebSocketClosed(code: .abnormal, reason: "The connection has ended.")
        let isOrderly = state == .closing
        state = .over
        tell(pending ?? WebSocketEnd(broken, isOrderly: isOrderly, at: connection.group.now))
        // After its own `close`, it has gone on until now.
        if isOrderly, !hasBeenRead { cancelHandler() }
        release()
    }

    private func release() {
        connection.group.budgets.webSockets.leave(connection.client)
        receiver.end()
        compression?.end()
        connection.session = nil
    }

    /// Tells those who read and send; of several ends, the first one counts. A handler that reads learns of the end
    /// there, and one that closes knows of it; any other is cancelled, and so is one that does something else when the
    /// connection breaks.
    private func tell(_ new: WebSocketEnd) {
        let isFirst = end == nil
        let end = end ?? new
        self.end = end
        if hasEnded, let reader = reader.take() {
            if end.isOrderly { reader.resume(returning: nil) } else { reader.resume(throwing: end.error) }
        } else if isFirst, !isAware, !end.isOrderly || !hasBeenRead {
            cancelHandler()
        }
        if isFirst { resumeSenders() }
    }

    private func cancelHandler() {
        isCancelled = true
        connection.task?.cancel()
    }

    /// The client has taken its output.
    func outputIsTaken() {
        if let payload = pong.take(), state == .open { answer(payload) }
        extendTimeForPong()
        if state != .over { advance() }
    }

    func resumeSenders() {
        let waiting = senders
        senders = []
        for sender in waiting { sender.resume() }
    }

    /// Whether nobody has ever read, so that nobody will notice by reading that the client has gone.
    var isNeverRead: Bool { !hasBeenRead }

    var work: SessionWork { .lasting }

    /// Nothing of it waits for a turn.
    func goOn(_ share: inout TurnShare) {}
}

/// The end of a WebSocket, past or about to come; few are ending at any time.
final class WebSocketEnd {
    /// The error for those who still use it: sending throws it, and so does reading unless the end is orderly.
    let error: WebSocketClosed
    /// Whether it ends the messages; otherwise reading throws the error.
    let isOrderly: Bool
    /// The code to send; nil for a Close frame without one.
    let code: WebSocketCloseCode?
    /// The time at which the end was noticed, in the group's seconds.
    let time: Int

    init(_ error: WebSocketClosed, isOrderly: Bool, code: WebSocketCloseCode? = nil, at time: Int) {
        self.error = error
        self.isOrderly = isOrderly
        self.code = code
        self.time = time
    }
}
