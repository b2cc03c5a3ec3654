/// Code that runs around every request: before it is handled, after it, or instead.
///
///     struct Timing: Middleware {
///         func respond(to request: Request, next: Next) async throws -> Response {
///             let start = ContinuousClock.now
///             var response = try await next(request)
///             let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
///             response.headers["Server-Timing"] = "total;dur=\(milliseconds)"
///             return response
///         }
///     }
///
/// Add it to the standard middleware of an application, or to a group of routes:
///
///     try Application(middleware: Application.standardMiddleware() + [Timing()]) { routes in … }
///
/// It may wait, and therefore costs each request a task. Middleware that never waits should be a ``Filter``.
public protocol Middleware: Sendable {
    /// Responds to a request, usually by calling `next` and returning its response, perhaps changed.
    ///
    /// An error that `next` throws passes through unless it is caught; ``ErrorPages`` turns it into a response.
    func respond(to request: Request, next: Next) async throws -> Response
}

/// The rest of the chain: the remaining middleware, then the router.
public struct Next: Sendable {
    let responder: any Responder
    let context: ResponseContext

    /// Responds to the request with the rest of the chain.
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await responder.respond(to: request)
    }
}

extension [any Middleware] {
    /// The last responder with this middleware around it, the outermost first: filters that follow each other as one
    /// chain, and each of the others by itself. It is composed once, at start.
    /// - Parameter context: The context in which the content of the middleware's responses is made.
    func around(_ last: any Responder, in context: ResponseContext) -> any Responder {
        var next = last
        var filters: [any Filter] = []
        for middleware in reversed() {
            if let filter = middleware as? any Filter {
                filters.insert(filter, at: 0)
                continue
            }
            if !filters.isEmpty { next = FilterChain(filters, next, context) }
            filters = []
            next = WaitingMiddleware(middleware, Next(responder: next, context: context))
        }
        return filters.isEmpty ? next : FilterChain(filters, next, context)
    }
}

/// A middleware that may wait, and what follows it.
private final class WaitingMiddleware: Responder {
    private let middleware: any Middleware
    private let next: Next

    init(_ middleware: any Middleware, _ next: Next) {
        self.middleware = middleware
        self.next = next
    }

    func respond(to request: Request) async throws -> Response {
        try await middleware.respond(to: request, next: next).makingContent(for: request, in: next.context)
    }
}
