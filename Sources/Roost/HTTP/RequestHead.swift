import HTTPTypes

/// A request's head, parsed: the places of its parts in the received bytes, and what it says about the connection. It
/// is all numbers, so that it is handed on without counting references; reading it takes the bytes.
struct RequestHead: Sendable, BitwiseCopyable {
    /// The facts on which the response depends.
    var exchange = Exchange()
    /// Whether the path has a percent sign, so that segments must be decoded to be compared.
    var pathIsEncoded = false
    /// Whether the path has dot segments, which are removed before anything else reads it.
    var hasDotSegments = false
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue = false
    /// The method's token: where the head begins.
    var methodName = ByteRange(0, 0)
    /// The request target as it was received (RFC 9112 §3.2).
    var target = ByteRange(0, 0)
    /// The path, still percent-encoded; empty for the asterisk form.
    var path = ByteRange(0, 0)
    /// The part after the question mark; nil without one.
    var query: ByteRange?
    /// The field lines.
    var fields = ByteRange(0, 0)
    /// The lengths of their names.
    var nameLengths = NameLengths.all
    /// The authority that the request is for (RFC 9110 §7.2): from an absolute-form target, otherwise from `Host`.
    var authority = ByteRange(0, 0)
    /// The way in which the end of the body is found (RFC 9112 §6.3).
    var framing = Framing.none

    /// The framing of a request's body.
    enum Framing: Sendable, Equatable, BitwiseCopyable {
        case none
        case length(Int)
        case chunked
    }

    /// The facts that a connection must remember about a request until its response is written.
    struct Exchange: Sendable, BitwiseCopyable {
        var method = KnownMethod.get
        /// Whether the client speaks HTTP/1.0: a response cannot be chunked, and the connection cannot change its
        /// protocol (RFC 9110 §7.8).
        var isHTTP10 = false
        /// Whether the client may send another request on this connection (RFC 9112 §9.3).
        var persists = true

        /// Whether the request is a `HEAD`, whose response has no body.
        var isHead: Bool { method == .head }
    }

    var knownMethod: KnownMethod { exchange.method }

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

/// The limits of a request's head: the sizes of its parts, in bytes, and the number of its fields.
package struct HeadLimits: Sendable, Equatable {
    /// The maximum size of the request line, without its CRLF; a longer one gets 414.
    var requestLine = 8 * 1024
    /// The maximum size of all field lines together; more get 431.
    package var fields = 32 * 1024
    /// The maximum number of field lines; more get 431.
    var fieldCount = 100

    /// The maximum size of the whole head; one with more bytes is never complete.
    var head: Int { requestLine + 2 + fields + 2 }
}
