import HTTPTypes

/// Finds which controller answers, and asks it.
final class Router: Responder {
    private let tree: RouteTree
    /// The endpoints' functions: called as such, none of them is copied for a request.
    private let answers: [@Sendable (Request) throws -> Answer]
    private let fallback: (any Responder)?

    /// Freezes declared routes.
    /// - Throws: ``ConfigurationMistake`` when two of them answer the same requests.
    init(_ routes: [Route], fallback: (any Responder)? = nil) throws(ConfigurationMistake) {
        tree = try RouteTree(routes)
        answers = tree.endpoints.map { endpoint in { try endpoint.responder.answer(to: $0) } }
        self.fallback = fallback
    }

    func respond(to request: Request) async throws -> Response {
        switch try answer(to: request) {
        case .response(let response): response
        case .later(let responder): try await responder.respond(to: request)
        }
    }

    func answer(to request: Request) throws -> Answer {
        switch tree.match(request) {
        case .endpoint(let place): return try answers[place](request)
        // What has no path is about the server itself, whatever there is at the root (RFC 9110 §9.3.7).
        case .otherMethods where request.head.path.isEmpty: return try unknownPath(request)
        case .otherMethods(let methods): return .response(try otherMethod(request, methods))
        case .none: return try unknownPath(request)
        }
    }

    /// The path is known: `OPTIONS` is told the methods, any other gets 405 with them (RFC 9110 §9.3.7, §15.5.6).
    private func otherMethod(_ request: Request, _ methods: Set<HTTPRequest.Method>) throws -> Response {
        let headers: Headers = [.allow: Self.list(methods)]
        if request.method == .options { return Response(.noContent, headers: headers) }
        let message = "\(request.method) is not possible here; \(Self.list(methods)) is."
        throw HTTPError(.methodNotAllowed, message, headers: headers)
    }

    private func unknownPath(_ request: Request) throws -> Answer {
        if request.path == "*" { return .response(Response(.noContent, headers: [.allow: Self.list(tree.allMethods)])) }
        guard let fallback else { throw HTTPError(.notFound) }
        return try fallback.answer(to: request)
    }

    private static func list(_ methods: Set<HTTPRequest.Method>) -> String {
        let implied: Set<HTTPRequest.Method> = methods.contains(.get) ? [.head, .options] : [.options]
        return methods.union(implied).map(\.rawValue).sorted().joined(separator: ", ")
    }
}
