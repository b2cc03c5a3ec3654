/// A ``LiveBody`` on its connection, used on the loop's thread only.
final class LiveOutput: LiveTarget {
    private let connection: Connection
    private let body: LiveBody
    private let framing: ResponseSerializer.Framing
    private let place: LivePlace
    /// Whether another request may follow.
    var persists = false
    /// The time at which something was last sent, in the group's seconds.
    private var lastWrite: Int
    /// The bytes that have been sent since the loop has last served others.
    private var sentSinceTurn = 0

    init(_ body: LiveBody, _ place: LivePlace, on connection: Connection) {
        self.connection = connection
        self.body = body
        self.place = place
        framing = connection.exchange.isHTTP10 ? .close : .chunked
        lastWrite = connection.group.now
    }

    /// Whether it is what the connection is sending.
    var isOpen: Bool { connection.live === self && connection.state.phase == .serving }

    /// Lets the body write itself, after the head, in a task of its own: a stream lasts, and the request's task would
    /// keep the memory of all that it has done before.
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
            try await body.write(LiveWriter(output: LoopBound(lending: self, of: me.loop)))
        } catch {
            return fail(error, request)
        }
        if isOpen { finish() }
    }

    /// The client sees from the missing end that something has gone wrong, and connects again.
    private func fail(_ error: any Error, _ request: String) {
        connection.group.report(error, in: request)
        guard isOpen else { return }
        if framing == .close { return connection.close() }
        connection.live = nil
        goOn(persists: false)
    }

    private func finish() {
        connection.live = nil
        ResponseSerializer.writeBodyEnd(framing, to: connection.output)
        connection.flush()
        goOn(persists: persists && framing == .chunked)
    }

    /// The stream has ended, and so has its task.
    private func goOn(persists: Bool) {
        if connection.endExchange(persists) { connection.advance() }
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
        ResponseSerializer.writePiece(bytes, framing, to: connection.output)
    }

    /// Calls back when the client has taken everything, or has gone.
    func whenTaken(_ waiter: CheckedContinuation<Void, Never>) {
        guard connection.unsent != nil, isOpen else { return waiter.resume() }
        connection.outputWaiters.append(waiter)
    }

    /// Whether the client has taken everything.
    var isTaken: Bool { connection.unsent == nil }

    func endsTurn(with count: Int) -> Bool {
        // A short event costs as much as a longer one.
        sentSinceTurn += count + 256
        guard sentSinceTurn > ConnectionGroup.turnSize else { return false }
        sentSinceTurn = 0
        return true
    }

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
        append(body.farewell())
        ResponseSerializer.writeBodyEnd(framing, to: connection.output)
        connection.live = nil
        let task = connection.task
        connection.finish()
        task?.cancel()
    }
}

/// The place of an event stream among those that may be open, which it has as long as this lives.
final class LivePlace {
    private let client: IPAddress?
    private let group: ConnectionGroup

    /// Takes a place; nil when there is none.
    init?(for client: IPAddress?, in group: ConnectionGroup) {
        guard group.budgets.streams.enter(client) else { return nil }
        self.client = client
        self.group = group
    }

    deinit { group.budgets.streams.leave(client) }
}

/// The way of a live body to its client; used on its loop only.
protocol LiveTarget: AnyObject {
    /// Whether the body is still wanted.
    var isOpen: Bool { get }
    /// Whether the client has taken everything.
    var isTaken: Bool { get }
    /// Sends bytes. False when the body has ended.
    func send(_ bytes: [UInt8]) -> Bool
    /// Whether so much has been sent, with these bytes, that the loop must serve others first.
    func endsTurn(with count: Int) -> Bool
    /// Calls back when the client has taken everything, or has gone.
    func whenTaken(_ waiter: CheckedContinuation<Void, Never>)
    /// Ends the body from outside.
    func endNow()
}

/// Writes to a ``LiveTarget`` from any thread.
final class LiveWriter: BodyWriter {
    private let output: LoopBound<any LiveTarget>

    init(output: LoopBound<any LiveTarget>) { self.output = output }

    func write(_ bytes: consuming [UInt8]) async throws {
        let loop = output.loop
        if loop.isCurrent {
            let count = bytes.count
            let isOpen = output.value.send(bytes)
            // The client may not read for long.
            _ = consume bytes
            guard isOpen else { throw CancellationError() }
            if output.value.isTaken {
                if output.value.endsTurn(with: count) { await Task.yield() }
                return
            }
        } else {
            let piece = consume bytes
            guard await output.run({ $0.send(piece) }) ?? false else { throw CancellationError() }
        }
        await withCheckedContinuation { continuation in
            if loop.isCurrent { return output.value.whenTaken(continuation) }
            let isGoingOn = loop.submit { [output] in output.value.whenTaken(continuation) }
            if !isGoingOn { continuation.resume() }
        }
        let isOpen = loop.isCurrent ? output.value.isOpen : await output.run { $0.isOpen } ?? false
        guard isOpen else { throw CancellationError() }
    }

    func end() async {
        if output.loop.isCurrent { return output.value.endNow() }
        await output.run { $0.endNow() }
    }
}
