import HTTPTypes

/// The body of a request that has not come whole with its head: read from the connection as it is asked for, so that
/// a client sends no faster than its bytes are used.
///
/// It may be iterated once. `@unchecked Sendable`: what it has belongs to its connection's loop, and ``next()`` refuses
/// to run elsewhere.
final class IncomingBody: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
    private let connection: Connection
    private var decoder: BodyDecoder
    private var owesContinue: Bool
    private var waiter: CheckedContinuation<Void, any Error>?

    init(_ connection: Connection, _ request: ParsedHead) {
        self.connection = connection
        decoder = BodyDecoder(request.framing)
        owesContinue = request.expectsContinue
    }

    /// Whether somebody waits for more of it.
    var isAwaited: Bool { waiter != nil }

    func makeAsyncIterator() -> IncomingBody { self }

    /// The next bytes; nil at the end.
    /// - Throws: ``HTTPError`` for a body that is malformed, ends early or takes too long.
    func next() async throws -> [UInt8]? {
        guard connection.group.loop.isCurrent else { throw BodyReadElsewhere() }
        while true {
            switch try nextPiece() {
            case .content(let content): return content
            case .end: return nil
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
        guard let bytes = connection.input.bytes else { return decoder.isAtEnd ? .end : .partial }
        do throws(ParseError) {
            switch try decoder.next(in: bytes, at: &connection.input.cursor) {
            case .content(let range): return .content(Array(bytes.slice(range)))
            case .partial: return .partial
            case .end: return .end
            }
        } catch {
            throw HTTPError(error.status, error.reason)
        }
    }

    private func more() async throws {
        if connection.peerHasEnded { throw HTTPError(.badRequest, ParseError.endedEarly.reason) }
        if owesContinue { connection.output.append("HTTP/1.1 100 Continue\r\n\r\n") }
        owesContinue = false
        guard connection.expectBody() else { throw CancellationError() }
        try await withCheckedThrowingContinuation { waiter = $0 }
    }

    /// More has come, or it is known that nothing more will.
    func resume() {
        waiter?.resume()
        waiter = nil
    }

    /// Nothing more will come.
    func fail(_ error: any Error) {
        waiter?.resume(throwing: error)
        waiter = nil
    }

    /// Moves behind what nobody has read. False when the body has not all come.
    func skipReceived() -> Bool {
        while true {
            switch try? nextPiece() {
            case .content: continue
            case .end: return true
            case .partial, nil: return false
            }
        }
    }
}

/// A body was read in an unstructured task, which is not on the connection's loop.
struct BodyReadElsewhere: Error, CustomStringConvertible {
    var description: String {
        "A streamed body can only be read in the task that answers its request; collect it before you start another."
    }
}
