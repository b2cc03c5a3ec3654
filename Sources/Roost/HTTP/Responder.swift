/// Responds to requests: the one contract between the server, which knows no routes, and the web framework, which knows
/// no sockets. A router, a middleware with what follows it, and a route's function are all responders.
///
/// It has two faces. The server first asks for a response without waiting, which costs no task, and only where that is
/// not to be had for one with waiting.
public protocol Responder: Sendable {
    /// Responds to one request.
    ///
    /// It runs on the event loop of the request's connection, and after a suspension resumes there. An error that it
    /// throws becomes an error response (see ``HTTPError``).
    ///
    /// Its task is cancelled when the connection is reset, and when the client only closes its side if the request has
    /// asked for that (``Request/cancelWhenClientLeaves()``); what it then throws or returns is dropped.
    func respond(to request: Request) async throws -> Response

    /// Responds to one request without waiting, or says who responds to it with waiting.
    ///
    /// The default says that this responder does. Nobody needs to know better but routers, middleware and functions
    /// that never wait.
    /// - Parameter request: What is changed of it is seen by whoever responds with waiting, and by the middleware that
    ///   has handed it on.
    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse
}

/// What a responder can say without waiting.
public enum ImmediateResponse: ~Copyable, Sendable {
    /// The response.
    case ready(Response)
    /// Who responds to the request, by ``Responder/respond(to:)``.
    case waiting(any Responder)
}

extension Responder {
    /// Says that it takes waiting.
    public func respondWithoutWaiting(to request: inout Request) -> ImmediateResponse { .waiting(self) }

    /// Responds without waiting where that is possible, else with it.
    func respondEitherWay(to request: Request) async throws -> Response {
        var request = request
        switch try respondWithoutWaiting(to: &request) {
        case .ready(let response): return response
        case .waiting(let responder): return try await responder.respond(to: request)
        }
    }
}
