/// The upgrade that a response with 101 carries in place of a body: all that its connection needs to go on as a
/// WebSocket.
final class WebSocketUpgrade: Sendable {
    let request: Request
    let handshake: WebSocketHandshake
    let options: WebSocketOptions
    let handler: @Sendable (WebSocket) async throws -> Void

    init(
        _ request: Request, _ handshake: WebSocketHandshake, _ options: WebSocketOptions,
        _ handler: @escaping @Sendable (WebSocket) async throws -> Void
    ) {
        self.request = request
        self.handshake = handshake
        self.options = options
        self.handler = handler
    }
}

extension WebSocketUpgrade: LastingContent {
    /// The same WebSocket, which is closed with 1008 when it is ended from outside.
    func ending(_ watch: @escaping ContentWatch) -> Body {
        Body(
            upgrade: WebSocketUpgrade(request, handshake, options) { [handler] socket in
                async let _ = watch { await socket.close(code: .policyViolation, reason: "The session has ended.") }
                try await handler(socket)
            })
    }
}
