public import HTTPTypes

/// A declared route, for people and programs that list routes.
public struct RouteDescription: Sendable, CustomStringConvertible {
    /// The method of the route.
    public let method: HTTPRequest.Method
    /// The pattern of the route: `/users/{id}`.
    public let path: String
    /// The place of its declaration in the source: `App/UserController.swift:17`.
    public let source: String
    /// The types of the middleware around it, the outermost first, without the application's.
    public let middleware: [String]

    /// In the usual notation: `POST /users/{id}/delete`.
    public var description: String { "\(method) \(path)" }

    init(_ route: Route) {
        method = route.endpoint.method
        path = route.segments.pattern
        source = route.source.description
        middleware = route.middleware
    }
}
