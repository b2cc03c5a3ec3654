/// Responds to requests: the one contract between the server, which knows no routes, and the web framework, which knows
/// no sockets. A router, a middleware with what follows it, and a route's function are all responders.
///
/// Two functions respond. The server first asks for a response without waiting, which costs no task. Only when there is
/// none does it ask for a response that may wait.
public protocol Responder: Sendable {
    /// Responds to one request.
    ///
    /// It runs on the event loop of the request's connection, and resumes there after a suspension. An error that it
    /// throws becomes an error response (see ``HTTPError``).
    ///
    /// Its task is cancelled when the connection is reset. After ``Request/cancelWhenClientLeaves()``, it is also
    /// cancelled when the client closes only its sending side. What it then throws or returns is dropped.
    func respond(to request: Request) async throws -> Response

    /// Responds to one request without waiting, or names the responder that may wait.
    ///
    /// The default implementation names this responder. Only routers, middleware and functions that never wait need
    /// their own.
    /// - Parameter request: Changes to it are seen by the responder that waits, and by the middleware that has passed
    ///   it on.
    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse

    /// Is called when the server enters another phase, but not on a responder inside another one, such as a fallback.
    /// By default, this does nothing.
    func serverChanged(to phase: ServerPhase)
}

/// The result of asking a responder not to wait: its response, or the responder that must wait for it.
public enum ImmediateResponse: ~Copyable, Sendable {
    /// The response.
    case ready(Response)
    /// The responder to call with ``Responder/respond(to:)``.
    case waiting(any Responder)
}

extension Responder {
    /// Returns the responder itself, as the one that may wait.
    public func respondWithoutWaiting(to request: inout Request) -> ImmediateResponse { .waiting(self) }

    /// Does nothing.
    public func serverChanged(to phase: ServerPhase) {}

    /// Responds without waiting when that is possible, otherwise with waiting.
    func respondEitherWay(to request: Request) async throws -> Response {
        var request = request
        switch try respondWithoutWaiting(to: &request) {
        case .ready(let response): return response
        case .waiting(let responder): return try await responder.respond(to: request)
        }
    }
}

/// A responder of one function, which may wait.
struct WaitingResponder: Responder {
    private let body: @Sendable (Request) async throws -> Response

    init(_ body: @escaping @Sendable (Request) async throws -> Response) { self.body = body }

    func respond(to request: Request) async throws -> Response { try await body(request) }
}

/// The phase of a server's life, from the start of its first service to the end of its last connection.
public enum ServerPhase: UInt8, Sendable {
    /// Services start, or nothing listens yet.
    case starting
    /// The server accepts connections.
    case serving
    /// A signal has come: no more work is wanted.
    case draining
}
