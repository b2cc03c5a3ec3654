import HTTPTypes

/// The declarations of an application: its routes, and its groups with their middleware and fallbacks.
final class RouteTable {
    /// A group: a prefix, and what applies to every request under it.
    struct Scope {
        let parent: Int?
        let prefix: [RouteSegment]
        let middleware: [any Middleware]
        /// Whether its prefix is its own, not just its parent's.
        let hasOwnPrefix: Bool
        /// Whether the API's description has its routes.
        var isDescribed = false
        var fallback: (responder: any Responder, source: SourceLocation)?
    }

    /// The context in which endpoints make responses.
    let context: ResponseContext
    let bodyLimit: BodyLimit
    private(set) var routes: [Route] = []
    /// The parts that the API's description may tell of the routes.
    private(set) var operations: [RouteOperation] = []
    private(set) var scopes: [Scope]
    private var wrappers: [(segments: [RouteSegment], wrapper: RouteWrapper)] = []
    private var mistakes: [String] = []
    /// The error of a controller.
    private var failure: (any Error)?

    init(_ context: ResponseContext, bodyLimit: BodyLimit) {
        self.context = context
        self.bodyLimit = bodyLimit
        scopes = [Scope(parent: nil, prefix: [], middleware: [], hasOwnPrefix: true)]
    }

    /// Adds a group inside another, and returns its index.
    func addScope(in parent: Int, _ prefix: FixedPath, _ middleware: [any Middleware], described: Bool) -> Int {
        if let mistake = prefix.mistake { note(mistake) }
        scopes.append(
            Scope(
                parent: parent,
                prefix: scopes[parent].prefix + prefix.segments,
                middleware: scopes[parent].middleware + middleware.withLanguageLinks,
                hasOwnPrefix: !prefix.segments.isEmpty,
                isDescribed: scopes[parent].isDescribed || described
            )
        )
        return scopes.count - 1
    }

    func setFallback(of scope: Int, _ responder: any Responder, _ source: SourceLocation) {
        let pattern = scopes[scope].prefix.pattern
        if let other = scopes.first(where: { $0.fallback != nil && $0.prefix.pattern == pattern })?.fallback {
            note(
                "Two fallbacks are set under \(pattern): one at \(other.source), the other at \(source). Remove one.")
        }
        scopes[scope].fallback = (responder, source)
    }

    func add(
        _ method: HTTPRequest.Method,
        _ segments: [RouteSegment],
        in scope: Int,
        _ source: SourceLocation,
        _ endpoint: any Responder,
        _ types: RouteTypes
    ) -> RouteOperation {
        let group = scopes[scope]
        let whole = group.prefix + segments
        let responder = group.middleware.around(endpoint, in: context)
        routes.append(
            Route(
                leaf: .init(
                    method: method, responder: responder, scope: scope,
                    name: "\(method) \(whole.pattern), \(source)", pattern: .named(whole.pattern)),
                endpoint: endpoint,
                segments: whole,
                middleware: group.middleware.map {
                    ($0 as? any CustomStringConvertible)?.description ?? "\(type(of: $0))"
                },
                source: source
            )
        )
        if let fault = whole.dropLast().lazy.compactMap(\.faultBeforeOthers).first {
            note("\(method) \(whole.pattern) has \(fault). It is routed at \(source).")
        }
        let operation = RouteOperation(
            method, whole.pattern, whole.parameters, group.middleware, source.description, types,
            isDescribed: group.isDescribed)
        operations.append(operation)
        return operation
    }

    /// Puts a responder around the handler of the `GET` of a path, which may be declared before this or after it.
    /// - Parameter segments: Those after the prefix of the group in which this is declared.
    func add(_ wrapper: RouteWrapper, _ segments: [RouteSegment], in scope: Int) {
        wrappers.append((scopes[scope].prefix + segments, wrapper))
    }

    /// The paths of the routes that have a responder around their handler, in the order of declaration, each once.
    var wrapped: [String] {
        var seen: Set<String> = []
        return wrappers.map(\.segments.pattern).filter { seen.insert($0).inserted }
    }

    private func placeWrappers() {
        for (segments, wrapper) in wrappers {
            let shape = Route.Shape(.get, segments)
            guard let index = routes.firstIndex(where: { Route.Shape($0) == shape }) else {
                note(
                    "The live page \(segments.pattern), declared at \(wrapper.source), has no route: declare "
                        + "routes.get for the same path.")
                continue
            }
            routes[index] = routes[index].wrapped(
                by: wrapper, behind: scopes[routes[index].leaf.scope].middleware, context)
        }
    }

