/// What happens around every request: before it is answered, after, or instead.
///
///     struct Greeting: Middleware {
///         func respond(to request: Request, next: Next) async throws -> Response {
///             var response = try await next(request)
///             response.headers[.server] = "hello"
///             return response
///         }
///     }
public protocol Middleware: Sendable {
    /// Answers a request, as a rule by asking `next` and looking at what comes back.
    ///
    /// An error that `next` throws passes through unless it is caught; ``ErrorPages`` turns it into a response.
    func respond(to request: Request, next: Next) async throws -> Response
}

/// The rest of the chain: the following middleware, and in the end the router.
public struct Next: Sendable {
    let responder: any Responder

    /// Answers the request with the rest of the chain.
    public func callAsFunction(_ request: Request) async throws -> Response {
        try await responder.respond(to: request)
    }
}

/// A middleware in front of what follows it. Chains are built once, at start.
struct Chain: Responder {
    private let middleware: any Middleware
    private let next: Next

    /// The responder itself when there is no middleware; else the first one, with the others behind it.
    static func of(_ middleware: [any Middleware], _ last: any Responder) -> any Responder {
        middleware.reversed().reduce(last) { next, middleware in
            Chain(middleware: middleware, next: Next(responder: next))
        }
    }

    func respond(to request: Request) async throws -> Response {
        try await middleware.respond(to: request, next: next)
    }
}
