internal import CLibevent
import Glibc
import HTTPTypes

// One client: read → advance → respond → flush.
//
// `readable()` reads once and starts a task that answers every whole request in what was read; the answers gather in
// the loop's output buffer and go out with one write. A handler that never suspends has answered before the callback
// returns. One that does finds its connection *serving*: from then on each answer is flushed by itself, because the
// shared buffer is other connections' in between.
//
// The socket is level-triggered: a short read needs no second one to see whether there was more, and an end of file
// behind the data is not missed. What must not be read yet (a client that pipelines faster than it is answered) is kept
// up to a bound, then the interest in reading is dropped.

/// A client's connection.
///
/// `@unchecked Sendable`: it is touched by its loop's thread only. The task that serves it prefers that loop as its
/// executor, so it resumes there whatever its handlers awaited.
final class Connection: @unchecked Sendable {
    let group: ConnectionGroup
    let socket: Int32
    /// When the peer must have done what it is waited for, in the group's seconds.
    @exclusivity(unchecked) private(set) var deadline: Int

    // What has been received and not been used: `input` from `cursor` on.
    @exclusivity(unchecked) var input: MessageBytes?
    @exclusivity(unchecked) var cursor = 0
    @exclusivity(unchecked) private var parser: RequestParser
    @exclusivity(unchecked) var body = BodyDecoder.none

    // What has been answered and not been taken: `unsent` from `sent` on.
    private(set) var unsent: ByteBuffer?
    private var sent = 0

    enum Phase {
        /// Waiting for a request, or for the rest of its head.
        case waiting
        /// A task is answering.
        case serving
        /// Everything is answered; bytes that still come are dropped.
        case lingering
        case closed
    }

    @exclusivity(unchecked) private(set) var phase = Phase.waiting
    /// Whether the callback that read is still on the stack, so that output may gather.
    @exclusivity(unchecked) private var isInTurn = false
    /// Whether the peer will send nothing more.
    private(set) var peerHasEnded = false
    private var task: Task<Void, Never>?
    private var inputWaiter: CheckedContinuation<Void, any Error>?
    private var outputWaiter: CheckedContinuation<Void, Never>?

    private let event: UnsafeMutablePointer<event>
    private var interest: Int16 = 0

    init(_ socket: Int32, in group: ConnectionGroup) {
        self.socket = socket
        self.group = group
        parser = RequestParser(limits: group.limits.parser)
        deadline = group.now + group.limits.headTimeout
        event = .allocate(capacity: 1)
    }

    deinit { event.deallocate() }

    func start() {
        watch(Int16(EV_READ))
    }

    // MARK: Reading

    private func ready(_ what: Int16) {
        if what & Int16(EV_WRITE) != 0 { writable() }
        if what & Int16(EV_READ) != 0, phase != .closed { readable() }
    }

    private func readable() {
        switch phase {
        case .waiting: if receive() { advance() }
        case .serving:
            if let waiter = inputWaiter {
                inputWaiter = nil
                waiter.resume()
            } else {
                receiveAhead()
            }
        case .lingering: dropInput()
        case .closed: break
        }
    }

    /// Reads once. False when there was nothing, or the connection is over.
    func receive() -> Bool {
        let buffer = roomForInput()
        let count = read(socket, buffer.base + buffer.count, buffer.capacity - buffer.count)
        if count > 0 {
            buffer.count += count
            return true
        }
        if count == 0 {
            end()
        } else if errno != EAGAIN && errno != EINTR {
            close()
        }
        return false
    }

    /// The buffer to read into: the loop's when nothing is kept, else the one kept, made larger when it is full.
    private func roomForInput() -> MessageBytes {
        guard let input else {
            let buffer = group.takeReadBuffer()
            self.input = buffer
            cursor = 0
            return buffer
        }
        if input.count < input.capacity { return input }
        return moveInput(capacity: max((input.count - cursor) * 2, ConnectionGroup.readSize))
    }

    /// Moves what is not used yet into memory of its own.
    @discardableResult
    private func moveInput(capacity: Int) -> MessageBytes {
        let rest = input.map { UnsafeBufferPointer(start: $0.base + cursor, count: $0.count - cursor) }
        let moved = MessageBytes(copying: rest ?? UnsafeBufferPointer(start: nil, count: 0), capacity: capacity)
        input = moved
        cursor = 0
        return moved
    }

    /// The client sends on while it is being answered: a bounded amount is kept for later.
    private func receiveAhead() {
        if let input, input.count - cursor >= ConnectionGroup.readSize {
            watch(interest & ~Int16(EV_READ))
        } else {
            _ = receive()
        }
    }

    /// The peer has shut down its side: what it has asked is still answered.
    private func end() {
        peerHasEnded = true
        if phase == .serving { return watch(interest & ~Int16(EV_READ)) }
        close()
    }

