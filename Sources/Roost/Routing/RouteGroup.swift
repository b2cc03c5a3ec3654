public import HTTPTypes

/// Declares routes under a prefix with parameters. Their handlers get the prefix's value, a tuple if there are several,
/// before the values of their own path.
public final class RouteGroup<Prefix: Sendable>: RouteScope {
    typealias Reading = @Sendable (Request, inout Int) throws -> Prefix

    private let table: RouteTable
    private let scope: Int
    private let read: Reading

    init(_ table: RouteTable, _ scope: Int, _ read: @escaping Reading) {
        self.table = table
        self.scope = scope
        self.read = read
    }

    /// Declares a handler for any method.
    public func on(_ method: HTTPRequest.Method) -> GroupDeclaration<Prefix> {
        GroupDeclaration(RouteDeclaration(table, scope, method), read)
    }

    /// Declares a handler for a method without a constant.
    public func on(_ method: String) -> GroupDeclaration<Prefix> { on(table.method(named: method)) }

    /// Declares WebSockets: `group.webSocket(path) { socket, request, prefix in … }`.
    public var webSocket: GroupWebSocketDeclaration<Prefix> { GroupWebSocketDeclaration(on(.get)) }

    /// Declares routes that share middleware, and a longer prefix if one is given.
    public func group(
        _ prefix: FixedPath = Path("/"),
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup) throws -> Void
    ) rethrows {
        try declare(RouteGroup(table, table.addScope(in: scope, prefix, middleware), read))
    }

    /// Declares routes under a prefix with one more parameter; handlers get a tuple of this group's value and that one.
    public func group<More: PathParameter>(
        _ prefix: Path<More>,
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup<(Prefix, More)>) throws -> Void
    ) rethrows {
        let scope = table.addScope(in: scope, prefix, middleware)
        try declare(
            RouteGroup<(Prefix, More)>(table, scope) { [read] request, index in
                (try read(request, &index), try request.parameter(More.self, &index))
            }
        )
    }

    /// Sets what responds to paths under this prefix that match no route; by default it is the surrounding group's.
    public func fallback(_ responder: some Responder, file: String = #fileID, line: UInt = #line) {
        Routes(table, scope: scope).fallback(responder, file: file, line: line)
    }

    /// Sets a function that responds to paths under this prefix that match no route.
    public func fallback<Result: ResponseConvertible>(
        file: String = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Result
    ) {
        Routes(table, scope: scope).fallback(file: file, line: line, handler)
    }
}

/// Declares the routes of one method under a prefix with parameters; it is called like a ``RouteDeclaration``.
public struct GroupDeclaration<Prefix: Sendable> {
    @usableFromInline
    let base: RouteDeclaration
    @usableFromInline
    let read: @Sendable (Request, inout Int) throws -> Prefix

    init(_ base: RouteDeclaration, _ read: @escaping @Sendable (Request, inout Int) throws -> Prefix) {
        self.base = base
        self.read = read
    }

    /// Declares a handler for a path: a function of the request, the prefix's value and the path's parameters.
    /// - Parameter body: Whether the body is read before the function is called, and how much of it.
    @inlinable
    public func callAsFunction<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Prefix, repeat each Parameter) async throws -> Result
    ) {
        base.add(path, body, file, line) { [read] request, context in
            var index = 0
            let prefix = try read(request, &index)
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try await handler(request, prefix, repeat each values).response(for: request, in: context)
        }
    }

    /// Declares a handler that never waits.
    @inlinable
    public func callAsFunction<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, Prefix, repeat each Parameter) throws -> Result
    ) {
        base.addImmediate(path, body, file, line) { [read] request, context in
            var index = 0
            let prefix = try read(request, &index)
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try handler(request, prefix, repeat each values).response(for: request, in: context)
        }
    }
}
