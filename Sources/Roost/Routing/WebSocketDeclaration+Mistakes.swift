// Overloads that cannot be called: for a common mistake the compiler finds one of them, and says what to write, instead
// of how its search for a function failed.

extension WebSocketDeclaration {
    /// A handler without the request.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func callAsFunction<First: PathParameter, each Parameter: PathParameter>(
        _ path: Path<First, repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable,
        message: "a handler takes the socket, the request and a value for each parameter: { socket, request in … }"
    )
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request, Any) async throws -> Any
    ) {}

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/chat\"), or Path(\"/rooms/{room}\", String.self)")
    public func callAsFunction(
        _ path: String,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request) async throws -> Any
    ) {}

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/chat\"), or Path(\"/rooms/{room}\", String.self)")
    public func callAsFunction(
        _ path: String,
        _ options: WebSocketOptions = WebSocketOptions(),
        use handler: @escaping @Sendable (WebSocket, Request, Any) async throws -> Any
    ) {}
}
