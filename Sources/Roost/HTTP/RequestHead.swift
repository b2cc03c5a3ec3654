import HTTPTypes

/// What a request's head says, as places in the received bytes: what the parser returns.
struct RequestHead: Sendable {
    let bytes: MessageBytes
    let method: HTTPRequest.Method
    /// The request target as it came (RFC 9112 §3.2).
    var target: ByteRange
    /// The path, without its dot segments, still percent-encoded; empty for the asterisk form.
    var path: ByteRange
    /// Behind the question mark; nil without one.
    var query: ByteRange?
    /// Whether the path has a percent sign, so that segments must be decoded to be compared.
    var pathIsEncoded: Bool
    /// The field lines.
    var fields: ByteRange
    /// The authority that the request is for (RFC 9110 §7.2): of an absolute-form target, else of `Host`.
    var authority: ByteRange
}
