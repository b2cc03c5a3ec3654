// The task in which a handler runs, and what the handler sees of the session.

extension WebSocketSession {
    /// Begins: starts the handler, and reads what has come behind the request.
    func start(_ upgrade: WebSocketUpgrade) {
        let group = connection.group
        let me = LoopBound(lending: self, of: group.loop)
        // Its head goes out by itself: frames are gathered elsewhere.
        connection.flush()
        connection.watch(.read)
        // Few functions with small frames: they are what an idle WebSocket has on its task's stack.
        let (handler, subprotocol) = (upgrade.handler, upgrade.handshake.subprotocol)
        let task = Task.immediate(executorPreference: group.loop) {
            me.value.handlerBegins()
            do {
                try await handler(WebSocket(channel: me, subprotocol: subprotocol))
                me.value.handlerEnds(nil)
            } catch {
                me.value.handlerEnds(error)
            }
        }
        if isRunning {
            connection.task = task
            if isCancelled { task.cancel() }
            group.loop.activity.suspendRequest(of: connection)
        }
        if group.isDraining { serverEnds() }
        if state != .over { advance() }
    }

    private func handlerBegins() {
        handlerTask = withUnsafeCurrentTask { $0 }
        connection.beginWatchedOnTheSpot(request)
    }

    private func handlerEnds(_ error: (any Error)?) {
        if let error, !(error is WebSocketClosed) { connection.group.report(error, in: LogText.name(of: request)) }
        close(error == nil ? .normal : .internalError, "")
        isRunning = false
        handlerTask = nil
        connection.task = nil
        connection.group.loop.activity.endRequest()
        connection.group.loop.activity.endSuspended(connection)
    }

    /// The server ends: the client may connect to another one.
    func serverEnds() { close(.goingAway, "The server is going away.") }
}

extension LoopBound: WebSocketChannel where Value == WebSocketSession {
    /// Waits in any task; on the loop, a message that is there is taken without suspending.
    func next() async throws -> WebSocketMessage? {
        guard loop.isCurrent else { return try await onLoop { try await $0.next() } }
        if value.hasMessage() || value.end != nil { return try value.messageThatIsThere() }
        guard withUnsafeCurrentTask(body: { $0 == value.handlerTask }) else { return try await nextUnlessCancelled() }
        // Unsafe, because the check costs as much as all else that is done for a small message. The session resumes it
        // exactly once: with a message, at the end, or when it is cancelled.
        return try await withUnsafeThrowingContinuation { value.read($0) }
    }

    /// Waits in a task that somebody else may cancel.
    private func nextUnlessCancelled() async throws -> WebSocketMessage? {
        let number = value.waits &+ 1
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                value.read(continuation)
            }
        } onCancel: {
            loop.execute { value.cancelWait(number) }
        }
    }

    func send(_ message: WebSocketMessage) async throws {
        guard loop.isCurrent else { return try await onLoop { try await $0.send(message) } }
        if try value.sendNow(message) { return }
        try await value.send(message)
    }

    /// Continues on the loop, for a task that runs elsewhere.
    private func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (Self) async throws -> Result
    ) async throws -> Result {
        let task = Task(executorPreference: loop) { try await body(self) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) async {
        if loop.isCurrent { return value.close(code, reason) }
        await run { $0.close(code, reason) }
    }
}