    private func dropInput() {
        let buffer = group.takeReadBuffer()
        let count = read(socket, buffer.base, buffer.capacity)
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { close() }
    }

    /// What ``nextPiece()`` finds.
    enum Piece {
        case content([UInt8])
        case partial
        case end
    }

    /// The next bytes of the request's body among what has been received.
    func nextPiece() throws(ParseError) -> Piece {
        guard let input else { return body.isAtEnd ? .end : .partial }
        switch try body.next(in: input, at: &cursor) {
        case .content(let range): return .content(Array(input.slice(range)))
        case .partial: return .partial
        case .end: return .end
        }
    }

    /// Moves behind the rest of a body that nobody has read. False when it has not all come.
    func skipReceivedBody() -> Bool {
        while !body.isAtEnd {
            guard let input, let piece = try? body.next(in: input, at: &cursor), piece != .partial else { return false }
        }
        return true
    }

    // MARK: Advancing

    /// Answers what has been received: the whole of the server, seen from one connection.
    private func advance() {
        isInTurn = true
        defer { isInTurn = false }
        guard let first = nextHead() else { return rest() }
        phase = .serving
        deadline = .max
        let task = Task.immediate(executorPreference: group.loop) { await self.serve(first) }
        guard phase == .serving else { return }
        self.task = task
        flush()
    }

    /// Answers one request after the other until no whole one is left.
    private func serve(_ first: ParsedHead) async {
        var next: ParsedHead? = first
        while let parsed = next {
            let persists = await respond(to: parsed)
            if unsent != nil { await outputTaken() }
            guard phase == .serving else { return }
            next = persists ? nextHead() : nil
            if !persists { return finish() }
        }
        rest()
    }

    private func respond(to parsed: ParsedHead) async -> Bool {
        body = BodyDecoder(parsed.framing)
        let request = Request(head: parsed.head, body: takeBody(parsed))
        let response: Response
        do {
            response = try await group.responder.respond(to: request)
        } catch {
            response = Response((error as? HTTPError)?.status ?? .internalServerError)
        }
        return await ResponseSender(connection: self, request: parsed).send(response)
    }

    /// The body if it has come with the head, else a stream that reads it.
    private func takeBody(_ parsed: ParsedHead) -> Body {
        guard let input else { return Body() }
        switch parsed.framing {
        case .none: return Body()
        case .length(let length) where length <= input.count - cursor:
            cursor += length
            body = .none
            return Body(.received(input, ByteRange(cursor - length, cursor)))
        case .length(let length): return Body(stream: IncomingBody(self, parsed), length: length)
        case .chunked: return Body(stream: IncomingBody(self, parsed))
        }
    }

    /// The next head among what has been received. A malformed one is answered right here, and nil returned.
    private func nextHead() -> ParsedHead? {
        guard let input, cursor < input.count else { return nil }
        do throws(ParseError) {
            return try parser.next(in: input, at: &cursor)
        } catch {
            refuse(error.status, error.reason)
            return nil
        }
    }

    /// Ends a turn without a whole request: keeps what has come of the next one, and waits.
    private func rest() {
        flush()
        guard phase == .waiting || phase == .serving else { return }
        let wasServing = phase == .serving
        phase = .waiting
        task = nil
        keepRest(restartsDeadline: wasServing)
        if group.isDraining || peerHasEnded && unsent == nil { return close() }
        watch(interest | Int16(EV_READ))
    }

    private func keepRest(restartsDeadline: Bool) {
        guard let input, cursor < input.count else {
            input = nil
            if unsent == nil { deadline = group.now + group.limits.idleTimeout }
            return
        }
        if group.owns(input) {
            moveInput(capacity: max(1024, (input.count - cursor) * 2))
            deadline = group.now + group.limits.headTimeout
        } else if restartsDeadline {
            deadline = group.now + group.limits.headTimeout
        }
    }

    // MARK: Responding

    /// Where the next bytes for this client go: the loop's buffer, or behind what the client has not taken yet.
    var output: ByteBuffer { unsent ?? group.output }

    /// Answers what cannot be parsed, and ends the connection: nothing tells where a next request would begin.
    private func refuse(_ status: HTTPResponse.Status, _ reason: String) {
        let text = reason + "\n"
        ResponseSerializer.writeRefusal(status, length: text.utf8.count, date: group.date.bytes, to: output)
        output.append(text)
        finish()
    }

    /// Writes what has gathered, unless the turn that gathers is still under way.
    func flushUnlessGathering() {
        if !isInTurn || output.count >= ConnectionGroup.readSize * 4 { flush() }
    }

    func flushNow() {
        isInTurn = false
        flush()
    }

