// The part of the session that a handler sees, and any task to which it gives its socket. The rest is the loop's.

extension WebSocketSession: WebSocketChannel {
    private var loop: EventLoop { connection.group.loop }

    func poll() throws -> WebSocketPoll {
        guard loop.isCurrent, readSinceTurn < Self.turnMessages else { return .elsewhere }
        if hasMessage() || hasEnded { return try messageThatIsThere().map { .message($0) } ?? .end }
        return handlerTask == Self.currentTask ? .nothing : .elsewhere
    }

    /// The task that asks, as a number; 0 outside of tasks.
    static var currentTask: UInt {
        withUnsafeCurrentTask { task in
            guard let task else { return 0 }
            return unsafeBitCast(task, to: UInt.self)
        }
    }

    func wait(_ continuation: UnsafeContinuation<WebSocketMessage?, any Error>) {
        precondition(loop.isCurrent, "A WebSocket was read on another thread than its loop's.")
        do {
            _ = try beginWait()
            read(continuation)
        } catch {
            continuation.resume(throwing: error)
        }
    }

    func next() async throws -> WebSocketMessage? {
        guard loop.isCurrent else { return try await onLoop { try await $0.next() } }
        if readSinceTurn >= Self.turnMessages { await endTurn() }
        if hasMessage() || hasEnded { return try messageThatIsThere() }
        return try await nextUnlessCancelled()
    }

    /// Waits in a task that somebody else may cancel.
    private func nextUnlessCancelled() async throws -> WebSocketMessage? {
        let number = try beginWait()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                read(continuation)
            }
        } onCancel: {
            loop.execute { self.cancelWait(number) }
        }
    }

    func sendNow(_ message: WebSocketMessage) throws -> Bool { loop.isCurrent ? try write(message) : false }

    func send(_ message: WebSocketMessage) async throws {
        guard loop.isCurrent else {
            return try await onLoop { session in
                if try !session.write(message) { try await session.writeInTurn(message) }
            }
        }
        try await writeInTurn(message)
    }

    /// Continues on the loop, for a task that runs elsewhere.
    private func onLoop<Result: Sendable>(
        _ body: @escaping @Sendable (WebSocketSession) async throws -> Result
    ) async throws -> Result {
        if loop.hasEnded { throw WebSocketClosed(code: .abnormal, reason: "The server has ended.") }
        let task = Task(executorPreference: loop) { try await body(self) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func close(_ code: WebSocketCloseCode, _ reason: String) async {
        let task = Self.currentTask
        if loop.isCurrent { return end(with: code, reason, by: task) }
        await withCheckedContinuation { continuation in
            let isTaken = loop.submit {
                self.end(with: code, reason, by: task)
                continuation.resume()
            }
            if !isTaken { continuation.resume() }
        }
    }

    /// A task closes. The handler's own knows of that, and is not cancelled.
    private func end(with code: WebSocketCloseCode, _ reason: String, by task: UInt) {
        isAware = task == handlerTask
        defer { isAware = false }
        end(with: code, reason)
    }
}
