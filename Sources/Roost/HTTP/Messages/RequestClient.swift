/// The client of a request, as far as whoever answers may have to do with it.
protocol RequestClient: Sendable {
    /// From now on the answer ends when the client leaves.
    func cancelWhenItLeaves()
}

extension Request {
    /// Has the task that answers this request cancelled when the client leaves: when it closes its connection, or only
    /// its sending side.
    ///
    ///     routes.get(Path("/next")) { request in
    ///         request.cancelWhenClientLeaves()
    ///         return try await messages.next()  // nobody has to wait for one that nobody would read
    ///     }
    ///
    /// Without it a client may close its sending side and still get its response. One that closes everything looks the
    /// same until something is sent to it, so that the task runs to its end. With it, and always when the response is
    /// an event stream (`text/event-stream`), the end of what the client sends is the end: the task is cancelled and
    /// the connection closed, within a second. When a connection is reset, its task is cancelled in any case.
    ///
    /// A request that has not come over a connection, as in a test of one function, has no client that could leave.
    public func cancelWhenClientLeaves() { client?.cancelWhenItLeaves() }
}
