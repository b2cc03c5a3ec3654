/// Middleware that never waits: plain functions that run before a request is answered, after, or when that has failed.
///
///     struct Greeting: ImmediateMiddleware {
///         func after(_ response: inout Response, to request: Request) {
///             response.headers[.server] = "hello"
///         }
///     }
///
/// In front of a handler that never waits either it costs no task. Each function has a default that changes nothing.
public protocol ImmediateMiddleware: Middleware {
    /// Runs first. It may change the request, which what follows gets, or respond itself: then what follows does not
    /// run, nor does its own ``after(_:to:)``.
    func before(_ request: inout Request) throws -> Response?

    /// Runs when what follows has responded, and may change the response.
    /// - Parameter request: The request, with what was set on it on its way.
    func after(_ response: inout Response, to request: Request) throws

    /// Runs when what follows has thrown: makes a response of the error, or throws it on.
    func recover(from error: any Error, in request: Request) throws -> Response
}

extension ImmediateMiddleware {
    /// Lets the request pass.
    public func before(_ request: inout Request) throws -> Response? { nil }

    /// Lets the response pass.
    public func after(_ response: inout Response, to request: Request) throws {}

    /// Throws the error on.
    public func recover(from error: any Error, in request: Request) throws -> Response { throw error }

    /// The three functions around `next`.
    public func respond(to request: Request, next: Next) async throws -> Response {
        try await ImmediateLink(self, next.responder, next.context).respondEitherWay(to: request)
    }
}
