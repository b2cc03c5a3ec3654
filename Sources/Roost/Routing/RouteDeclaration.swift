import HTTPTypes

/// The declaration of routes of one method. ``Routes/get`` and its neighbours return one, to be called like a function:
///
///     routes.get(Path("/users/{id}", Int.self), use: show)
///     routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
///
/// A handler takes the request and one value for each parameter of the path, and returns a value that becomes a
/// response. A handler without `await` costs less, but is declared in the same way.
public struct RouteDeclaration {
    private let table: RouteTable
    private let scope: Int
    private let method: HTTPRequest.Method

    /// Whether an input of the route is its query and not its body.
    @usableFromInline
    var readsQuery: Bool { [.get, .head, .delete].contains(method) }

    init(_ table: RouteTable, _ scope: Int, _ method: HTTPRequest.Method) {
        self.table = table
        self.scope = scope
        self.method = method
    }

    /// Declares a handler for a path: a function of the request and the path's parameters.
    /// - Parameter body: Whether the body is read before the function is called, and how much of it.
    /// - Returns: The route, to describe it.
    @inlinable
    @discardableResult
    public func callAsFunction<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) -> DeclaredRoute {
        // Inlinable, so that the function's types are known at the call, and no generic code runs for a request.
        let handler: RouteHandler = .waiting { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try await handler(request, repeat each values).response(for: request, in: context)
        }
        return add(path, body, file, line, handler, RouteTypes(Result.self))
    }

    /// Declares a handler that never waits.
    @inlinable
    @discardableResult
    public func callAsFunction<each Parameter: PathParameter, Result: ResponseConvertible>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) -> DeclaredRoute {
        let handler: RouteHandler = .immediate { request, context in
            var index = 0
            let values = (repeat try request.parameter((each Parameter).self, &index))
            return try handler(request, repeat each values).response(for: request, in: context)
        }
        return add(path, body, file, line, handler, RouteTypes(Result.self))
    }

    /// Declares a handler that returns a ``Response``, so that a closure can return `.redirect(to:)` or `.json(…)`
    /// without naming the type.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(path, body: body, file: file, line: line, use: handler)
    }

    /// Declares a handler that returns a response, and never waits.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(path, body: body, file: file, line: line, use: handler)
    }

    @usableFromInline
    @discardableResult
    func add<each Parameter>(
        _ path: Path<repeat each Parameter>,
        _ body: BodyPolicy,
        _ file: String,
        _ line: UInt,
        _ handler: RouteHandler,
        _ types: RouteTypes
    ) -> DeclaredRoute {
        let source = SourceLocation(file: file, line: line)
        if let mistake = path.mistake { table.note("\(mistake) It is routed at \(source).") }
        let limit = body.limit(default: table.bodyLimit)
        let endpoint = Endpoint(handler, table.context, bodyLimit: limit, usualLimit: table.bodyLimit)
        return DeclaredRoute([table.add(method, path.segments, in: scope, source, endpoint, types)])
    }
}
