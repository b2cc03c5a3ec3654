/// Middleware that never waits: plain functions that run before a request is handled, after it, or when it has failed.
///
///     struct Greeting: Filter {
///         func after(_ response: inout Response, to request: Request) {
///             response.headers[.server] = "hello"
///         }
///     }
///
/// Prefer it to ``Middleware`` when nothing has to be awaited: if the handler never waits either, the request costs no
/// task. Each function has a default that changes nothing.
///
/// A request whose client leaves before its handler begins is dropped: neither ``after(_:to:)`` nor
/// ``recover(from:in:)`` runs. So never let ``before(_:)`` acquire anything that they must release, such as one of a
/// limited number of places: use a ``Middleware`` for that.
public protocol Filter: Middleware {
    /// Runs first. Returns nil to go on, or a response to use instead: then neither the rest of the chain nor this
    /// filter's own ``after(_:to:)`` runs. The rest of the chain sees changes to the request.
    func before(_ request: inout Request) throws -> Response?

    /// Runs after the rest of the chain has responded, and may change the response.
    /// - Parameter request: The request, with the values set on it on its way.
    func after(_ response: inout Response, to request: Request) throws

    /// Runs after the rest of the chain has thrown: turns the error into a response, or throws it again. Errors of this
    /// filter's own functions are not passed to it.
    func recover(from error: any Error, in request: Request) throws -> Response
}

extension Filter {
    /// Lets the request pass.
    public func before(_ request: inout Request) throws -> Response? { nil }

    /// Lets the response pass.
    public func after(_ response: inout Response, to request: Request) throws {}

    /// Throws the error again.
    public func recover(from error: any Error, in request: Request) throws -> Response { throw error }

    /// Runs the three functions around `next`.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try await FilterChain([self], next.responder, next.context).respond(to: request)
    }
}
