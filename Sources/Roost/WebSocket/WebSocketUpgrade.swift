import HTTPTypes

/// What a response with 101 carries in place of a body: how its connection goes on as a WebSocket.
final class WebSocketUpgrade: Sendable {
    let request: Request
    let handshake: WebSocketHandshake
    let options: WebSocketOptions
    let handler: @Sendable (WebSocket) async throws -> Void

    private init(
        _ request: Request, _ handshake: WebSocketHandshake, _ options: WebSocketOptions,
        _ handler: @escaping @Sendable (WebSocket) async throws -> Void
    ) {
        self.request = request
        self.handshake = handshake
        self.options = options
        self.handler = handler
    }

    /// The response that accepts a WebSocket.
    /// - Throws: ``HTTPError`` for a request that must not become one; see ``WebSocketHandshake``.
    static func response(
        to request: Request, _ options: WebSocketOptions,
        _ handler: @escaping @Sendable (WebSocket) async throws -> Void
    ) throws(HTTPError) -> Response {
        let handshake = try WebSocketHandshake(request, options)
        let upgrade = WebSocketUpgrade(request, handshake, options, handler)
        return Response(.switchingProtocols, headers: handshake.headers, body: Body(upgrade: upgrade))
    }
}
