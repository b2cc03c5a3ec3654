import HTTPTypes
import Logging

// The rules for every response, whatever protocol it goes out in.

extension ConnectionGroup {
    /// The number of bytes of one body that may go to a client that always reads before the loop serves others.
    static let turnSize = 256 * 1024

    /// The response for an error that no middleware has turned into one. An unexpected error is logged, so that it is
    /// not lost.
    func failureResponse(_ error: any Error) -> Response {
        if !(error is HTTPError) { report(error) }
        return Response(error)
    }

    /// Puts another response in the place of one that cannot be sent, or that there is no memory for.
    /// - Parameter isUpgrade: Whether it changes the protocol of its connection.
    @inline(__always)
    func admit(_ response: inout Response, isUpgrade: Bool) {
        if response.status.code < 200, !isUpgrade {
            replace(&response, InterimStatusError(code: response.status.code))
        }
        if response.body.isDeferred, !response.body.isStream { replace(&response, BodyIsDeferred()) }
        if response.body.count ?? .max > ResponseSender.pieceSize { admitMemory(&response) }
    }

    /// Reports a response that cannot be sent, and turns it into a 500. After a status that is not final, the client
    /// would wait for another response for ever, or take the connection for another protocol's.
    @inline(never)
    func replace(_ response: inout Response, _ error: any Error) {
        report(error)
        response = Response(.internalServerError)
    }

    /// A large body in memory stays there until the client has taken it, so a 503 takes its place when clients already
    /// have too much there. One that would never fit is a fault of the application.
    @inline(never)
    private func admitMemory(_ response: inout Response) {
        guard let count = response.body.keptCount, count > ResponseSender.pieceSize,
            !memory.hasRoom(for: count, of: count)
        else { return }
        guard count <= memory.largest else {
            return replace(&response, LargeResponseError(count: count, largest: memory.largest))
        }
        logger.info("Sent 503 instead of \(count) bytes: clients hold too much memory.")
        response = Response(HTTPError.memoryIsFull)
    }

    /// The response where something that lasts would be one too many.
    func tooManyOpen(_ things: String, by client: String) -> Response {
        logger.info("Sent 503: \(client) or all clients have too many \(things) open.")
        return Response(HTTPError.tooManyOpen(things))
    }

    /// Sends a stream piece by piece, as fast as the client takes it. False when the client has gone, and for a stream
    /// that fails or has another length than announced, which is reported: its client must learn that the body is not
    /// whole.
    /// - Parameters:
    ///   - request: The name of the request in the log.
    ///   - send: Sends a piece, and returns when the client has taken it; false when it has gone.
    func send(_ body: Body, to request: String, _ send: ([UInt8]) async -> Bool) async -> Bool {
        let lease = body.keptCount.map { MemoryLease($0, of: memory) }
        defer { withExtendedLifetime(lease) {} }
        var pieces = CountedPieces(body)
        var sinceTurn = 0
        do {
            while let piece = try await pieces.next() {
                guard await send(piece) else { return false }
                sinceTurn += piece.count
                if sinceTurn > Self.turnSize {
                    sinceTurn = 0
                    await Task.yield()
                }
            }
            return true
        } catch {
            report(error, in: request)
            return false
        }
    }
}

/// A handler has responded with an interim status, which announces another response.
struct InterimStatusError: Error, CustomStringConvertible {
    let code: Int
    var description: String {
        "The status \(code) is not final, so no response can end with it (RFC 9110 §15.2): use one from 200 to 599."
    }
}

/// A handler has responded with more bytes in memory than one client may ever have there.
struct LargeResponseError: Error, CustomStringConvertible {
    let count: Int
    let largest: Int

    var description: String {
        "A response of \(count) bytes is in memory, where one may have \(largest), half of MAX_BUFFERED_SIZE: raise "
            + "that, or send a file or a stream."
    }
}
