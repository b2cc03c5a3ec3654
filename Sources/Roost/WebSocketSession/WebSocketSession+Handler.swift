// The task in which a handler runs.

extension WebSocketUpgrade: ProtocolUpgrade {
    func begin(on connection: Connection) {
        // A request that has not waited is still in the buffer of its connection, or of the loop.
        var request = request
        if let bytes = connection.input.bytes { request.moveOut(of: bytes, connection.group.memory) }
        let session = WebSocketSession(connection, self, request)
        connection.session = session
        session.start(self)
    }
}

extension WebSocketSession: ProtocolSession {
    /// Begins: starts the handler, and reads what has come behind the request.
    func start(_ upgrade: WebSocketUpgrade) {
        let group = connection.group
        connection.watch(connection.socket.interest.union(.readable))
        // Few functions with small frames: they are what an idle WebSocket has on its task's stack.
        let handler = upgrade.handler
        let task = Task.immediate(executorPreference: group.loop) { [self] in
            handlerBegins()
            do {
                try await handler(WebSocket(channel: self))
                handlerEnds(nil)
            } catch {
                handlerEnds(error)
            }
        }
        if isRunning {
            // A connection that has ended already does not cancel it.
            if state != .over { connection.task = task }
            if isCancelled { task.cancel() }
            connection.handlerSuspended()
        }
        if group.isDraining { serverEnds() }
        if state != .over { advance() }
    }

    private func handlerBegins() {
        handlerTask = Self.currentTask
        connection.handlerBegins()
    }

    private func handlerEnds(_ error: (any Error)?) {
        if let error, !(error is WebSocketClosed) { connection.group.report(error, in: LogText.name(of: request)) }
        let (code, reason) = Self.close(for: error)
        isRunning = false
        handlerTask = 0
        end(afterHandler: code, reason)
        connection.handlerHasEnded()
        connection.task = nil
    }

    /// Returns the code and reason of the Close frame after a handler that has returned, or thrown an error. An
    /// ``HTTPError`` says whose fault it was, and is for the client to read.
    private static func close(for error: (any Error)?) -> (WebSocketCloseCode, reason: String) {
        guard let error else { return (.normal, "") }
        guard let error = error as? HTTPError else { return (.internalError, "") }
        let reason = error.message ?? error.parts.first?.message ?? error.status.title
        switch error.status.code {
        case 400, 422: return (.invalidData, reason)
        case 401..<500: return (.policyViolation, reason)
        case 503: return (.tryAgainLater, reason)
        default: return (.internalError, reason)
        }
    }

    /// The server ends: the client may connect to another one.
    func serverEnds() { end(with: .goingAway, "The server is going away.") }
}
