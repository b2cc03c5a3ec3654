/// Code that runs around every request: before it is handled, after it, or instead.
///
///     struct Timing: Middleware {
///         func respond(to request: Request, next: Next) async throws -> Response {
///             let start = ContinuousClock.now
///             var response = try await next(request)
///             response.headers[.serverTiming] = "total;dur=\(ContinuousClock.now - start)"
///             return response
///         }
///     }
///
/// It may wait, and therefore costs each request a task. Middleware that never waits should be an
/// ``ImmediateMiddleware``.
public protocol Middleware: Sendable {
    /// Responds to a request, usually by calling `next` and looking at the response.
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
