public import HTTPTypes

/// Where an application declares what it answers; controllers get it in ``Controller/routes(_:)``.
///
///     routes.get(Path.root / "hello" / String.self) { _, name in "Hello, \(name)!" }
///     routes.add(UserController(users: users))
///
/// A `GET` route answers `HEAD` as well. Routes are frozen before the server listens; two that collide end the start.
public final class Routes {
    private final class Declared {
        var routes: [Route] = []
        var fallback: (any Responder)?
    }

    private let declared: Declared
    private let prefix: [RouteSegment]
    private let middleware: [any Middleware]
    private let context: ResponseContext
    private let bodyLimit: BodyLimit

    init(_ context: ResponseContext, bodyLimit: BodyLimit) {
        declared = Declared()
        prefix = []
        middleware = []
        self.context = context
        self.bodyLimit = bodyLimit
    }

    private init(_ parent: Routes, _ prefix: [RouteSegment], _ middleware: [any Middleware]) {
        declared = parent.declared
        self.prefix = parent.prefix + prefix
        self.middleware = parent.middleware + middleware
        context = parent.context
        bodyLimit = parent.bodyLimit
    }

    /// Declares a controller's routes.
    public func add(_ controller: some Controller) {
        controller.routes(self)
    }

    /// Routes that share a prefix, and middleware that runs around them only.
    ///
    ///     routes.group(Path.root / "admin", middleware: [RequireUser()]) { admin in … }
    public func group(
        _ path: Path<Void> = .root,
        middleware: [any Middleware] = [],
        _ declare: (Routes) -> Void
    ) {
        declare(Routes(self, path.segments, middleware))
    }

    /// Answers what no route's path matches; without one it is 404.
    public func fallback(_ responder: some Responder) {
        declared.fallback = Chain.of(middleware, responder)
    }

    /// Answers a method and path with a function of the request and the path's parameters.
    /// - Parameter body: Whether the body is read before the function is called, and how much of it.
    @inlinable
    public func on<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ method: HTTPRequest.Method,
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) {
        // Inlinable, so that where it is called the function's types are known and no generic code runs for a request.
        let endpoint = endpoint(body) { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try await handler(request, repeat each values).response(for: request, in: context)
        }
        add(method, path.segments, endpoint, file, line)
    }

    /// The same for a function that never waits: whoever writes one without `await` gets this, and its answers cost
    /// less.
    @inlinable
    public func on<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ method: HTTPRequest.Method,
        _ path: Path<(repeat each Parameter)>,
        body: RouteBody = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) {
        let endpoint = immediateEndpoint(body) { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try handler(request, repeat each values).response(for: request, in: context)
        }
        add(method, path.segments, endpoint, file, line)
    }

    @usableFromInline
    func endpoint(
        _ routeBody: RouteBody,
        _ body: @escaping @Sendable (Request, ResponseContext) async throws -> Response
    ) -> any Responder {
        Endpoint(body: body, context: context, bodyLimit: routeBody.limit(default: bodyLimit))
    }

    @usableFromInline
    func immediateEndpoint(
        _ routeBody: RouteBody,
        _ body: @escaping @Sendable (Request, ResponseContext) throws -> Response
    ) -> any Responder {
        ImmediateEndpoint(body: body, context: context, bodyLimit: routeBody.limit(default: bodyLimit))
    }

    @usableFromInline
    func add(
        _ method: HTTPRequest.Method,
        _ segments: [RouteSegment],
        _ endpoint: any Responder,
        _ file: String,
        _ line: UInt
    ) {
        declared.routes.append(
            Route(
                endpoint: .init(method: method, responder: Chain.of(middleware, endpoint)),
                segments: prefix + segments,
                source: SourceLocation(file: file, line: line)
            )
        )
    }

    /// What has been declared so far.
    var list: [DeclaredRoute] { declared.routes.map(\.declared) }

    /// The frozen router.
    func freeze() throws(ConfigurationMistake) -> Router {
        try Router(declared.routes, fallback: declared.fallback)
    }
}
