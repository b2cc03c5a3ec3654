/// Answers requests: the one contract between the server, which knows no routes, and the web framework, which knows no
/// sockets. A router, a middleware with what follows it, and a controller's action are all responders.
public protocol Responder: Sendable {
    /// Answers one request.
    ///
    /// It runs on the event loop of the request's connection, and after a suspension resumes there. An error that it
    /// throws becomes an error response (see ``HTTPError``).
    func respond(to request: Request) async throws -> Response
}
