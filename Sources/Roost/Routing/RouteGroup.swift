public import HTTPTypes

/// Where the routes under a prefix with parameters are declared: their handlers get the prefix's value, a tuple of
/// values if there are several, before those of their own path.
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

    /// Declares what answers a method.
    public func on(_ method: HTTPRequest.Method) -> GroupDeclaration<Prefix> {
        GroupDeclaration(RouteDeclaration(table, scope, method), read)
    }

    /// Declares what answers a method that has no constant.
    public func on(_ method: String) -> GroupDeclaration<Prefix> { on(table.method(named: method)) }

    /// Routes that share middleware, and a longer prefix if one is given.
    public func group(
        _ prefix: FixedPath = Path("/"),
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup) throws -> Void
    ) rethrows {
        try declare(RouteGroup(table, table.addScope(in: scope, prefix, middleware), read))
    }

    /// Routes under a prefix with one more parameter; handlers get a tuple of this group's value and that one.
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

    /// Answers what no route's path matches under this prefix; without one it is what the group around it says.
    public func fallback(_ responder: some Responder, file: String = #fileID, line: UInt = #line) {
        Routes(table, scope: scope).fallback(responder, file: file, line: line)
    }

    /// Answers with a function what no route's path matches under this prefix.
    public func fallback<Result: ResponseConvertible>(
        file: String = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Result
    ) {
        Routes(table, scope: scope).fallback(file: file, line: line, handler)
    }
}

/// Declares the routes of one method under a prefix with parameters; it is called as ``RouteDeclaration`` is.
public struct GroupDeclaration<Prefix: Sendable> {
    @usableFromInline
    let base: RouteDeclaration
    @usableFromInline
    let read: @Sendable (Request, inout Int) throws -> Prefix

    init(_ base: RouteDeclaration, _ read: @escaping @Sendable (Request, inout Int) throws -> Prefix) {
        self.base = base
        self.read = read
    }

    /// Answers a path with a function of the request, the prefix's value and the path's parameters.
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

    /// Answers a path with a function that never waits.
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
