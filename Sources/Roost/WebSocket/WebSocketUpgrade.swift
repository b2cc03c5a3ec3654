import HTTPTypes

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
                // With this code, the handler hears nothing more of the client.
                async let _ = watch { await socket.close(code: .policyViolation, reason: "The session has ended.") }
                try await handler(socket)
            })
    }
}

extension Response {
    /// Returns a response that turns the request's connection into a WebSocket, for a handler that first decides
    /// whether to open one:
    ///
    ///     routes.get(Path("/rooms/{room}", String.self)) { request, room in
    ///         guard await rooms.isOpen(room) else { throw HTTPError(.forbidden, "This room is closed.") }
    ///         return try .webSocket(to: request) { socket in
    ///             for try await message in socket { try await socket.send(message) }
    ///         }
    ///     }
    ///
    /// If there is nothing to decide, ``Routes/webSocket`` does the same in one line. The limit on open WebSockets is
    /// set in ``ServerConfiguration``; beyond it, a client gets 503 instead of this response.
    ///
    /// If the function captures the request, let the handler wait for something before it returns this: the request of
    /// a handler that never waits keeps the buffer of 16 KiB that it came in.
    /// - Throws: ``HTTPError`` for a request that must not become a WebSocket: 426 if it does not ask for one, or for
    ///   one of another version (RFC 6455 §4.2.2); 403 if a page of another site has made it; 400 if it is malformed.
    public static func webSocket(
        to request: Request,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket) async throws -> Void
    ) throws(HTTPError) -> Response {
        let handshake = try WebSocketHandshake(request, options)
        let upgrade = WebSocketUpgrade(request, handshake, options, handler)
        return Response(.switchingProtocols, headers: handshake.headers, body: Body(upgrade: upgrade))
    }
}
