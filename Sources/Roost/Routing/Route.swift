import HTTPTypes

/// One declared route, before the router is built.
struct Route: Sendable {
    /// A method, and what handles it.
    struct Endpoint: Sendable {
        let method: HTTPRequest.Method
        let responder: any Responder
        /// The place of the group that it was declared in.
        let scope: Int
        /// Its method, pattern and place in the source, for people: `GET /users/{id}, App/UserController.swift:17`.
        let name: String
        let pattern: RoutePattern
    }

    let endpoint: Endpoint
    let segments: [RouteSegment]
    /// The names of the middleware around it, the outermost first.
    let middleware: [String]
    /// The place of its declaration, for the message when two routes collide.
    let source: SourceLocation

    /// In the usual notation: `GET /users/{id}`.
    var description: String { "\(endpoint.method) \(segments.pattern)" }

    /// The form of a route that no other may share: both would match the same requests, in no defined order.
    struct Shape: Hashable {
        private enum Step: Hashable {
            case literal([UInt8])
            case parameter(prefix: [UInt8], suffix: [UInt8], PathPrecedence)
        }

        private let method: HTTPRequest.Method
        private let steps: [Step]

        init(_ route: Route) {
            method = route.endpoint.method
            steps = route.segments.map { segment in
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
