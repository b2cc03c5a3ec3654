import HTTPTypes
import Logging

/// The body of a request that has not come whole with its head. It is read from the connection on demand, so that a
/// client sends no faster than its bytes are used.
///
/// It is used on its connection's loop only; other code sees it as an ``IncomingBodyStream``.
final class IncomingBody: BodySource {
    private let connection: Connection
    private var decoder: BodyDecoder
    private var owesContinue: Bool
    /// The client's arrears in sending the body.
    private var arrears = Arrears()
    private var waiter: CheckedContinuation<Void, any Error>?
    /// Counts the waits, so that only the one that was cancelled ends.
    private var waits: UInt32 = 0
    /// The error in a malformed body. It stays: there is no telling where in the bytes to continue.
    private var fault: HTTPError?

    init(_ connection: Connection, _ head: RequestHead) {
        self.connection = connection
        decoder = BodyDecoder(head.framing)
        owesContinue = head.expectsContinue
    }

    /// Whether somebody waits for more of it.
    var isAwaited: Bool { waiter != nil }

    /// The next bytes; nil at the end.
    /// - Throws: ``HTTPError`` for a body that is malformed, ends early or takes too long.
    func next() async throws -> [UInt8]? {
        while true {
            // Once its request has had its response, what the connection has received belongs to the next one.
            guard connection.incoming === self else { throw CancellationError() }
            switch try nextPiece() {
            case .content(let content): return content
            case .end:
                connection.keepInput()
                return nil
            case .partial: try await more()
            }
        }
    }

    private enum Piece {
        case content([UInt8])
        case partial
        case end
    }

    private func nextPiece() throws(HTTPError) -> Piece {
        if let fault { throw fault }
        guard let bytes = connection.input.bytes else { return decoder.isAtEnd ? .end : .partial }
        do throws(ParseError) {
            switch try decoder.next(in: bytes, at: &connection.input.cursor) {
            case .content(let range):
                arrears.pay(range.count, rate)
                return .content(Array(bytes.slice(range)))
            case .partial: return .partial
            case .end: return .end
            }
        } catch {
            let fault = HTTPError(error.status, error.reason)
            self.fault = fault
            throw fault
        }
    }

    private func more() async throws {
        if connection.peerHasFinished { throw HTTPError(.badRequest, ParseError.endedEarly.reason) }
        // After a response without it, nothing more is sent.
        guard connection.state.phase == .serving else { throw CancellationError() }
        if owesContinue { connection.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        owesContinue = false
        connection.flush()
        // The connection waits for one thing at a time; some of the body may come meanwhile.
        if connection.unsent != nil { return await connection.outputTaken() }
        guard waiter == nil else { throw BodyReadElsewhere() }
        guard connection.expectBody(arrears) else { throw ended() }
        connection.keepInput()
        if let fault { throw fault }
        guard connection.state.phase == .serving else { throw ended() }
        let start = connection.group.now
        defer { arrears.add(seconds: connection.group.now - start, rate) }
        let me = LoopBound(lending: self, of: connection.group.loop)
        waits &+= 1
        let number = waits
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter = $0 }
        } onCancel: {
            me.loop.execute { me.value.cancelWait(number) }
        }
    }

    /// The error for the reader of a body that nobody sends any more. A handler that has not been suspended yet is
    /// cancelled here: its connection does not know its task.
    private func ended() -> CancellationError {
        if connection.task == nil { withUnsafeCurrentTask { $0?.cancel() } }
        return CancellationError()
    }

    private func cancelWait(_ number: UInt32) {
        guard isAwaited, number == waits else { return }
        fail(CancellationError())
        connection.state.awaitNothing(at: connection.group.now)
    }

    /// Starts waiting for the client, if somebody waits for more of the body.
    func awaitMore() {
        if isAwaited { connection.state.awaitBody(at: connection.group.now, arrears, rate) }
    }

    private var rate: MinimumRate { connection.group.limits.body }

    /// More has come, or it is certain that nothing more will.
    func resume() {
        waiter?.resume()
        waiter = nil
    }

    /// Refuses the body: there is no memory for what has come of it, and whoever reads it gets a 503. False if it has
    /// been read to its end.
    func refuse() -> Bool {
        guard !decoder.isAtEnd else { return false }
        if fault == nil {
            let client = connection.clientHost
            connection.group.logger.info("Refused a body from \(client): clients hold too much memory.")
            fault = .memoryIsFull
        }
        return true
    }

    /// Ends the body with an error: nothing more will come.
    func fail(_ error: any Error) {
        waiter?.resume(throwing: error)
        waiter = nil
    }

    /// Whether nothing of it will be left when a response has been sent, so that the next request can follow. What
    /// nobody has read is skipped, unless the response itself may read it. The client is no longer invited to send it,
    /// because the final response comes now (RFC 9110 §10.1.1).
    func ends(before response: Response) -> Bool {
        owesContinue = false
        return response.body.isStream ? decoder.isAtEnd : skipReceived()
    }

    private func skipReceived() -> Bool {
        while true {
            switch try? nextPiece() {
            case .content: continue
            case .end: return true
            case .partial, nil: return false
            }
        }
    }
}

/// The body of a request that is read on demand; used on its loop only.
protocol BodySource: AnyObject {
    /// The next bytes; nil at the end.
    /// - Throws: ``HTTPError`` for a body that is malformed, ends early or takes too long.
    func next() async throws -> [UInt8]?
}

/// A ``BodySource`` as a value of its request. It may be iterated once, on the connection's loop.
struct IncomingBodyStream: AsyncSequence, AsyncIteratorProtocol, CountedStream, Sendable {
    let body: LoopBound<any BodySource>
    let memory: MemoryBudget

    func makeAsyncIterator() -> IncomingBodyStream { self }

    /// The next bytes; nil at the end.
    /// - Throws: ``BodyReadElsewhere`` off the loop, and what ``BodySource/next()`` throws.
    func next() async throws -> [UInt8]? {
        guard body.loop.isCurrent else { throw BodyReadElsewhere() }
        return try await body.value.next()
    }
}

/// A body was read in an unstructured task, which is not on the connection's loop.
struct BodyReadElsewhere: Error, CustomStringConvertible {
    var description: String {
        "A streamed body can only be read in the task that handles its request; collect it before you start another."
    }
}
