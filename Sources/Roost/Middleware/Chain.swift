/// Middleware in front of what follows it. A chain is built once, at start.
enum Chain {
    /// The responder itself when there is no middleware; else the first one, with the others behind it.
    static func of(_ middleware: [any Middleware], _ last: any Responder) -> any Responder {
        middleware.reversed().reduce(last) { next, middleware in
            switch middleware {
            case let sessions as Sessions: SessionsLink(sessions, next)
            case let immediate as any ImmediateMiddleware: link(immediate, next)
            default: WaitingLink(middleware, next)
            }
        }
    }

    private static func link<Middleware: ImmediateMiddleware>(
        _ middleware: Middleware, _ next: any Responder
    ) -> any Responder {
        ImmediateLink(middleware, next)
    }
}

/// A middleware that may wait, and what follows it.
final class WaitingLink: Responder {
    private let middleware: any Middleware
    private let next: Next

    init(_ middleware: any Middleware, _ next: any Responder) {
        self.middleware = middleware
        self.next = Next(responder: next)
    }

    func respond(to request: Request) async throws -> Response {
        try await middleware.respond(to: request, next: next)
    }
}
