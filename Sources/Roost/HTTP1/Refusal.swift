import HTTPTypes

/// The content of a response to what has not become a request: problem details (RFC 9457 §3), as those of other errors.
///
/// Nothing is known of what such a client accepts, so it gets what a program reads. The sentence is one of the
/// framework's own, without a quotation mark or a backslash; no byte of the client's is in it.
package enum Refusal {
    /// The media type (RFC 9457 §3).
    package static let contentType = "application/problem+json"

    /// The content for a status and the sentence that explains it.
    package static func text(_ status: HTTPResponse.Status, _ reason: String) -> String {
        "{\"title\":\"\(status.reasonPhrase)\",\"status\":\(status.code),\"detail\":\"\(reason)\"}"
    }
}
