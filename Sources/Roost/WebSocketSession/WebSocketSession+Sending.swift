// The way of a handler's messages to the client: one after the other, whichever task sends them.

extension WebSocketSession {
    /// The number of bytes that may go to a client that always reads before the loop serves others.
    private static let turnSize: Int32 = 256 * 1024
    /// The number of messages that a handler may read, if they have come, before the loop serves others.
    static let turnMessages: UInt8 = 16
    /// The bytes that each message counts in addition to its content.
    private static let overhead: Int32 = 256

    /// Sends a message if that takes no waiting, which costs no memory of the task. False when it does.
    func write(_ message: WebSocketMessage) throws -> Bool {
        try checkOpen()
        let count = message.count
        guard !isSending, connection.unsent == nil, sentSinceTurn < Self.turnSize, count <= OutgoingMessage.pieceSize,
            !(compression?.compresses(count) ?? false)
        else { return false }
        sentSinceTurn += Int32(truncatingIfNeeded: count) + Self.overhead
        // If the client then does not take it, the next sender waits.
        message.withBytes { FrameWriter.write(message.opcode, $0, to: output) }
        connection.group.output.sendIfFull()
        return true
    }

    /// Sends any message, and waits where that is needed; on the loop.
    func writeInTurn(_ message: WebSocketMessage) async throws {
        while state == .open {
            if isSending || connection.unsent != nil {
                await turn()
            } else if sentSinceTurn >= Self.turnSize {
                await endTurn()
            } else {
                break
            }
        }
        try checkOpen()
        sentSinceTurn += Self.overhead
        var outgoing = OutgoingMessage(message, compression)
        isSending = true
        defer {
            isSending = false
            resumeSenders()
        }
        while outgoing.writeNext(to: output) {
            do {
                try await flush()
            } catch {
                outgoing.abandon()
                throw error
            }
            sentSinceTurn += Self.turnSize / 4
            if sentSinceTurn >= Self.turnSize {
                await endTurn()
                if state != .open { outgoing.abandon() }
                try checkOpen()
            }
        }
        try await flush()
    }

    /// The buffer for its frames, which go out when the turn ends.
    var output: ByteBuffer { connection.output }

    private func flush() async throws {
        connection.flush()
        guard connection.unsent != nil else { return try checkOpen() }
        await connection.outputTaken()
        // The rest of a message that the kernel has not taken may never come.
        if let end { throw end.error }
    }

    /// Lets the loop serve others.
    func endTurn() async {
        sentSinceTurn = 0
        readSinceTurn = 0
        await Task.yield()
    }

    private func checkOpen() throws {
        if state != .open { throw end?.error ?? WebSocketClosed(code: .abnormal, reason: "") }
    }

    /// Waits until nobody else is sending, and the client has taken what was sent.
    private func turn() async {
        if !isSending { return await connection.outputTaken() }
        await withUnsafeContinuation { senders.append($0) }
    }
}
