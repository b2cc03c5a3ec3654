/// An error for programs to read: `application/problem+json` (RFC 9457 §3).
struct ProblemDetails: Encodable, Sendable {
    /// What the status code means.
    let title: String
    let status: Int
    /// What happened this time, for a person.
    let detail: String?
    /// What the log calls the request: its id.
    let requestID: String?
    /// Which parts of the body are wrong.
    let errors: [Part]?

    /// One wrong part.
    struct Part: Encodable, Sendable {
        /// A URI fragment with a JSON pointer, as in RFC 9457's own example: `#/name`.
        let pointer: String
        let detail: String?
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case status
        case detail
        case requestID = "request_id"
        case errors
    }
}
