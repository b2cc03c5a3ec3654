public import HTTPTypes

/// Where an application declares what it answers; controllers get it in ``Controller/routes(_:)``.
///
///     routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
///     routes.add(UserController(users: users))
///
/// A `GET` route answers `HEAD` as well. Routes are frozen before the server listens; two that collide end the start.
public final class Routes: RouteScope {
    private let table: RouteTable
    private let scope: Int

    init(_ table: RouteTable, scope: Int = 0) {
        self.table = table
        self.scope = scope
    }

    /// Declares what answers a method.
    public func on(_ method: HTTPRequest.Method) -> RouteDeclaration { RouteDeclaration(table, scope, method) }

    /// Declares what answers a method that has no constant.
    public func on(_ method: String) -> RouteDeclaration { on(table.method(named: method)) }

    /// Declares a controller's routes.
    ///
    /// What the controller throws ends the start.
    public func add(_ controller: some Controller) {
        do { try controller.routes(self) } catch { table.fail(error) }
    }

    /// Routes that share middleware, which runs around them only, or a prefix, which is a scope: its middleware runs,
    /// and its fallback answers, also for requests under the prefix that no route answers, `OPTIONS` among them.
    ///
    ///     routes.group(Path("/admin"), middleware: [RequireUser()]) { admin in … }
    ///
    /// Where two groups have one prefix, the first with a fallback answers these, else the first of them.
    public func group(
        _ prefix: FixedPath = Path("/"),
        middleware: [any Middleware] = [],
        _ declare: (Routes) throws -> Void
    ) rethrows {
        try declare(Routes(table, scope: table.addScope(in: scope, prefix, middleware)))
    }

    /// Routes that share a prefix with one parameter, whose value their handlers get before those of their own.
    ///
    ///     routes.group(Path("/teams/{team}", Int.self)) { team in
    ///         team.get(Path("/members/{member}", Int.self)) { request, team, member in … }
    ///     }
    public func group<Prefix: PathParameter>(
        _ prefix: Path<Prefix>,
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup<Prefix>) throws -> Void
    ) rethrows {
        let scope = table.addScope(in: scope, prefix, middleware)
        try declare(RouteGroup(table, scope) { request, index in try request.parameter(Prefix.self, &index) })
    }

    /// Routes that share a prefix with several parameters, whose values their handlers get as one tuple.
    public func group<First: PathParameter, Second: PathParameter, each Prefix: PathParameter>(
        _ prefix: Path<First, Second, repeat each Prefix>,
        middleware: [any Middleware] = [],
        _ declare: (RouteGroup<(First, Second, repeat each Prefix)>) throws -> Void
    ) rethrows {
        let scope = table.addScope(in: scope, prefix, middleware)
        try declare(
            RouteGroup(table, scope) { request, index in
                let first = try request.parameter(First.self, &index)
                let second = try request.parameter(Second.self, &index)
                return (first, second, repeat try request.parameter((each Prefix).self, &index))
            }
        )
    }

    /// Answers what no route's path matches; without one it is 404. A second one at the same prefix ends the start.
    public func fallback(_ responder: some Responder, file: String = #fileID, line: UInt = #line) {
        table.setFallback(of: scope, responder, SourceLocation(file: file, line: line))
    }

    /// Answers with a function what no route's path matches.
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