    private func flush() {
        guard unsent == nil, group.output.count > 0 else { return }
        let output = group.output
        let count = write(socket, output.base, output.count)
        if count < output.count {
            if count < 0 && errno != EAGAIN && errno != EINTR {
                output.removeAll()
                return close()
            }
            keepUnsent(output, from: max(0, count))
        }
        output.removeAll()
    }

    private func keepUnsent(_ output: ByteBuffer, from start: Int) {
        let kept = ByteBuffer(capacity: output.count - start)
        kept.append(UnsafeBufferPointer(rebasing: output.written[start...]))
        unsent = kept
        sent = 0
        deadline = group.now + group.limits.sendTimeout
        watch(interest | Int16(EV_WRITE))
    }

    /// The client takes more of what it has been answered.
    private func writable() {
        guard let unsent else { return }
        let count = write(socket, unsent.base + sent, unsent.count - sent)
        if count < 0 {
            if errno != EAGAIN && errno != EINTR { close() }
            return
        }
        sent += count
        deadline = group.now + group.limits.sendTimeout
        if sent == unsent.count { allSent() }
    }

    private func allSent() {
        unsent = nil
        deadline = phase == .serving ? .max : group.now + group.limits.idleTimeout
        watch(interest & ~Int16(EV_WRITE))
        if let waiter = outputWaiter {
            outputWaiter = nil
            waiter.resume()
        } else if phase == .lingering {
            shutDown()
        } else if phase == .waiting, peerHasEnded {
            close()
        }
    }

    /// Tells a client that waits for it to send the body (RFC 9110 §10.1.1).
    func sendContinue() {
        output.append("HTTP/1.1 100 Continue\r\n\r\n")
        flush()
    }

    /// Waits until the client has taken everything: what keeps a slow reader from filling the memory.
    func outputTaken() async {
        guard unsent != nil, phase == .serving else { return }
        await withCheckedContinuation { outputWaiter = $0 }
    }

    /// Waits for more of the request's body to come.
    /// - Throws: ``ParseError/endedEarly`` when the client ends first, an ``HTTPError`` when it is too slow.
    func moreInput() async throws {
        guard phase == .serving else { throw CancellationError() }
        guard !peerHasEnded else { throw ParseError.endedEarly }
        flush()
        deadline = group.now + group.limits.bodyTimeout
        watch(interest | Int16(EV_READ))
        try await withCheckedThrowingContinuation { inputWaiter = $0 }
        deadline = .max
        _ = receive()
    }

    // MARK: Ending

    /// Everything has been answered: sends the rest, and closes in a way that lets the client read it.
    private func finish() {
        flush()
        guard phase != .closed else { return }
        phase = .lingering
        task = nil
        input = nil
        if unsent == nil { shutDown() }
    }

    /// Closes the sending side. Closing a socket with unread bytes would reset the connection and could destroy the
    /// answer on its way (RFC 9112 §9.6), so what the client still sends is read for a while.
    private func shutDown() {
        if peerHasEnded { return close() }
        deadline = group.now + group.limits.lingerTimeout
        Glibc.shutdown(socket, Int32(SHUT_WR))
        watch(Int16(EV_READ))
    }

    func missedDeadline() {
        switch phase {
        case .waiting where input != nil && unsent == nil:
            refuse(.requestTimeout, "The request took too long to arrive.")
        case .serving where inputWaiter != nil:
            let waiter = inputWaiter
            inputWaiter = nil
            waiter?.resume(throwing: HTTPError(.requestTimeout, "The body took too long to arrive."))
        default: close()
        }
    }

    func closeIfIdle() {
        if phase == .waiting, unsent == nil, input == nil { close() }
    }

    /// Closes the socket now. Who waits for it is told; a handler's task is cancelled.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        deadline = .max
        if interest != 0 { event_del(event) }
        Glibc.close(socket)
        input = nil
        unsent = nil
        task?.cancel()
        inputWaiter?.resume(throwing: CancellationError())
        outputWaiter?.resume()
        inputWaiter = nil
        outputWaiter = nil
        group.remove(self)
    }

    /// Changes what the loop watches the socket for.
    private func watch(_ wanted: Int16) {
        guard phase != .closed, wanted != interest else { return }
        if interest != 0 { event_del(event) }
        interest = wanted
        guard wanted != 0 else { return }
        let me = Unmanaged.passUnretained(self).toOpaque()
        event_assign(
            event,
            group.loop.base,
            socket,
            wanted | Int16(EV_PERSIST),
            { _, what, me in
                guard let me else { return }
                Unmanaged<Connection>.fromOpaque(me).takeUnretainedValue().ready(what)
            },
            me
        )
        event_add(event, nil)
    }
}
