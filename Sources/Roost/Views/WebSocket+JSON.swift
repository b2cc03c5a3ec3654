extension WebSocket {
    /// Sends a value as a text message of JSON.
    /// - Parameter coder: The coder that writes it; nil for the request's (``Request/jsonCoder``).
    /// - Throws: `EncodingError` for what JSON cannot hold; ``WebSocketClosed``.
    public func send(json value: some Encodable & Sendable, using coder: JSONCoder? = nil) async throws {
        let bytes = try (coder ?? request.jsonCoder).encode(value)
        try await send(String(decoding: bytes, as: UTF8.self))
    }

    /// Returns a message of JSON as an input type.
    ///
    ///     for try await message in socket {
    ///         let move = try socket.decode(Move.self, from: message)
    ///         try await socket.send(json: game.play(move))
    ///     }
    ///
    /// - Parameter coder: The coder that reads it; nil for the request's (``Request/jsonCoder``).
    /// - Throws: ``HTTPError`` as ``Request/decode(_:using:)`` does: 400 for malformed JSON, 422 for a value that is
    ///   missing, of another type, or against the rules of a ``Validatable`` type. If the handler does not catch it,
    ///   the WebSocket is closed with ``WebSocketCloseCode/invalidData`` and the error's message.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from message: WebSocketMessage, using coder: JSONCoder? = nil
    ) throws -> Value {
        try message.withBytes { try request.decodeJSON(type, $0, coder ?? request.jsonCoder) }
    }
}
