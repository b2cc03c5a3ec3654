import HTTPTypes
import Logging

/// Sends one response: chooses how to mark its end, writes the head, then the body as fast as the client takes it.
///
/// A response that is small and in memory goes out without a suspension; nearly all of them are.
struct ResponseSender {
    let connection: Connection

    /// The most bytes that are gathered before they are sent to the client.
    private static let pieceSize = 64 * 1024

    /// The number of bytes of one body that may go to a client that always reads before the loop serves others.
    private static let turnSize = 256 * 1024

    private var exchange: RequestHead.Exchange { connection.exchange }

    /// Writes the head; if it has a header that must not be sent, writes that of a 500 without a body instead. Returns
    /// whether another request may follow: not while bytes of this one's body are still to come, since skipping them
    /// could take for ever.
    func start(_ response: inout Response) -> Bool {
        let isUpgrade =
            response.status == .switchingProtocols && response.body.upgrade != nil && admitUpgrade(&response)
        if response.status.code < 200, !isUpgrade {
            replace(&response, InterimStatusError(code: response.status.code))
        }
        if response.body.isDeferred { replace(&response, BodyIsDeferred()) }
        if response.body.count ?? 0 > Self.pieceSize { admit(&response) }
        if response.body.isStream, !exchange.isHead { admitLive(&response) }
        let isHTTP10 = exchange.isHTTP10
        let framing = ResponseSerializer.Framing(of: response, isHTTP10: isHTTP10)
        // Whether or not another request may follow, the client is no longer invited to send a body.
        let bodyEnds = connection.incoming?.ends(before: response) ?? true
        let persists = bodyEnds && exchange.persists && framing != .close && !connection.group.isDraining
        connection.live?.persists = persists
        let option: ResponseSerializer.ConnectionOption =
            isUpgrade || response.status == .upgradeRequired && persists && !isHTTP10
            ? .upgrade : persists ? (isHTTP10 ? .keepAlive : .none) : .close
        let date = connection.group.date.line
        do throws(ResponseHeaderError) {
            try ResponseSerializer.write(response, framing, option, date: date, to: connection.output)
        } catch {
            connection.group.report(error)
            connection.live = nil
            if isUpgrade { connection.group.budgets.webSockets.leave(connection.client) }
            response = Response(.internalServerError)
            ResponseSerializer.writePlainHead(response.status, .length(0), option, date: date, to: connection.output)
        }
        return persists
    }

    /// Reports a response that cannot be sent, and turns it into a 500. After a status that is not final, the client
    /// would wait for another response for ever, or take the connection for another protocol's.
    @inline(never)
    private func replace(_ response: inout Response, _ error: any Error) {
        connection.group.report(error)
        response = Response(.internalServerError)
    }

    /// A large body in memory stays there until the client has taken it, so a 503 takes its place when clients already
    /// have too much there.
    @inline(never)
    private func admit(_ response: inout Response) {
        guard let count = response.body.countInMemory,
            !connection.group.memory.hasRoom(for: count, of: count)
        else { return }
        connection.group.logger.info("Sent 503 instead of \(count) bytes: clients hold too much memory.")
        response = Response(HTTPError.memoryIsFull)
    }

    /// An event stream lasts, so a 503 takes its place when too many are open.
    @inline(never)
    private func admitLive(_ response: inout Response) {
        guard case .live(let body) = response.body.storage,
            ResponseSerializer.sendsBody(response.status, toHead: false)
        else { return }
        guard connection.group.budgets.streams.enter(connection.client) else {
            return refuse(&response, "event streams")
        }
        connection.live = LiveOutput(body, on: connection)
    }

    /// So does a WebSocket, whose session then has the place. False when there is none.
    @inline(never)
    private func admitUpgrade(_ response: inout Response) -> Bool {
        let isAdmitted = connection.group.budgets.webSockets.enter(connection.client)
        if !isAdmitted { refuse(&response, "WebSockets") }
        return isAdmitted
    }

    private func refuse(_ response: inout Response, _ things: String) {
        connection.group.logger.info("Sent 503: \(connection.clientHost) or all clients have too many \(things) open.")
        response = Response(HTTPError.tooManyOpen(things))
    }

