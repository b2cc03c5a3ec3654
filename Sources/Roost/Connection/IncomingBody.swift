/// The body of a request that has not come whole with its head: read from the connection as it is asked for, so that
/// a client sends no faster than its bytes are used.
///
/// It may be iterated once. `@unchecked Sendable`: what it touches belongs to the connection's loop, and `next()` runs
/// there (see ``next()``).
final class IncomingBody: AsyncSequence, AsyncIteratorProtocol, @unchecked Sendable {
    private let connection: Connection
    private var owesContinue: Bool

    init(_ connection: Connection, _ request: ParsedHead) {
        self.connection = connection
        owesContinue = request.expectsContinue
    }

    func makeAsyncIterator() -> IncomingBody { self }

    /// The next bytes; nil at the end.
    /// - Throws: ``HTTPError`` for a body that is malformed, ends early or takes too long.
    func next() async throws -> [UInt8]? {
        guard connection.group.loop.isCurrent else { throw BodyReadElsewhere() }
        while true {
            do throws(ParseError) {
                switch try connection.nextPiece() {
                case .content(let bytes): return bytes
                case .end: return nil
                case .partial: break
                }
            } catch {
                throw HTTPError(error.status, error.reason)
            }
            if owesContinue { connection.sendContinue() }
            owesContinue = false
            try await connection.moreInput()
        }
    }
}

/// A body was read in an unstructured task, which is not on the connection's loop.
struct BodyReadElsewhere: Error, CustomStringConvertible {
    var description: String {
        "A streamed body can only be read in the task that answers its request; collect it before you start another."
    }
}
