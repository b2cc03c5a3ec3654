/// An error as programs read it: `application/problem+json` (RFC 9457 §3).
struct ProblemDetails: Encodable, Sendable {
    /// What the status code means.
    let title: String
    let status: Int
    /// This occurrence, for a person.
    let detail: String?
    /// What the log calls the request.
    let requestID: String?

    private enum CodingKeys: String, CodingKey {
        case title
        case status
        case detail
        case requestID = "request_id"
    }
}
