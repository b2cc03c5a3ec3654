/// A responder that stands around the handler of a `GET`, inside of the route's own middleware.
struct RouteWrapper {
    /// The word for the route that it makes, for messages: `live page`.
    let name: String
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
                name: leaf.name, pattern: leaf.pattern),
            endpoint: endpoint, segments: segments, middleware: self.middleware, source: source)
    }
}