    /// Sends a body that is small and in memory, or a small file. False for a large one, and for a stream.
    func sendNow(_ response: borrowing Response) -> Bool {
        if ResponseSerializer.sendsBody(response.status, toHead: exchange.isHead) {
            guard let count = response.body.count, count <= Self.pieceSize else { return false }
            if response.body.isStream {
                guard appendFile(response.body) else { return false }
            } else {
                response.body.append(to: connection.output)
            }
        }
        connection.group.output.sendIfFull()
        return true
    }

    /// Writes head and file together, which is faster than two calls. False for any other stream.
    private func appendFile(_ body: Body) -> Bool {
        guard case .file(let part) = body.storage else { return false }
        return part.append(to: connection.output)
    }

    /// Sends any other body, or lets a live one begin. False when the connection cannot go on, or does so later.
    /// - Parameter request: The name of the request in the log.
    func sendRest(_ response: Response, to request: String) async -> Bool {
        connection.flush()
        await connection.outputTaken()
        switch response.body.storage {
        case .stream(let reference):
            guard connection.state.phase == .serving else { return false }
            let framing = ResponseSerializer.Framing(of: response, isHTTP10: exchange.isHTTP10)
            return await send(reference.stream, framing, to: request)
        case .file(let part): return await send(part)
        case .live:
            connection.live?.begin(to: request)
            return false
        default: return await sendPieces(of: response.body)
        }
    }

    /// Sends a file. One that has become shorter than the head has said ends the connection.
    private func send(_ part: FilePart) async -> Bool {
        var offset = part.range.lowerBound
        while offset < part.range.upperBound {
            guard connection.state.phase == .serving else { return false }
            switch connection.send(part.file, offset..<min(part.range.upperBound, offset + Self.turnSize)) {
            case .bytes(let count):
                offset += count
                await Task.yield()
            case .wouldBlock: await connection.room()
            case .end, .failed: return false
            }
        }
        return true
    }

    private func sendPieces(of body: Body) async -> Bool {
        let count = body.countInMemory ?? 0
        let lease = MemoryLease(count, of: connection.group.memory)
        defer { withExtendedLifetime(lease) {} }
        var offset = 0
        while offset < count {
            let end = min(count, offset + Self.pieceSize)
            body.append(offset..<end, to: connection.output)
            offset = end
            connection.flush()
            await connection.outputTaken()
            guard connection.state.phase == .serving else { return false }
            if offset % Self.turnSize == 0 { await Task.yield() }
        }
        return true
    }

    /// Sends a stream. One that fails, or has another length than announced, ends the connection: that is how the
    /// client learns that the body is not whole.
    private func send(
        _ stream: any Body.Stream,
        _ framing: ResponseSerializer.Framing,
        to request: String
    ) async -> Bool {
        var rest = Int.max
        var announced = 0
        if case .length(let length) = framing { (rest, announced) = (length, length) }
        var sinceTurn = 0
        do {
            for try await chunk in stream {
                guard chunk.count <= rest else {
                    connection.group.report(BodyLengthError(announced: announced, isLonger: true), in: request)
                    return false
                }
                if case .length = framing { rest -= chunk.count }
                ResponseSerializer.writePiece(chunk, framing, to: connection.output)
                connection.flush()
                await connection.outputTaken()
                guard connection.state.phase == .serving else { return false }
                sinceTurn += chunk.count
                if sinceTurn > Self.turnSize {
                    sinceTurn = 0
                    await Task.yield()
                }
            }
        } catch {
            connection.group.report(error, in: request)
            return false
        }
        guard connection.state.phase == .serving else { return false }
        if rest > 0, rest < .max {
            connection.group.report(BodyLengthError(announced: announced, isLonger: false), in: request)
        }
        ResponseSerializer.writeBodyEnd(framing, to: connection.output)
        connection.flush()
        return rest == 0 || rest == .max
    }
}

/// A handler has responded with an interim status, which announces another response.
struct InterimStatusError: Error, CustomStringConvertible {
    let code: Int
    var description: String {
        "The status \(code) is not final, so no response can end with it (RFC 9110 §15.2): use one from 200 to 599."
    }
}

/// A streamed body has ended before the length that was announced for it, or has not ended there. The client notices
/// because the connection ends; the application's author reads it in the log.
struct BodyLengthError: Error, CustomStringConvertible {
    let announced: Int
    let isLonger: Bool
    var description: String {
        "the body is \(isLonger ? "longer" : "shorter") than the announced \(announced) bytes; "
            + "the connection was closed."
    }
}
