// How a handler's messages get to the client: one after the other, whoever sends them.

extension WebSocketSession {
    /// How many bytes may go to a client that always reads before the loop serves others.
    private static let turnSize = 1024 * 1024

    /// Sends a message; on the loop.
    func send(_ message: WebSocketMessage) async throws {
        while state == .open, isSending || connection.unsent != nil { await turn() }
        try checkOpen()
        guard message.count > OutgoingMessage.pieceSize || compression?.compresses(message.count) ?? false else {
            message.withBytes { FrameWriter.write(message.opcode, $0, to: connection.output) }
            return try await flush()
        }
        var outgoing = OutgoingMessage(message, compression)
        isSending = true
        defer {
            isSending = false
            resumeSenders()
        }
        var sinceTurn = 0
        while outgoing.writeNext(to: connection.output) {
            do {
                try await flush()
            } catch {
                outgoing.abandon()
                throw error
            }
            sinceTurn += outgoing.isCompressed ? Self.turnSize / 4 : OutgoingMessage.pieceSize
            if sinceTurn >= Self.turnSize {
                sinceTurn = 0
                await Task.yield()
                if state != .open { outgoing.abandon() }
                try checkOpen()
            }
        }
        try await flush()
    }

    private func flush() async throws {
        connection.send()
        guard connection.unsent != nil else { return }
        await connection.outputTaken()
        // What the kernel has not taken of a whole message may never come.
        if let end { throw end }
    }

    private func checkOpen() throws {
        if state != .open { throw end ?? WebSocketClosed(code: .abnormal, reason: "") }
    }

    /// Waits until nobody else is sending, and the client has taken what was sent.
    private func turn() async {
        if !isSending { return await connection.outputTaken() }
        await withUnsafeContinuation { senders.append($0) }
    }
}
