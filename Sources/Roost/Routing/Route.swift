public import HTTPTypes

/// One declared route, before the router is built.
struct Route: Sendable {
    /// The end of a path in the tree of routes: a method, and what handles it.
    struct Leaf: Sendable {
        let method: HTTPRequest.Method
        let responder: any Responder
        /// The place of the group that it was declared in.
        let scope: Int
        /// Its method, pattern and place in the source, for people: `GET /users/{id}, App/UserController.swift:17`.
        let name: String
        let pattern: RoutePattern
        /// Whether its page is live.
        var isLive = false
    }

    let leaf: Leaf
    /// Its handler, without the middleware around it.
    let endpoint: any Responder
    let segments: [RouteSegment]
    /// The names of the middleware around it, the outermost first.
    let middleware: [String]
    /// The place of its declaration, for the message when two routes collide.
    let source: SourceLocation

    /// The route in the usual notation: `GET /users/{id}`.
    var description: String { "\(leaf.method) \(segments.pattern)" }

    /// The form of a route that no other may share: both would match the same requests, in no defined order.
    struct Shape: Hashable {
        private enum Step: Hashable {
            case literal([UInt8])
            case parameter(prefix: [UInt8], suffix: [UInt8], PathPrecedence)
        }

        private let method: HTTPRequest.Method
        private let steps: [Step]

        init(_ route: Route) { self.init(route.leaf.method, route.segments) }

        init(_ method: HTTPRequest.Method, _ segments: [RouteSegment]) {
            self.method = method
            steps = segments.map { segment in
                switch segment {
                case .literal(let name): .literal(name)
                case .parameter(let one): .parameter(prefix: one.prefix, suffix: one.suffix, one.kind.precedence)
                }
            }
        }
    }
}

/// A place in the application's source.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: String
    let line: UInt

    var description: String { "\(file):\(line)" }
}

/// A declared route, for people and programs that list routes.
public struct RouteDescription: Sendable, CustomStringConvertible {
    /// The method of the route.
    public let method: HTTPRequest.Method
    /// The pattern of the route: `/users/{id}`.
    public let path: String
    /// The place of its declaration in the source: `App/UserController.swift:17`.
    public let source: String
    /// The types of the middleware around it, or their descriptions if they have any (`CustomStringConvertible`), the
    /// outermost first; the application's own middleware is not included.
    public let middleware: [String]
    /// The largest body that is collected before the handler is called, in bytes; nil for a route that reads the body
    /// itself.
    let bodyLimit: Int?
    /// Whether the handler reads the body itself, as a stream.
    package let readsStream: Bool

    /// The route in the usual notation: `POST /users/{id}/delete`.
    public var description: String { "\(method) \(path)" }

    init(_ route: Route) {
        method = route.leaf.method
        path = route.segments.pattern
        source = route.source.description
        middleware = route.middleware
        let endpoint = route.endpoint as? Endpoint
        bodyLimit = endpoint?.bodyLimit?.body
        readsStream = endpoint.map { $0.bodyLimit == nil } ?? false
    }
}
