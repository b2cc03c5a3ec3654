public import HTTPTypes

/// A place to declare routes in: ``Routes``, or a ``RouteGroup`` whose prefix has parameters.
public protocol RouteScope {
    /// The type that declares the routes of one method.
    associatedtype Declaration

    /// Declares what answers any method: `routes.on(.options)(path) { request in … }`.
    func on(_ method: HTTPRequest.Method) -> Declaration

    /// The same for a method that has no constant: `routes.on("PURGE")(path) { request in … }`. A name that is not a
    /// token (RFC 9110 §9.1) is a ``StartError``.
    func on(_ method: String) -> Declaration
}

extension RouteScope {
    /// Declares what answers `GET`, and `HEAD` with it: `routes.get(path) { request in … }`.
    public var get: Declaration { on(.get) }
    /// Declares what answers `POST`.
    public var post: Declaration { on(.post) }
    /// Declares what answers `PUT`.
    public var put: Declaration { on(.put) }
    /// Declares what answers `PATCH`.
    public var patch: Declaration { on(.patch) }
    /// Declares what answers `DELETE`.
    public var delete: Declaration { on(.delete) }
}
