/// A WebSocket as its handler sees it (RFC 6455): an asynchronous sequence of the client's messages, and a way to send
/// some.
///
///     routes.webSocket(Path("/echo")) { socket, request in
///         for try await message in socket { try await socket.send(message) }
///     }
///
/// The loop ends when the client closes the WebSocket, and within ten seconds of ``close(code:reason:)`` or the
/// server's end. It throws ``WebSocketClosed`` when the connection breaks, or the client breaks the protocol. When the
/// handler returns, the WebSocket is closed; when it throws, it is closed with ``WebSocketCloseCode/internalError``. An
/// ``HTTPError`` closes it with its message: with ``WebSocketCloseCode/invalidData`` for 400 and 422,
/// ``WebSocketCloseCode/policyViolation`` for any other 4xx, and ``WebSocketCloseCode/tryAgainLater`` for 503.
///
/// Back-pressure works both ways. Messages that nobody reads stay with the client, and so do its pings and its Close
/// behind them: even a handler that only sends should read, in a child task. A client that does not read suspends
/// ``send(_:)-(WebSocketMessage)``, and is cut off when it takes too little for too long.
///
/// The handler is cancelled when the connection breaks while nobody reads. After a client's Close it is cancelled if it
/// has read all messages, and not the Close, within ten seconds. One that has never read is cancelled at any end but
/// its own ``close(code:reason:)``, after which it is cancelled only when the connection breaks, or the client does not
/// close within ten seconds.
///
/// It may be used from any task, but only one task at a time may read. Each message is sent as a whole, even if several
/// tasks send.
public struct WebSocket: Sendable {
    let channel: any WebSocketChannel

    init(channel: any WebSocketChannel) { self.channel = channel }

    /// The request that opened the WebSocket.
    public var request: Request { channel.request }
    /// The subprotocol that was agreed on; nil without one.
    public var subprotocol: String? { channel.subprotocol }

    /// Sends a message as soon as the client has taken the messages before: a client that reads slowly slows its sender
    /// down. Small messages that are sent one after the other without waiting go out together.
    ///
    /// Cancelling the task does not end a wait for the client: that ends when the client takes what was sent, or is cut
    /// off.
    /// - Throws: ``WebSocketClosed`` when the WebSocket is closed, or closes before the message is sent.
    public func send(_ message: WebSocketMessage) async throws {
        if try channel.sendNow(message) { return }
        try await channel.send(message)
    }

    /// Sends a text.
    public func send(_ text: String) async throws { try await send(.text(text)) }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) async throws { try await send(.binary(bytes)) }

    /// Closes the WebSocket: sends a Close frame, and gives the client ten seconds to do the same. Nothing more is
    /// sent. Messages can still be read until the client's Close ends them; the same holds when the server ends.
    /// After ``WebSocketCloseCode/policyViolation``, only those that wait for the handler can. A second call does
    /// nothing.
    /// - Parameter reason: A text for the client's log; it is cut after 123 bytes.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {
        await channel.close(code.maySend ? code : .internalError, reason)
    }
}

extension WebSocket: AsyncSequence {
    /// An iterator of the messages. All iterators of a WebSocket read from the same connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: any WebSocketChannel

        /// Returns the next message; nil when the WebSocket has been closed in good order.
        /// - Throws: ``WebSocketClosed`` when it has not; `CancellationError` when the task is cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> WebSocketMessage? {
            switch try channel.poll() {
            case .message(let message): return message
            case .end: return nil
            case .elsewhere: return try await channel.next()
            case .nothing:
                // Unsafe, because the check costs as much as all else that is done for a small message. The session
                // resumes it exactly once: with a message, at the end, or when it is cancelled.
                return try await withUnsafeThrowingContinuation { channel.wait($0) }
            }
        }
    }

    /// Returns an iterator of the messages from now on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: channel) }
}
