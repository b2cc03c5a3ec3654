public import HTTPTypes
import Synchronization

/// A request as a value: what the client sent, and what the code on its way has learnt about it.
///
/// It holds the bytes that were received, and makes a `String` from a part only when that is read. A middleware that
/// learns something sets a typed value (``subscript(_:)``) on its own copy and passes that on.
///
/// It is one reference, copied on write, because it is often handed on and seldom changed.
public struct Request: Sendable {
    private var storage: Storage

    /// `@unchecked Sendable`: written only by the one request that refers to it, and by the router, which sets the
    /// captures before anything else has the request.
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) var head: RequestHead
        @exclusivity(unchecked) var bytes: MessageBytes
        let peer: PeerAddress
        /// The client as trusted proxies describe it; nil when the peer is not one.
        @exclusivity(unchecked) var forwarded: ForwardedClient?
        /// The method if it is not the head's.
        @exclusivity(unchecked) var method: HTTPRequest.Method?
        @exclusivity(unchecked) var body: Body
        @exclusivity(unchecked) var captures = PathCaptures()
        @exclusivity(unchecked) var values = RequestValues()
        /// The word of an ``Accept``, once it has been read; 0 before. The head never changes, so everyone who reads it
        /// makes the same word.
        let accept = Atomic<UInt64>(0)
        @exclusivity(unchecked) var client: (any RequestClient)?
        let notes: RequestNotes
        /// The number of this request among those that share the notes.
        let number: UInt64

        init(
            head: RequestHead, bytes: MessageBytes, body: consuming Body, peer: PeerAddress, notes: RequestNotes,
            number: UInt64
        ) {
            self.notes = notes
            self.number = number
            self.head = head
            self.bytes = bytes
            self.body = body
            self.peer = peer
        }

        func copy() -> Storage {
            let copy = Storage(head: head, bytes: bytes, body: body, peer: peer, notes: notes, number: number)
            copy.forwarded = forwarded
            copy.method = method
            copy.captures = captures
            copy.values = values
            copy.accept.store(accept.load(ordering: .relaxed), ordering: .relaxed)
            copy.client = client
            return copy
        }
    }

    init(
        head: RequestHead, bytes: MessageBytes, body: consuming Body, peer: PeerAddress,
        notes: RequestNotes = RequestNotes()
    ) {
        storage = Storage(head: head, bytes: bytes, body: body, peer: peer, notes: notes, number: notes.number)
    }

    /// The facts learnt about the request on its way, which all copies share.
    var notes: OwnNotes { OwnNotes(notes: storage.notes, number: storage.number) }

    /// Moves what is in a connection's buffer, or the loop's, into memory of its own, no larger than needed: a request
    /// that is about to wait, and may last, would otherwise keep all of that buffer.
    /// - Parameter memory: The budget in which the memory counts, unless it is small; nil does not count it.
    mutating func moveOut(of shared: MessageBytes, _ memory: MemoryBudget? = nil) {
        let bodyRange = body.range(in: shared)
        guard bytes === shared else {
            // The head has moved already, when its path was resolved.
            let isCounted = bytes.lease != nil || bytes.count > MemoryBudget.uncounted
            if memory != nil, isCounted, bytes.lease === shared.lease {
                own().bytes = Self.copy(bytes.slice(ByteRange(0, bytes.count)), memory)
            }
            if let bodyRange { body = Body(received: Self.copy(shared.slice(bodyRange), memory), bodyRange.first()) }
            return
        }
        let storage = own()
        let head = head
        let end = max(head.end, Int(bodyRange?.end ?? 0))
        let own = Self.copy(shared.slice(ByteRange(head.start, end)), memory)
        storage.head = head.first()
        storage.bytes = own
        if let bodyRange { storage.body = Body(received: own, bodyRange.moved(by: -head.start)) }
        if storage.captures.count > 0 { storage.captures = storage.captures.moved(by: -head.start) }
    }

    private static func copy(_ bytes: UnsafeBufferPointer<UInt8>, _ memory: MemoryBudget?) -> MessageBytes {
        let counted = bytes.count > MemoryBudget.uncounted ? memory : nil
        return MessageBytes(copying: bytes, lease: counted.map { MemoryLease(bytes.count, of: $0) })
    }

    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        return storage
    }

    var head: RequestHead { storage.head }

    /// The bytes that hold the head.
    var bytes: MessageBytes { storage.bytes }

    /// The method, for code that only looks for certain ones.
    var knownMethod: KnownMethod { storage.method.map(KnownMethod.init) ?? storage.head.knownMethod }

    /// The method, case-sensitive (RFC 9110 §9.1).
    public var method: HTTPRequest.Method {
        get { storage.method ?? head.method(in: bytes) }
        set { own().method = newValue }
    }

    /// The content; see ``Body``.
    public var body: Body {
        get { storage.body }
        set { own().body = newValue }
    }

    /// The client that sent it; nil when no task is needed to respond.
    var client: (any RequestClient)? {
        get { storage.client }
        set { own().client = newValue }
    }

    /// The length of the body in bytes when it is in memory.
    var bodyCountInMemory: Int? { storage.body.countInMemory }

    /// The parameters that the router found in the path.
    var captures: PathCaptures { storage.captures }

    /// Stores what the router found, in place: nothing else has the request yet.
    func setCaptures(_ captures: PathCaptures) { storage.captures = captures }

    /// The header fields.
    public var headers: Headers { Headers(received: receivedFields) }

    /// The header fields as they were received.
    var receivedFields: ReceivedFields {
        ReceivedFields(bytes: bytes, range: head.fields, nameLengths: head.nameLengths)
    }

    /// The stored word of an ``Accept``; nil until there is one.
    var acceptWord: UInt64? {
        let word = storage.accept.load(ordering: .relaxed)
        return word == 0 ? nil : word
    }

    /// Stores the word of an ``Accept`` for later reads.
    func keep(acceptWord word: UInt64) { storage.accept.store(word, ordering: .relaxed) }

    /// The request target as it was received, for logs (RFC 9112 §3.2).
    public var target: String { bytes.text(head.target) }

    /// The path, percent-decoded and without dot segments: `/users/3`; `*` for an `OPTIONS` about the server itself.
    ///
    /// An encoded slash is decoded here, but does not separate segments in routing.
    public var path: String {
        if head.path.isEmpty { return "*" }
        let path = bytes.slice(head.path)
        guard head.pathIsEncoded else { return String(decoding: path, as: UTF8.self) }
        return PercentEncoding.decodedText(path)
    }

    /// Whether a segment of the path has a slash that is encoded (`%2F`).
    var hasEncodedSlash: Bool {
        guard head.pathIsEncoded else { return false }
        let slash = UInt8(ascii: "/")
        return bytes.slice(head.path).count { $0 == slash } != path.utf8.count { $0 == slash }
    }

    /// The text of one captured path segment, percent-decoded.
    func capture(_ index: Int) -> String {
        let segment = bytes.slice(captures[index])
        return head.pathIsEncoded ? PercentEncoding.decodedText(segment) : String(decoding: segment, as: UTF8.self)
    }

    /// The parameters after the question mark, at most the first ``Form/maximumFields``. What is not UTF-8 in them
    /// becomes U+FFFD; `decodeQuery` refuses it.
    public var query: Form {
        head.query.map { Form(urlEncoded: bytes.slice($0)) } ?? Form()
    }

    /// Whether the method is one whose requests change nothing: `GET`, `HEAD`, `OPTIONS` or `QUERY`
    /// (RFC 9110 §9.2.1).
    public var isSafe: Bool { knownMethod.isSafe }

    /// The query as it was received, without the question mark; nil without one.
    public var queryString: String? { head.query.map(bytes.text) }

    /// The host that the request is for, with the port if there is one (RFC 9110 §7.2): the one that a trusted proxy
    /// reports, otherwise the request's own.
    public var authority: String { storage.forwarded?.authority ?? bytes.text(head.authority) }

    /// The request's own authority; nil where that of a trusted proxy counts.
    var ownAuthority: UnsafeBufferPointer<UInt8>? { forwarded == nil ? bytes.slice(head.authority) : nil }

    /// The address that the request's connection comes from: the client's, or that of a proxy in front of the server.
    /// ``clientAddress`` tells them apart.
    public var peer: PeerAddress { storage.peer }

    /// The client as trusted proxies describe it; nil when the peer is not one.
    var forwarded: ForwardedClient? { storage.forwarded }

    /// Reads the client as trusted proxies describe it, and keeps it; nothing else has the request yet.
    func readForwarded(trusting proxies: TrustedProxies) -> ForwardedClient {
        let forwarded = ForwardedClient(receivedFields, from: peer, trusting: proxies)
        storage.forwarded = forwarded
        return forwarded
    }

    /// Takes over what a trusted proxy has said about the client of another request.
    mutating func takeForwarded(of other: Request) { own().forwarded = other.storage.forwarded }

    /// A typed value that middleware has set; nil when there is none.
    ///
    ///     enum CurrentUser: RequestKey { typealias Value = User }
    ///     request[CurrentUser.self] = user
    public subscript<Key: RequestKey>(key: Key.Type) -> Key.Value? {
        get { storage.values.value(of: key) }
        set { own().values.set(newValue, of: key) }
    }
}

extension Request {
    /// The response when its path is known, but not for its method: `OPTIONS` gets the methods, any other method gets
    /// 405 with them (RFC 9110 §9.3.7, §15.5.6).
    func responseToOtherMethod(allowed methods: String) throws(HTTPError) -> Response {
        if method == .options { return Response(.noContent, headers: [.allow: methods]) }
        let message = Sentence(
            "{method} is not allowed here; these methods are: {methods}.",
            ["method": method.rawValue, "methods": methods])
        throw HTTPError(.methodNotAllowed, message, headers: [.allow: methods])
    }
}
