import HTTPTypes

/// One declared route, before the router is built.
struct Route: Sendable {
    /// What answers, and which method.
    struct Endpoint: Sendable {
        let method: HTTPRequest.Method
        let responder: any Responder
    }

    let endpoint: Endpoint
    let segments: [RouteSegment]
    /// Where it was declared, for the message when two collide.
    let source: SourceLocation

    /// As people write it: `GET /users/:`.
    var description: String { "\(endpoint.method) \(segments.pattern)" }
}

/// A place in the application's source.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: String
    let line: UInt

    var description: String { "\(file):\(line)" }
}

/// One step of a route's path.
@usableFromInline
enum RouteSegment: Sendable, Hashable {
    case literal(String)
    case parameter
}

extension [RouteSegment] {
    var pattern: String {
        let parts = map { segment in
            switch segment {
            case .literal(let text): text
            case .parameter: ":"
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
