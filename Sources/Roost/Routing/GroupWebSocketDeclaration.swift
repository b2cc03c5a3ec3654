/// Declares WebSockets under a prefix with parameters; it is called like a ``WebSocketDeclaration``.
public struct GroupWebSocketDeclaration<Prefix: Sendable> {
    @usableFromInline
    let group: GroupDeclaration<Prefix>

    init(_ group: GroupDeclaration<Prefix>) { self.group = group }

    /// Declares a handler for a path: a function of the socket, the request, the prefix's value and the path's
    /// parameters.
    @inlinable
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        _ options: WebSocketOptions = WebSocketOptions(),
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (WebSocket, Request, Prefix, repeat each Parameter) async throws -> Void
    ) {
        group.base.add(path, .streamed, file, line) { [read = group.read] request, _ in
            var index = 0
            let prefix = try read(request, &index)
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try .webSocket(to: request, options) { try await handler($0, request, prefix, repeat each values) }
        }
    }
}
