/// An error as an error page shows it.
public struct ErrorPage: Encodable, Sendable {
    /// The status code: `404`.
    public let status: Int
    /// The title of the status, in the visitor's language: `Not Found`.
    public let title: String
    /// The message to the visitor about what went wrong; nil when the title says it all.
    public let message: String?
    /// The request's id, by which the log can be searched; nil for a request without one.
    public let requestID: String?

    /// Creates a page with these parts, for instance for a test.
    public init(status: Int, title: String, message: String? = nil, requestID: String? = nil) {
        self.status = status
        self.title = title
        self.message = message
        self.requestID = requestID
    }

    /// Creates the page's values from an error, with the title from a table.
    init(_ error: HTTPError, requestID: String?, _ table: MessageTable) {
        self.init(
            status: error.status.code, title: table.title(of: error.status), message: error.message,
            requestID: requestID)
    }
}
