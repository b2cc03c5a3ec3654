import HTTPTypes

/// Responds when no endpoint matches: to another method of a known path, or to an unknown path.
final class Unmatched: Responder {
    private let tree: RouteTree
    private let fallback: (any Responder)?

    init(tree: RouteTree, fallback: (any Responder)?) {
        self.tree = tree
        self.fallback = fallback
    }

    func respond(to request: Request) async throws -> Response {
        try await respondEitherWay(to: request)
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        // A request without a path is about the server itself, whatever there is at the root (RFC 9110 §9.3.7).
        if request.head.path.isEmpty {
            return .ready(Response(.noContent, headers: [.allow: list(tree.allMethods)]))
        }
        if case .otherMethods(_, let methods) = tree.match(request) {
            return .ready(try request.responseToOtherMethod(allowed: list(methods)))
        }
        guard let fallback else { throw HTTPError(.notFound) }
        return try fallback.respondWithoutWaiting(to: &request)
    }

    private func list(_ set: MethodSet) -> String {
        let methods = tree.methods(in: set)
        let implied: Set<HTTPRequest.Method> = methods.contains(.get) ? [.head, .options] : [.options]
        return methods.union(implied).map(\.rawValue).sorted().joined(separator: ", ")
    }
}