    /// The method with a name. A name that is not a token is a mistake, which stops the start; then the result is GET.
    func method(named name: String) -> HTTPRequest.Method {
        if let method = HTTPRequest.Method(name) { return method }
        note("\"\(name)\" is not a method: write a token, such as \"PURGE\".")
        return .get
    }

    /// Notes a mistake, which stops the start.
    func note(_ mistake: String) { mistakes.append(mistake) }

    func fail(_ error: any Error) { failure = failure ?? error }

    /// Makes a router from the declarations.
    /// - Throws: ``StartError`` with all mistakes, one on each line, or the error of a controller.
    func freeze() throws -> Router {
        if let failure { throw failure }
        placeWrappers()
        checkParameterCounts()
        noteCollisions()
        if !mistakes.isEmpty { throw StartError.configuration(mistakes.joined(separator: "\n")) }
        let root = RouteBranch()
        for route in routes { root.branch(route.segments).leaves.append(route.leaf) }
        for (scope, group) in scopes.enumerated() where group.hasOwnPrefix || group.fallback != nil {
            let branch = root.branch(group.prefix)
            // The first group with a prefix is responsible for unknown paths under it, unless another has a fallback.
            if branch.scope == nil || group.fallback != nil { branch.scope = scope }
        }
        let tree = RouteTree(RouteLayout(root, try MethodTable(routes.map(\.leaf.method))))
        let unmatched = scopes.indices.map { scope in
            scopes[scope].middleware.around(Unmatched(tree: tree, fallback: fallback(for: scope)), in: context)
        }
        let router = Router(tree, unmatched: unmatched)
        context.nameRoutes { [weak router] in router?.name(of: $0) }
        return router
    }

    /// The fallback of a group: its own, that of another group with the same prefix, or that of the surrounding group,
    /// together with the middleware that the group itself does not have.
    private func fallback(for scope: Int) -> (any Responder)? {
        for ancestor in ancestors(of: scope) {
            let pattern = scopes[ancestor].prefix.pattern
            let found = scopes.firstIndex { $0.fallback != nil && $0.prefix.pattern == pattern }
            guard let found, let fallback = scopes[found].fallback else { continue }
            let shared = ancestors(of: found).first { ancestors(of: scope).contains($0) } ?? 0
            let own = Array(scopes[found].middleware.dropFirst(scopes[shared].middleware.count))
            // Makes content that is not made yet, also without middleware.
            return own.around(FilterChain([], fallback.responder, context), in: context)
        }
        return nil
    }

    /// A group and those around it, the innermost first.
    private func ancestors(of scope: Int) -> [Int] { Array(sequence(first: scope) { self.scopes[$0].parent }) }

    private func checkParameterCounts() {
        for route in routes {
            let count = route.segments.parameters.count
            guard count > PathCaptures.maximum else { continue }
            note(
                "\(route.description) has \(count) parameters, including its group's (\(route.source)); "
                    + "at most \(PathCaptures.maximum) are possible."
            )
        }
    }

    private func noteCollisions() {
        var declared: [Route.Shape: Route] = [:]
        for route in routes {
            guard let other = declared.updateValue(route, forKey: Route.Shape(route)) else { continue }
            let both = route.segments.pattern == other.segments.pattern ? "" : " and \(route.description)"
            note(
                "Two routes match \(other.description)\(both): one is declared at \(other.source), the other at "
                    + "\(route.source). Remove one, or give it another path or method."
            )
        }
    }
}

extension [RouteSegment] {
    /// The names of the parameters, and their types.
    fileprivate var parameters: [(name: String, type: any Any.Type)] {
        compactMap { if case .parameter(let one) = $0 { (one.name, one.kind.type) } else { nil } }
    }
}

/// A responder that stands around the handler of a `GET`, as of a live page, inside of the route's own middleware.
struct RouteWrapper {
    /// The place of its declaration.
    let source: SourceLocation
    /// Puts the responder around that of the route.
    let around: (any Responder) -> any Responder
}

extension Route {
    /// The same route with a responder around its handler.
    func wrapped(by wrapper: RouteWrapper, behind middleware: [any Middleware], _ context: ResponseContext) -> Route {
        let endpoint = wrapper.around(endpoint)
        return Route(
            leaf: Leaf(
                method: leaf.method, responder: middleware.around(endpoint, in: context), scope: leaf.scope,
                name: leaf.name, pattern: leaf.pattern, isLive: true),
            endpoint: endpoint, segments: segments, middleware: self.middleware, source: source)
    }
}
