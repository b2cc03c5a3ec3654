/// Answers requests: the one contract between the server, which knows no routes, and the web framework, which knows no
/// sockets. A router, a middleware with what follows it, and a controller's action are all responders.
public protocol Responder: Sendable {
    /// Answers one request.
    ///
    /// It runs on the event loop of the request's connection, and after a suspension resumes there. An error that it
    /// throws becomes an error response (see ``HTTPError``).
    ///
    /// Its task is cancelled when the connection is reset, and when the client only closes its side if the request has
    /// asked for that (``Request/cancelWhenClientLeaves()``); what it then throws or returns is dropped.
    func respond(to request: Request) async throws -> Response

    /// Answers one request without waiting, or says who will answer it with waiting.
    ///
    /// The server asks this first: an answer that is ready at once costs no task. The default is `.later(self)`, and
    /// nobody needs to know better but routers and functions that never wait.
    func answer(to request: Request) throws -> Answer
}

/// What a responder can say at once.
public enum Answer: ~Copyable, Sendable {
    /// The response.
    case response(Response)
    /// Who answers the request, by ``Responder/respond(to:)``.
    case later(any Responder)
}

extension Responder {
    /// Later, by itself.
    public func answer(to request: Request) -> Answer { .later(self) }
}
