import HTTPTypes
import Logging

/// Sends one response: chooses how to mark its end, writes the head, then the body as fast as the client takes it.
///
/// A response that is small and in memory goes out without a suspension; nearly all of them are.
struct ResponseSender {
    let connection: Connection

    /// The most bytes that are gathered before they are sent to the client.
    static let pieceSize = 64 * 1024

    private var exchange: RequestHead.Exchange { connection.exchange }

    /// The part of a response that has been sent, and whether another request may follow.
    enum Sent {
        case whole(persists: Bool)
        /// The body takes waiting: see ``sendBody(_:to:)``.
        case headOnly(persists: Bool)
        /// The head, after which another protocol speaks for the connection.
        case otherProtocol
    }

    /// Sends the head, and as much of the body as takes no waiting.
    /// - Parameter response: The response; afterwards the one that has taken its place, if it could not be sent.
    func send(_ response: inout Response) -> Sent {
        let persists = start(&response)
        connection.countResponse(response.status.code)
        if response.status == .switchingProtocols, let upgrade = response.body.upgrade as? any ProtocolUpgrade {
            connection.speak(upgrade)
            return .otherProtocol
        }
        return sendNow(response) ? .whole(persists: persists) : .headOnly(persists: persists)
    }

    /// Writes the head; if it has a header that must not be sent, writes that of a 500 without a body instead. Returns
    /// whether another request may follow: not while bytes of this one's body are still to come, since skipping them
    /// could take for ever.
    private func start(_ response: inout Response) -> Bool {
        let isUpgrade =
            response.status == .switchingProtocols && response.body.upgrade != nil && admitUpgrade(&response)
        connection.group.admit(&response, isUpgrade: isUpgrade)
        if response.body.isStream, !exchange.isHead { admitLive(&response) }
        let isHTTP10 = exchange.isHTTP10
        let framing = ResponseSerializer.Framing(of: response, isHTTP10: isHTTP10)
        connection.state.endsBody = framing == .close
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
            connection.group.replace(&response, error)
            connection.live = nil
            if isUpgrade { connection.group.budgets.webSockets.leave(connection.client) }
            ResponseSerializer.writePlainHead(response.status, .length(0), option, date: date, to: connection.output)
        }
        return persists
    }

    /// An event stream lasts, so a 503 takes its place when too many are open.
    @inline(never)
    private func admitLive(_ response: inout Response) {
        guard case .live(let body) = response.body.storage,
            ResponseSerializer.sendsBody(response.status, toHead: false)
        else { return }
        guard let place = LivePlace(for: connection.client, in: connection.group) else {
            return refuse(&response, "event streams")
        }
        connection.live = LiveOutput(body, place, on: connection)
    }

    /// So does a WebSocket, whose session then has the place. False when there is none.
    @inline(never)
    private func admitUpgrade(_ response: inout Response) -> Bool {
        let isAdmitted = connection.group.budgets.webSockets.enter(connection.client)
        if !isAdmitted { refuse(&response, "WebSockets") }
        return isAdmitted
    }

    private func refuse(_ response: inout Response, _ things: String) {
        response = connection.group.tooManyOpen(things, by: connection.clientHost)
    }

    /// Sends a body that is small and in memory, or a small file. False for a large one, and for a stream.
    private func sendNow(_ response: borrowing Response) -> Bool {
        if ResponseSerializer.sendsBody(response.status, toHead: exchange.isHead) {
            guard let count = response.body.count, count <= Self.pieceSize else { return false }
            if response.body.isStream {
                // Head and file go out together, which is faster than two calls.
                guard case .file(let part) = response.body.storage, part.append(to: connection.output) else {
                    return false
                }
            } else {
                response.body.append(to: connection.output)
            }
        }
        connection.group.output.sendIfFull()
        return true
    }

    /// Sends any other body, or lets a live one begin. False when the connection cannot go on, or does so later.
    /// - Parameter request: The name of the request in the log.
    func sendBody(_ response: Response, to request: String) async -> Bool {
        connection.flush()
        await connection.outputTaken()
        switch response.body.storage {
        case .stream:
            guard connection.state.phase == .serving else { return false }
            let framing = ResponseSerializer.Framing(of: response, isHTTP10: exchange.isHTTP10)
            return await sendStream(response.body, framing, to: request)
        case .file(let part): return await sendFile(part, to: request)
        case .live:
            connection.live?.begin(to: request)
            return false
        default: return await sendPieces(of: response.body)
        }
    }

    /// Sends a file. One that cannot be read to the end that the head has announced is reported, and ends the
    /// connection.
    private func sendFile(_ part: FilePart, to request: String) async -> Bool {
        var offset = part.range.lowerBound
        do throws(FileReadError) {
            while offset < part.range.upperBound {
                guard connection.state.phase == .serving else { return false }
                let end = min(part.range.upperBound, offset + ConnectionGroup.turnSize)
                switch try connection.send(part.file, offset..<end) {
                case .bytes(let count):
                    offset += count
                    await Task.yield()
                case .wouldBlock: await connection.awaitRoom()
                case .end, .failed: return false
                }
            }
            return true
        } catch {
            connection.group.report(error, in: request)
            return false
        }
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
            if offset % ConnectionGroup.turnSize == 0 { await Task.yield() }
        }
        return true
    }

    private func sendStream(_ body: Body, _ framing: ResponseSerializer.Framing, to request: String) async -> Bool {
        let isWhole = await connection.group.send(body, to: request) { piece in
            ResponseSerializer.writePiece(piece, framing, to: connection.output)
            connection.flush()
            await connection.outputTaken()
            return connection.state.phase == .serving
        }
        guard isWhole, connection.state.phase == .serving else {
            if framing == .close { connection.close() }
            return false
        }
        ResponseSerializer.writeBodyEnd(framing, to: connection.output)
        connection.flush()
        return true
    }
}
