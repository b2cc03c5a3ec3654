public import HTTPTypes

/// An error that is a response: throw it anywhere while handling a request.
///
///     throw HTTPError(.notFound)
///     throw HTTPError(.conflict, "A user with this name exists.")
public struct HTTPError: Error, Sendable {
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// One sentence for the client; nil shows the status alone.
    public var message: String?
    /// Fields that the response carries, such as `Allow` or `Retry-After`.
    public var headers: Headers
    /// Which part of the body is wrong, as a JSON pointer (RFC 6901): `/name`; nil when it is not about one part.
    public var pointer: String?

    /// An error with a status of 400 or above, and one sentence that the client may read.
    public init(_ status: HTTPResponse.Status, _ message: String? = nil, headers: Headers = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    /// An error about one part of the body.
    public init(_ status: HTTPResponse.Status, at pointer: String, _ message: String) {
        self.init(status, message)
        self.pointer = pointer
    }
}

extension HTTPError: CustomStringConvertible {
    /// The status and the message, as shown in a log.
    public var description: String {
        message.map { "\(status): \($0)" } ?? "\(status)"
    }
}

extension Response {
    /// What the client gets for an error that nothing has made a page for: its status.
    init(_ error: any Error) {
        let known = HTTPError(error)
        self.init(known?.status ?? .internalServerError, headers: known?.headers ?? [:])
    }
}
