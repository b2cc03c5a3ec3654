/// What a ``WebSocket`` does with its connection, of which this room knows nothing else.
protocol WebSocketChannel: Sendable {
    /// Waits for the next message; nil after a close in good order.
    func next() async throws -> WebSocketMessage?
    /// Sends a message when the client has taken what was sent before.
    func send(_ message: WebSocketMessage) async throws
    /// Sends a Close frame, unless one has been sent.
    func close(_ code: WebSocketCloseCode, _ reason: String) async
}
