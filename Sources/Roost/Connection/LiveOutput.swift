/// A ``LiveBody`` on its connection, used on the loop's thread only.
final class LiveOutput {
    private let connection: Connection
    private let body: LiveBody
    private let framing: ResponseSerializer.Framing
    /// The address of the client that the stream counts for in the budget of open streams.
    private let client: IPAddress?
    /// Whether another request may follow.
    var persists = false
    /// The time at which something was last sent, in the group's seconds.
    private var lastWrite: Int

    /// Begins; its place among those of all clients is taken already.
    init(_ body: LiveBody, isHTTP10: Bool, on connection: Connection) {
        self.connection = connection
        self.body = body
        client = connection.client
        framing = isHTTP10 ? .close : .chunked
        lastWrite = connection.group.now
    }

    deinit { connection.group.budgets.streams.leave(client) }

    /// Whether it is what the connection is sending.
    var isOpen: Bool { connection.live === self && connection.phase == .serving }

    /// Lets the body write itself, after the head, in a task of its own: that of the request has more to remember, and
    /// a stream lasts.
    /// - Parameter request: The name of the request in the log.
    func begin(to request: String) {
        connection.endWithClient()
        guard isOpen else { return }
        guard !connection.group.isDraining else { return endNow() }
        let me = LoopBound(lending: self, of: connection.group.loop)
        connection.task = Task(executorPreference: me.loop) { await me.value.run(me, request) }
    }

    private func run(_ me: LoopBound<LiveOutput>, _ request: String) async {
        guard isOpen else { return }
        do {
            try await body.write(LiveWriter(output: me))
        } catch {
            return fail(error, request)
        }
        if isOpen { finish() }
    }

    /// The client sees from the missing end that something has gone wrong, and connects again.
    private func fail(_ error: any Error, _ request: String) {
        connection.group.report(error, in: request)
        guard isOpen else { return }
        connection.live = nil
        connection.goOn(persists: false)
    }

    private func finish() {
        connection.live = nil
        if framing == .chunked { ResponseSerializer.writeLastChunk(to: connection.output) }
        connection.flush()
        connection.goOn(persists: persists && framing == .chunked)
    }

    /// Sends bytes. False when the body has ended.
    func send(_ bytes: [UInt8]) -> Bool {
        guard isOpen else { return false }
        append(bytes)
        connection.flush()
        return isOpen
    }

    private func append(_ bytes: [UInt8]) {
        lastWrite = connection.group.now
        if framing == .chunked {
            ResponseSerializer.writeChunk(bytes, to: connection.output)
        } else {
            connection.output.append(bytes)
        }
    }

    /// Calls back when the client has taken everything, or has gone.
    func whenTaken(_ waiter: CheckedContinuation<Void, Never>) {
        guard connection.unsent != nil, isOpen else { return waiter.resume() }
        connection.outputWaiters.append(waiter)
    }

    /// Whether the client has taken everything.
    var isTaken: Bool { connection.unsent == nil }

    /// A second has passed. A proxy in between would close a connection on which nothing is sent, and only by sending
    /// can a server notice that a client has vanished without a word.
    func tick() {
        let group = connection.group
        guard isOpen, isTaken, group.now - lastWrite >= group.limits.heartbeat else { return }
        _ = send(body.heartbeat)
    }

    /// Ends the stream from outside, as when the server ends: nothing else would end it.
    func endNow() {
        guard isOpen else { return }
        end()
        let task = connection.task
        connection.finish()
        task?.cancel()
    }

    private func end() {
        append(body.farewell())
        if framing == .chunked { ResponseSerializer.writeLastChunk(to: connection.output) }
        connection.live = nil
        connection.flush()
    }
}
