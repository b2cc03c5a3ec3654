public import HTTPTypes

/// The declaration of an application's routes; controllers get it in ``Controller/routes(_:)``.
///
///     routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
///     routes.add(UserController(users: users))
///
/// A `GET` route also handles `HEAD`. Routes are frozen before the server listens; two that collide stop the start.
public final class Routes {
    private let table: RouteTable
    private let scope: Int

    init(_ table: RouteTable, scope: Int = 0) {
        self.table = table
        self.scope = scope
    }

    /// The parts that the API's description may tell of the routes that have been declared.
    var operations: [RouteOperation] { table.operations }

    /// Declares the handler of `GET`, and of `HEAD` with it: `routes.get(path) { request in … }`.
    public var get: RouteDeclaration { on(.get) }
    /// Declares the handler of `POST`.
    public var post: RouteDeclaration { on(.post) }
    /// Declares the handler of `PUT`.
    public var put: RouteDeclaration { on(.put) }
    /// Declares the handler of `PATCH`.
    public var patch: RouteDeclaration { on(.patch) }
    /// Declares the handler of `DELETE`.
    public var delete: RouteDeclaration { on(.delete) }

    /// Declares the handler of `QUERY`, a search whose input is a body (RFC 10008):
    /// `routes.query(path, NestSearch.self) { request, search in … }`.
    public var query: RouteDeclaration { on(.query) }

    /// Declares the handler of any method: `routes.on(.options)(path) { request in … }`.
    public func on(_ method: HTTPRequest.Method) -> RouteDeclaration { RouteDeclaration(table, scope, method) }

    /// Declares the handler of a method that has no constant: `routes.on("PURGE")(path) { request in … }`. A name that
    /// is not a token (RFC 9110 §9.1) is a ``StartError``.
    public func on(_ method: String) -> RouteDeclaration { on(table.method(named: method)) }

    /// Notes a mistake, which stops the start.
    func note(_ mistake: String) { table.note(mistake) }

    /// Puts a responder around the handler of the `GET` of a path.
    func add<each Parameter>(_ wrapper: RouteWrapper, at path: Path<repeat each Parameter>) {
        if let mistake = path.mistake { table.note("\(mistake) It is routed at \(wrapper.source).") }
        table.add(wrapper, path.segments, in: scope)
    }

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
    ///     routes.group(Path("/admin"), middleware: [auth.requireUser()]) { admin in … }
    ///
    /// If several groups have the same prefix, such requests go to the first one with a fallback, or else to the first
    /// one.
    /// - Parameter described: Whether the API's description includes these routes (``APIDescription``).
    public func group(
        _ prefix: FixedPath = Path("/"),
        middleware: [any Middleware] = [],
        described: Bool = false,
        _ declare: (Routes) throws -> Void
    ) rethrows {
        try declare(Routes(table, scope: table.addScope(in: scope, prefix, middleware, described: described)))
    }

    /// A prefix with a parameter.
    @available(
        *, unavailable,
        message: "a group's prefix has no parameters: put them into the path of each route, prefix.appending(path)"
    )
    public func group<Parameter: PathParameter>(
        _ prefix: Path<Parameter>,
        middleware: [any Middleware] = [],
        described: Bool = false,
        _ declare: (Routes) throws -> Void
    ) {}

    /// Sets the responder for paths that match no route; without one, the response is 404. A second fallback for the
    /// same prefix stops the start.
    public func fallback(_ responder: some Responder, file: String = #fileID, line: UInt = #line) {
        table.setFallback(of: scope, responder, SourceLocation(file: file, line: line))
    }

    /// Sets the function for paths that match no route.
    public func fallback<Result: ResponseConvertible>(
        file: String = #fileID,
        line: UInt = #line,
        _ handler: @escaping @Sendable (Request) async throws -> Result
    ) {
        let handler: RouteHandler = .waiting { try await handler($0).response(for: $0, in: $1) }
        let endpoint = Endpoint(handler, table.context, bodyLimit: table.bodyLimit, usualLimit: table.bodyLimit)
        fallback(endpoint, file: file, line: line)
    }
}

/// A group of handlers that belong together, with the paths that they handle.
public protocol Controller: Sendable {
    /// Declares the routes; called once, at start. An error stops the start.
    func routes(_ routes: Routes) throws
}
