/// An error of another layer, such as a database's, that knows what it means to a client.
///
/// Such a layer need not know controllers, nor they it: ``ErrorPages`` logs the error's own text and answers with
/// ``httpError``.
public protocol ResponseError: Error {
    /// What the client gets; nil for a fault of the application, which is a 500.
    var httpError: HTTPError? { get }
}

extension HTTPError {
    /// What a client gets for any error; nil for one that says nothing of it.
    init?(_ error: any Error) {
        if let known = error as? HTTPError {
            self = known
        } else if let known = (error as? any ResponseError)?.httpError {
            self = known
        } else {
            return nil
        }
    }
}
