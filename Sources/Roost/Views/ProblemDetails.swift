/// An error for programs to read: `application/problem+json` (RFC 9457 §3).
///
/// ``ErrorPages`` turns every error into one, unless the application has its own format. Its members have these names
/// whatever the application's ``JSONCoder`` does, because the RFC defines them.
public struct ProblemDetails: Encodable, Sendable {
    /// A short summary of the problem: the name of its status, such as `Not Found` (RFC 9457 §3.1.3).
    public let title: String
    /// The status code.
    public let status: Int
    /// An explanation of this occurrence, for a person; nil when there is none (RFC 9457 §3.1.4).
    public let detail: String?
    /// The request's id, by which the log can be searched; nil for a request without one.
    public let requestID: String?
    /// The wrong parts of the body or of the query; nil when the error is not about parts.
    public let errors: [Part]?

    /// One wrong part.
    public struct Part: Encodable, Sendable {
        /// A URI fragment with a JSON pointer into the body, as in RFC 9457's own example: `#/name`; nil for a
        /// parameter.
        public let pointer: String?
        /// The name of a parameter of the query; nil for a part of the body.
        public let parameter: String?
        /// The fault, in a sentence for a person.
        public let detail: String
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case status
        case detail
        case requestID = "request_id"
        case errors
    }

    /// Creates the problem details of an error.
    /// - Parameter messages: The table that gives the title in the client's language (``Request/messages``).
    public init(_ error: HTTPError, requestID: String? = nil, messages: MessageTable = .english) {
        title = messages.title(of: error.status)
        status = error.status.code
        detail = error.message
        self.requestID = requestID
        errors = error.parts.isEmpty ? nil : error.parts.map(Part.init)
    }
}

extension ProblemDetails.Part {
    fileprivate init(_ part: HTTPError.Part) {
        // RFC 6901 §6
        pointer = part.isParameter ? nil : "#" + PercentEncoding.encodedPath(part.pointer)
        parameter = part.isParameter ? part.name : nil
        detail = part.message
    }
}

extension Response {
    /// A response with an error as problem details, and with the error's fields.
    ///
    /// Throwing the error within ``ErrorPages`` has the same effect. This is for code that chooses the format itself,
    /// such as an error format with exceptions.
    public static func problem(
        _ error: HTTPError, requestID: String? = nil, messages: MessageTable = .english
    ) -> Response {
        let details = ProblemDetails(error, requestID: requestID, messages: messages)
        // Texts and a number always have a form in JSON.
        let body = Body((try? JSONCoder().encode(details)) ?? [])
        var response = Response(error.status, headers: error.headers, body: body)
        response.headers[.contentType] = "application/problem+json"
        return response
    }
}
