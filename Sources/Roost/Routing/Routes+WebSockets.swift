extension Routes {
    /// Declares a WebSocket:
    ///
    ///     routes.webSocket(Path("/rooms/{room}", String.self)) { socket, request, room in
    ///         for try await message in socket { try await socket.send(message) }
    ///     }
    ///
    /// The handler returns when it is done. The route is a `GET` route: a request that does not ask for a WebSocket
    /// gets 426 (RFC 6455 §4.2.2), and middleware sees the request and a response with 101. To refuse a client because
    /// of its request, use middleware, or a `get` route that returns ``Response/webSocket(to:_:use:)``.
    /// - Parameter handler: A function of the socket, the request that opened it, and the path's parameters.
    public func webSocket<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (WebSocket, Request, repeat each Parameter) async throws -> Void
    ) {
        if case .ownAnd(let origins) = options.origins, let mistake = PageOrigins.mistake(in: origins) {
            note("\(mistake) Its WebSocket is routed at \(SourceLocation(file: file, line: line)).")
        }
        let handler: RouteHandler = .waiting { request, _ in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try .webSocket(to: request, options) { try await handler($0, request, repeat each values) }
        }
        get.add(path, .streamed, file, line, handler, RouteTypes(WebSocket.self))
    }
}

// Overloads that cannot be called: for a common mistake the compiler finds one of them, and says what to write, instead
// of how its search for a function failed.

extension Routes {
    /// A handler without the request.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func webSocket<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func webSocket<First: PathParameter, each Parameter: PathParameter>(
        _ path: Path<First, repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func webSocket<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request, Any) async throws -> Any
    ) {}

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/chat\"), or Path(\"/rooms/{room}\", String.self)")
    public func webSocket(
        _ path: String,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request) async throws -> Any
    ) {}

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/chat\"), or Path(\"/rooms/{room}\", String.self)")
    public func webSocket(
        _ path: String,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request, Any) async throws -> Any
    ) {}
}
