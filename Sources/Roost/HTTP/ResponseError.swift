/// An error of another layer, such as a database's, that knows what it means to a client.
///
/// Such a layer and the controllers need not know each other: ``ErrorPages`` logs the error's own text and responds
/// with ``httpError``.
public protocol ResponseError: Error {
    /// The error that the client gets; nil for a fault of the application, which is a 500.
    var httpError: HTTPError? { get }
}

extension HTTPError {
    /// The error that a client gets for any error: the error itself, or what a ``ResponseError`` says. Nil for an error
    /// that says nothing about it, which is a 500.
    public init?(converting error: any Error) {
        if let known = error as? HTTPError {
            self = known
        } else if let known = (error as? any ResponseError)?.httpError {
            self = known
        } else {
            return nil
        }
    }
}

extension Error {
    /// Whether this is how a cancelled task ends: nobody is left to respond to. A `CancellationError` of a task that is
    /// not cancelled, such as that of a child task which the handler itself has cancelled, is an error like any other.
    var endsCancelledTask: Bool { self is CancellationError && Task.isCancelled }
}
