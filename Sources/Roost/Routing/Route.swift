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

    var declared: DeclaredRoute { DeclaredRoute(method: endpoint.method, path: segments.pattern) }
}

/// A place in the application's source.
struct SourceLocation: Sendable, CustomStringConvertible {
    let file: String
    let line: UInt

    var description: String { "\(file):\(line)" }
}

/// One step of a route's path.
@usableFromInline
enum RouteSegment: Sendable {
    case literal(String)
    case parameter
}

extension RouteSegment: Hashable {
    /// Whether both stand for the same segments of requests, which are compared by their bytes.
    @usableFromInline
    static func == (left: RouteSegment, right: RouteSegment) -> Bool {
        switch (left, right) {
        case (.literal(let left), .literal(let right)): ExactText(left) == ExactText(right)
        case (.parameter, .parameter): true
        default: false
        }
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        if case .literal(let text) = self { hasher.combine(ExactText(text)) }
    }
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
