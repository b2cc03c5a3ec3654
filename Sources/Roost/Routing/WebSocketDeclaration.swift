/// Declares WebSockets; ``Routes/webSocket`` returns one, which is called like a function:
///
///     routes.webSocket(Path("/rooms/{room}", String.self)) { socket, request, room in
///         for try await message in socket { try await socket.send(message) }
///     }
///
/// A handler takes the socket, the request that opened it, and one value for each parameter of the path; it returns
/// when it is done. The route is a `GET` route: a request that does not ask for a WebSocket gets 426 (RFC 6455 §4.2.2),
/// and middleware sees the request and a response with 101. A client that is to be refused by its request is refused by
/// middleware, or by a `get` route that returns ``Response/webSocket(to:_:use:)``.
public struct WebSocketDeclaration {
    @usableFromInline
    let base: RouteDeclaration

    init(_ base: RouteDeclaration) { self.base = base }

    /// Declares a handler for a path: a function of the socket, the request and the path's parameters.
    @inlinable
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (WebSocket, Request, repeat each Parameter) async throws -> Void
    ) {
        base.add(path, .streamed, file, line) { request, _ in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try .webSocket(to: request, options) { try await handler($0, request, repeat each values) }
        }
    }
}
