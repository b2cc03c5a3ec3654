public import HTTPTypes

/// A declared route, for people and programs that list them.
public struct RouteDescription: Sendable, CustomStringConvertible {
    /// The method that it answers.
    public let method: HTTPRequest.Method
    /// Its pattern: `/users/{id}`.
    public let path: String
    /// Where it is declared: `App/UserController.swift:17`.
    public let source: String
    /// The types of the middleware around it, the outermost first, without the application's own.
    public let middleware: [String]

    /// As people write it: `POST /users/{id}/delete`.
    public var description: String { "\(method) \(path)" }

    init(_ route: Route) {
        method = route.endpoint.method
        path = route.segments.pattern
        source = route.source.description
        middleware = route.middleware
    }
}
