import HTTPTypes

/// A request's head, parsed: the places of its parts in the received bytes. It is all numbers, so that it is handed on
/// without counting references; reading it takes the bytes.
struct RequestHead: Sendable, BitwiseCopyable {
    let knownMethod: KnownMethod
    /// Whether the client speaks HTTP/1.0, whose connections cannot change their protocol (RFC 9110 §7.8).
    let isHTTP10: Bool
    /// The method's token: where the head begins.
    var methodName: ByteRange
    /// The request target as it was received (RFC 9112 §3.2).
    var target: ByteRange
    /// The path, still percent-encoded; empty for the asterisk form.
    var path: ByteRange
    /// The part after the question mark; nil without one.
    var query: ByteRange?
    /// Whether the path has a percent sign, so that segments must be decoded to be compared.
    var pathIsEncoded: Bool
    /// Whether the path has dot segments, which are removed before anything else reads it.
    var hasDotSegments: Bool
    /// The field lines.
    var fields: ByteRange
    /// The authority that the request is for (RFC 9110 §7.2): from an absolute-form target, otherwise from `Host`.
    var authority: ByteRange

    func method(in bytes: MessageBytes) -> HTTPRequest.Method {
        knownMethod.method ?? HTTPRequest.Method(bytes.text(methodName)) ?? .get
    }

    /// The offset of the head's first byte.
    var start: Int { Int(methodName.start) }

    /// The offset after the head's last byte; a path whose dot segments were resolved comes after the fields.
    var end: Int { Int(max(fields.end, path.end)) }

    /// This head, when it is the first thing in its bytes.
    func first() -> RequestHead {
        var head = self
        head.methodName = methodName.moved(by: -start)
        head.target = target.moved(by: -start)
        if !path.isEmpty { head.path = path.moved(by: -start) }
        head.query = query?.moved(by: -start)
        head.fields = fields.moved(by: -start)
        if !authority.isEmpty { head.authority = authority.moved(by: -start) }
        return head
    }
}
