/// Middleware in front of what follows it. A chain is built once, at start.
enum Chain {
    /// The responder itself when there is no middleware; otherwise the first middleware, followed by the rest.
    /// - Parameter context: What is needed to make the content of the middleware's responses.
    static func of(
        _ middleware: [any Middleware], _ last: any Responder, _ context: ResponseContext
    ) -> any Responder {
        var next = last
        var immediate: [any ImmediateMiddleware] = []
        func linkImmediate() {
            if !immediate.isEmpty { next = ImmediateChain(immediate.reversed(), next, context) }
            immediate = []
        }
        for middleware in middleware.reversed() {
            if let one = middleware as? any ImmediateMiddleware {
                immediate.append(one)
                continue
            }
            linkImmediate()
            if let linked = middleware as? any LinkedMiddleware {
                next = linked.link(to: next)
                continue
            }
            let sessions = middleware as? Sessions
            next = sessions.map { SessionsLink($0, next) } ?? WaitingLink(middleware, next, context)
        }
        linkImmediate()
        return next
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
