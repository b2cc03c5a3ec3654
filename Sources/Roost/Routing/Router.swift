import HTTPTypes

/// Finds the endpoint for a request, and calls it.
final class Router: Responder {
    private let tree: RouteTree
    /// The responders of the tree's leaves: since they are stored as functions, none is copied for a request.
    private let responders: [@Sendable (inout Request) throws -> ImmediateResponse]
    /// The patterns of the tree's leaves.
    private let patterns: [RoutePattern]
    /// The responder of each group when no endpoint matches, with the group's middleware around it.
    private let unmatched: [any Responder]

    init(_ tree: RouteTree, unmatched: [any Responder]) {
        self.tree = tree
        self.unmatched = unmatched
        patterns = tree.leaves.map(\.pattern)
        responders = tree.leaves.map { leaf in { try leaf.responder.respondWithoutWaiting(to: &$0) } }
    }

    func respond(to request: Request) async throws -> Response {
        try await respondEitherWay(to: request)
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        let scope: Int
        switch tree.match(request) {
        case .leaf(let leaf):
            request.notes.route = patterns[leaf]
            return try responders[leaf](&request)
        case .otherMethods(let leaf, _): scope = self.scope(of: request, at: leaf)
        case .none(let deepest): scope = deepest
        }
        return try unmatched[scope].respondWithoutWaiting(to: &request)
    }

    /// The route of a request: its pattern, where it is declared, and its parameters.
    func name(of request: Request) -> String? {
        guard case .leaf(let index) = tree.match(request) else { return nil }
        let leaf = tree.leaves[index]
        let values = (0..<request.captures.count).map { request.capture($0) }
        let names = leaf.name.split(separator: "{").dropFirst().map { $0.prefix { $0 != "}" } }
        let parameters = zip(names, values).map { "\($0) = \($1)" }.joined(separator: ", ")
        return parameters.isEmpty ? leaf.name : "\(leaf.name) with \(parameters)"
    }

    /// Whether a request is for a live page.
    func isLive(_ request: Request) -> Bool {
        if case .leaf(let leaf) = tree.match(request) { tree.leaves[leaf].isLive } else { false }
    }

    /// The group that is responsible when only another method has an endpoint. A preflight request belongs to the group
    /// of the method that it asks about, whose middleware knows what it allows (Fetch §3.2.2).
    private func scope(of request: Request, at leaf: Int) -> Int {
        if request.method == .options, let name = request.headers[.accessControlRequestMethod],
            let method = HTTPRequest.Method(name), case .leaf(let wanted) = tree.match(request, as: method)
        {
            return tree.leaves[wanted].scope
        }
        return tree.leaves[leaf].scope
    }
}
