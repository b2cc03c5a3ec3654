/// What a page shows about an error.
public struct ErrorPage: Encodable, Sendable {
    /// The status code: `404`.
    public let status: Int
    /// What the code means: `Not Found`.
    public let title: String
    /// What went wrong, for the visitor; nil when the title says it all.
    public let message: String?
    /// What the log calls the request.
    public let requestID: String?

    /// A page with these parts, for instance for a test.
    public init(status: Int, title: String, message: String? = nil, requestID: String? = nil) {
        self.status = status
        self.title = title
        self.message = message
        self.requestID = requestID
    }

    /// What is shown about an error.
    init(_ error: HTTPError, requestID: String?, _ table: MessageTable) {
        self.init(
            status: error.status.code, title: table.title(of: error.status), message: error.message,
            requestID: requestID)
    }
}
