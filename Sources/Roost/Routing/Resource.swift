/// The paths of a REST resource, with the names that Rails made common:
///
///     static let nests = Resource("/nests", Int.self)
///     nests.all.url()      // "/nests"             index, create
///     nests.new.url()      // "/nests/new"         new: the form to add one
///     nests.one.url(3)     // "/nests/3"           show, update, destroy
///     nests.edit.url(3)    // "/nests/3/edit"      edit: the form to change one
///
/// ``Routes/resource(_:)`` declares its routes.
public struct Resource<ID: PathParameter>: Sendable {
    /// The path of all: `/nests`.
    public let all: FixedPath
    /// The path of the form to add one: `/nests/new`.
    public let new: FixedPath
    /// The path of one: `/nests/{id}`.
    public let one: Path<ID>
    /// The path of the form to change one: `/nests/{id}/edit`.
    public let edit: Path<ID>

    /// Creates a resource below a path without parameters, with the type of its ids.
    public init(_ pattern: String, _ id: ID.Type) {
        all = FixedPath(pattern)
        new = all.appending("/new")
        one = Path(pattern + "/{id}", id)
        edit = one.appending("/edit")
    }
}

/// The declarations of a REST resource's routes; a controller calls those that it supports.
///
///     let nests = routes.resource(Self.nests)
///     nests.index(use: index)
///     nests.show(use: show)
///     nests.create(use: create)
///
/// A page's forms can send only GET and POST; with ``MethodOverride``, `?_method=delete` in a form's action turns its
/// `POST` into a `DELETE`.
public struct ResourceRoutes<ID: PathParameter> {
    private let routes: Routes
    private let resource: Resource<ID>

    init(_ routes: Routes, _ resource: Resource<ID>) {
        self.routes = routes
        self.resource = resource
    }

    // With the space, because the brackets would be an operator.
    // swift-format-ignore
    /// `GET /nests` shows all.
    public var index: ResourceAction< > { ResourceAction(resource.all, routes.get) }
    // swift-format-ignore
    /// `GET /nests/new` shows the form to add one.
    public var new: ResourceAction< > { ResourceAction(resource.new, routes.get) }
    // swift-format-ignore
    /// `POST /nests` adds one.
    public var create: ResourceAction< > { ResourceAction(resource.all, routes.post) }
    /// `GET /nests/3` shows one.
    public var show: ResourceAction<ID> { ResourceAction(resource.one, routes.get) }
    /// `GET /nests/3/edit` shows the form to change one.
    public var edit: ResourceAction<ID> { ResourceAction(resource.edit, routes.get) }
    /// `PATCH /nests/3`, and `PUT`, change one.
    public var update: ResourceAction<ID> { ResourceAction(resource.one, routes.patch, routes.put) }
    /// `DELETE /nests/3` removes one.
    public var destroy: ResourceAction<ID> { ResourceAction(resource.one, routes.delete) }
}

extension Routes {
    /// Declares the routes of a REST resource; see ``ResourceRoutes``.
    public func resource<ID>(_ resource: Resource<ID>) -> ResourceRoutes<ID> { ResourceRoutes(self, resource) }
}

/// The declaration of one action of a resource, which is called like a function: `nests.show(use: show)`.
public struct ResourceAction<each Parameter: PathParameter> {
    @usableFromInline
    let path: Path<repeat each Parameter>
    @usableFromInline
    let declarations: [RouteDeclaration]

    init(_ path: Path<repeat each Parameter>, _ declarations: RouteDeclaration...) {
        self.path = path
        self.declarations = declarations
    }

    /// Declares the handler: a function of the request and, for an action on a single item, its id.
    /// - Parameter body: Whether the body is read before the function is called, and how much of it.
    /// - Returns: The route, to describe it.
    @inlinable
    @discardableResult
    public func callAsFunction<Result: ResponseConvertible>(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Result
    ) -> DeclaredRoute {
        DeclaredRoute(declarations.map { $0(path, body: body, file: file, line: line, use: handler) })
    }

    /// Declares a handler that never waits.
    @inlinable
    @discardableResult
    public func callAsFunction<Result: ResponseConvertible>(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Result
    ) -> DeclaredRoute {
        DeclaredRoute(declarations.map { $0(path, body: body, file: file, line: line, use: handler) })
    }

    /// Declares a handler that returns a ``Response``, such as a closure that returns `.redirect(to:)`.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) async throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(body: body, file: file, line: line, use: handler)
    }

    /// Declares a handler that returns a response, and never waits.
    @inlinable
    @discardableResult
    @_disfavoredOverload
    public func callAsFunction(
        body: BodyPolicy = .collected,
        file: String = #fileID,
        line: UInt = #line,
        use handler: @escaping @Sendable (Request, repeat each Parameter) throws -> Response
    ) -> DeclaredRoute {
        callAsFunction(body: body, file: file, line: line, use: handler)
    }
}
