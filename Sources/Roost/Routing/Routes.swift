public import HTTPTypes

/// Declares the routes of an application; controllers get it in ``Controller/routes(_:)``.
///
///     routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
///     routes.add(UserController(users: users))
///
/// A `GET` route also handles `HEAD`. Routes are frozen before the server listens; two that collide stop the start.
public final class Routes: RouteScope {
    private let table: RouteTable
    private let scope: Int

    init(_ table: RouteTable, scope: Int = 0) {
        self.table = table
        self.scope = scope
    }

    /// Declares a handler for any method.
    public func on(_ method: HTTPRequest.Method) -> RouteDeclaration { RouteDeclaration(table, scope, method) }

    /// Declares a handler for a method without a constant.
    public func on(_ method: String) -> RouteDeclaration { on(table.method(named: method)) }

    /// Declares WebSockets: `routes.webSocket(path) { socket, request in … }`.
    public var webSocket: WebSocketDeclaration { WebSocketDeclaration(on(.get)) }

    /// Declares the routes of a controller.
    ///
    /// An error that the controller throws stops the start.
    public func add(_ controller: some Controller) {
        do { try controller.routes(self) } catch { table.fail(error) }
    }

    /// Declares routes that share middleware, which runs only around them, or a prefix. A group with a prefix is a
    /// scope: its middleware and its fallback also apply to requests under the prefix that match no route, including
    /// `OPTIONS`.
    ///
    ///     routes.group(Path("/admin"), middleware: [RequireUser()]) { admin in … }
    ///
    /// If two groups have the same prefix, the first one with a fallback is responsible for such requests, otherwise
    /// the first one.
    public func group(
        _ prefix: FixedPath = Path("/"),
        middleware: [any Middleware] = [],
        _ declare: (Routes) throws -> Void
    ) rethrows {
        try declare(Routes(table, scope: table.addScope(in: scope, prefix, middleware)))
    }

    /// Declares routes that share a prefix with parameters. Handlers get their values before those of their own path:
    /// one value, or a tuple of several.
    ///
    ///     routes.group(Path("/teams/{team}", Int.self)) { team in
    ///         team.get(Path("/members/{member}", Int.self)) { request, team, member in … }
    ///     }
    public func group<each Prefix: PathParameter>(
        _ prefix: Path<repeat each Prefix>,
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup<(repeat each Prefix)>) throws -> Void
    ) rethrows {
        let scope = table.addScope(in: scope, prefix, middleware)
        try declare(
            RouteGroup(table, scope) { request, index in
                (repeat try request.parameter((each Prefix).self, &index))
            }
        )
    }

    /// Sets what responds to paths that match no route; by default 404. A second one for the same prefix stops the
    /// start.
    public func fallback(_ responder: some Responder, file: String = #fileID, line: UInt = #line) {
        table.setFallback(of: scope, responder, SourceLocation(file: file, line: line))
    }

    /// Sets a function that responds to paths that match no route.
    public func fallback<Result: ResponseConvertible>(
        file: String = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Result
    ) {
        let endpoint = Endpoint(
            body: { try await handler($0).response(for: $0, in: $1) },
            context: table.context,
            bodyLimit: table.bodyLimit
        )
        fallback(endpoint, file: file, line: line)
    }
}
