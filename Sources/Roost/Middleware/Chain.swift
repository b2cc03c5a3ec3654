/// Middleware in front of what follows it. A chain is built once, at start.
enum Chain {
    /// The responder itself when there is no middleware; otherwise the first middleware, followed by the rest.
    /// - Parameter context: The context in which the content of the middleware's responses is made.
    static func of(
        _ middleware: [any Middleware], _ last: any Responder, _ context: ResponseContext
    ) -> any Responder {
        var next = last
        /// The outermost of the steps in front of `next`, if there are some.
        var outermost: (any ImmediateStep)?
        for middleware in middleware.reversed() {
            if let immediate = middleware as? any ImmediateMiddleware {
                outermost = step(immediate, outermost ?? ImmediateEnd(next), context)
            } else if let sessions = middleware as? Sessions {
                outermost = SessionsStep(sessions, outermost ?? ImmediateEnd(next))
            } else {
                if let first = outermost.take() { next = ImmediateChain(first) }
                let linked = middleware as? any LinkedMiddleware
                next = linked?.link(to: next) ?? WaitingLink(middleware, next, context)
            }
        }
        return outermost.map(ImmediateChain.init) ?? next
    }

    private static func step(
        _ middleware: some ImmediateMiddleware, _ inner: any ImmediateStep, _ context: ResponseContext
    ) -> any ImmediateStep {
        ImmediateLink(middleware, inner, context)
    }
}

/// A middleware that may wait, and what follows it.
final class WaitingLink: Responder {
    private let middleware: any Middleware
    private let next: Next
    private let context: ResponseContext

    init(_ middleware: any Middleware, _ next: any Responder, _ context: ResponseContext) {
        self.middleware = middleware
        self.next = Next(responder: next, context: context)
        self.context = context
    }

    func respond(to request: Request) async throws -> Response {
        try await middleware.respond(to: request, next: next).completed(for: request, in: context)
    }
}
