import HTTPTypes

/// Sends one response to the request it answers: chooses how its end is told, writes the head, then the body at the
/// speed at which the client takes it.
struct ResponseSender {
    let connection: Connection
    let request: ParsedHead

    /// The most bytes that are gathered before the client gets them.
    private static let pieceSize = 64 * 1024

    /// Sends a response. Returns whether the connection goes on afterwards.
    func send(_ response: Response) async -> Bool {
        var response = response
        let framing = framing(of: response)
        let persists = persists(framing)
        response = writeHead(response, framing, persists: persists)
        if hasNoBody(response) {
            connection.send()
            return persists
        }
        guard case .stream(let stream, _) = response.body.storage else {
            return await sendBytes(response.body) && persists
        }
        return await send(stream, framing) && persists
    }

    private func framing(of response: Response) -> ResponseSerializer.Framing {
        ResponseSerializer.Framing(of: response, isHTTP10: request.isHTTP10)
    }

    private func hasNoBody(_ response: Response) -> Bool {
        !ResponseSerializer.sendsBody(response.status, to: request.head.method)
    }

    /// Whether another request may follow: not while bytes of this one's body are still to come, since reading over
    /// them could take for ever.
    private func persists(_ framing: ResponseSerializer.Framing) -> Bool {
        request.persists && framing != .close && !connection.group.isDraining
            && connection.incoming?.skipReceived() ?? true
    }

    /// Writes the head; when the application has set a header that must not be sent, that of a 500 without a body.
    private func writeHead(
        _ response: Response,
        _ framing: ResponseSerializer.Framing,
        persists: Bool
    ) -> Response {
        let option: ResponseSerializer.ConnectionOption =
            persists ? (request.isHTTP10 ? .keepAlive : .none) : .close
        let date = connection.group.date.bytes
        do throws(ResponseHeaderError) {
            try ResponseSerializer.write(response, framing, option, date: date, to: connection.output)
            return response
        } catch {
            connection.group.report(error)
            let status = HTTPResponse.Status.internalServerError
            ResponseSerializer.writePlainHead(status, .length(0), option, date: date, to: connection.output)
            return Response(status)
        }
    }

    private func sendBytes(_ body: Body) async -> Bool {
        let count = body.count ?? 0
        var offset = 0
        while true {
            let end = min(count, offset + Self.pieceSize)
            body.append(offset..<end, to: connection.output)
            connection.send()
            offset = end
            if offset == count { return true }
            await connection.outputTaken()
            guard connection.phase == .serving else { return false }
        }
    }

    /// A stream that fails, or has another length than it said, ends the connection: that is how the client learns that
    /// the body is not whole.
    private func send(_ stream: any Body.Stream, _ framing: ResponseSerializer.Framing) async -> Bool {
        var rest = Int.max
        if case .length(let length) = framing { rest = length }
        do {
            for try await chunk in stream {
                guard chunk.count <= rest else { return false }
                if case .length = framing { rest -= chunk.count }
                if framing == .chunked {
                    ResponseSerializer.writeChunk(chunk, to: connection.output)
                } else {
                    connection.output.append(chunk)
                }
                await connection.outputTaken()
                guard connection.phase == .serving else { return false }
            }
        } catch {
            connection.group.report(error)
            return false
        }
        if framing == .chunked { ResponseSerializer.writeLastChunk(to: connection.output) }
        connection.send()
        return rest == 0 || rest == .max
    }
}
