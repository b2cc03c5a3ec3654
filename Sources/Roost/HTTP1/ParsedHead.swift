/// A head and what the protocol needs to know about it: where the body ends and whether the connection stays open.
struct ParsedHead: Sendable, BitwiseCopyable {
    var head: RequestHead
    var framing: Framing
    /// Whether the client may send another request on this connection (RFC 9112 §9.3).
    var persists: Bool
    /// Whether the client speaks HTTP/1.0, so that a response cannot be chunked.
    var isHTTP10: Bool
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue: Bool
}

/// The facts about a request that are needed to write its response, once its head has gone.
struct Exchange: Sendable {
    var method = KnownMethod.get
    var isHTTP10 = false
    /// Whether the client may send another request on this connection.
    var persists = true

    /// Whether the request was a `HEAD`, whose response has no body.
    var isHead: Bool { method == .head }
}

extension ParsedHead {
    /// The request with this head, which is in `bytes`.
    /// - Parameter notes: Those of its connection.
    func request(
        in bytes: MessageBytes, body: consuming Body, from peer: PeerAddress = .local,
        notes: RequestNotes = RequestNotes()
    ) -> Request {
        guard head.hasDotSegments else {
            return Request(head: head, bytes: bytes, body: body, peer: peer, notes: notes)
        }
        let (head, bytes) = DotSegments.resolved(head, in: bytes)
        return Request(head: head, bytes: bytes, body: body, peer: peer, notes: notes)
    }
}

extension Exchange {
    init(_ parsed: ParsedHead) {
        self.init(method: parsed.head.knownMethod, isHTTP10: parsed.isHTTP10, persists: parsed.persists)
    }
}

/// The framing of a request's body, by which its end is found (RFC 9112 §6.3).
enum Framing: Sendable, Equatable, BitwiseCopyable {
    case none
    case length(Int)
    case chunked
}
