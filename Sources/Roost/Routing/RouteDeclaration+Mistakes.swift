// Overloads that cannot be called: for a common mistake the compiler finds one of them, and says what to write, instead
// of how its search for a function failed. For a mistake in a handler's body, it could choose one whose closure has
// fewer parameters, and would not name the mistake: so none of those is for a path without parameters. Those for
// mistakes that `describe` may follow return what it is called on.

extension RouteDeclaration {
    /// A handler whose result cannot become a response.
    @available(
        *, unavailable,
        message: """
            a handler returns what becomes a response: JSON(value), a View, a Response or a String; with several \
            outcomes it returns Response: .json(value), .view("name", page) or .redirect(to: url)
            """
    )
    @discardableResult
    public func callAsFunction<each Parameter: PathParameter, Result>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) -> DeclaredRoute { DeclaredRoute([] as [RouteOperation]) }

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    public func callAsFunction<First: PathParameter, each Parameter: PathParameter>(
        _ path: Path<First, repeat each Parameter>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable () async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    public func callAsFunction<First: PathParameter, each Parameter: PathParameter>(
        _ path: Path<First, repeat each Parameter>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, Any) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    @_disfavoredOverload
    public func callAsFunction<each Parameter: PathParameter>(
        _ path: Path<repeat each Parameter>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, Any, Any) async throws -> Any
    ) {}

    // For a path that is made in the call, the compiler finds these only.

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    public func callAsFunction<First: PathParameter>(
        _ path: Path<First>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request) async throws -> Any
    ) {}

    /// A handler whose parameters do not match the path's.
    @available(
        *, unavailable, message: "a handler takes the request and a value for each parameter: { request, id in … }"
    )
    public func callAsFunction<First: PathParameter, Second: PathParameter>(
        _ path: Path<First, Second>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request) async throws -> Any
    ) {}

    /// A handler whose parameter has another type than the path's.
    @available(*, unavailable, message: "the handler's parameter must have the type that the path says")
    @_disfavoredOverload
    public func callAsFunction<First: PathParameter>(
        _ path: Path<First>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, String) async throws -> Any
    ) {}

    /// A handler whose parameter has another type than the path's.
    @available(*, unavailable, message: "the handler's parameter must have the type that the path says")
    @_disfavoredOverload
    public func callAsFunction<First: PathParameter>(
        _ path: Path<First>,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, Int) async throws -> Any
    ) {}

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/users\"), or Path(\"/users/{id}\", Int.self)")
    @discardableResult
    public func callAsFunction(
        _ path: String,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request) async throws -> Any
    ) -> DeclaredRoute { DeclaredRoute([] as [RouteOperation]) }

    /// A string instead of a path.
    @available(*, unavailable, message: "a path is a value: Path(\"/users\"), or Path(\"/users/{id}\", Int.self)")
    @discardableResult
    public func callAsFunction(
        _ path: String,
        body: BodyPolicy = .collected,
        use handler: @escaping @Sendable (Request, Any) async throws -> Any
    ) -> DeclaredRoute { DeclaredRoute([] as [RouteOperation]) }
}

extension Routes {
    /// A string instead of a path.
    @available(*, unavailable, message: "a prefix is a path: Path(\"/api\")")
    public func group(
        _ prefix: String,
        middleware: [any Middleware] = [],
        _ declare: (Routes) throws -> Void
    ) {}
}
