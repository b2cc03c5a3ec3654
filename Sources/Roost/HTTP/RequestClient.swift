/// The client of a request, as far as the code that responds has to do with it.
protocol RequestClient: Sendable {
    /// Cancels the response when the client leaves from now on.
    func cancelWhenItLeaves()
}

extension Request {
    /// Cancels the task that responds to this request when the client leaves: when it closes its connection, or only
    /// its sending side.
    ///
    ///     routes.get(Path("/next")) { request in
    ///         request.cancelWhenClientLeaves()
    ///         return try await messages.next()  // nobody has to wait for one that nobody would read
    ///     }
    ///
    /// Call it in handlers that wait for long. Without it, a client may close its sending side and still get its
    /// response. A client that closes everything looks the same until something is sent to it, so the task runs to its
    /// end. With it, and always in an event stream (`Response.events`), the task is cancelled and
    /// the connection closed within a second after the client has stopped sending. When a connection is reset, its task
    /// is cancelled in any case.
    ///
    /// A request that did not come over a connection, as in a test of one function, has no client that could leave;
    /// then this does nothing.
    public func cancelWhenClientLeaves() { client?.cancelWhenItLeaves() }
}
