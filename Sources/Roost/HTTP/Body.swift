import HTTPTypes

/// The content of a message (RFC 9110 §6.4): nothing, text, bytes, or a stream of them.
///
/// By default, a handler gets the whole body in memory, up to the size that its route allows; only a route with
/// `body: .streamed` gets a stream.
public struct Body: Sendable {
    /// The source of a streamed body: an asynchronous sequence of byte arrays, none of them empty.
    public typealias Stream = AsyncSequence<[UInt8], any Error> & Sendable

    /// Each case holds one or two references, because a body is handed on more often than it is read.
    enum Storage: Sendable {
        case empty
        case text(String)
        case bytes([UInt8])
        case received(MessageBytes, ByteRange)
        case collected(CollectedBytes)
        case stream(StreamReference)
        case file(FilePart)
        case deferred(any AnyObject & Sendable)
        case live(LiveBody)
        case upgrade(any AnyObject & Sendable)
    }

    let storage: Storage

    /// The length in bytes; nil for a stream whose length is not known.
    public let count: Int?

    /// Whether the bytes arrive over time.
    public let isStream: Bool

    /// Whether its content is not made yet, or not begun.
    let isDeferred: Bool

    /// Whether it must be collected before it can be decoded: a stream, or what its route has asked for as one, even if
    /// all of it has come with the head.
    let isUncollected: Bool

    /// Whether it is a file, which is sent as it is.
    var isFile: Bool { if case .file = storage { true } else { false } }

    private init(
        _ storage: Storage, count: Int?, isStream: Bool = false, isDeferred: Bool = false, isUncollected: Bool = false
    ) {
        self.storage = storage
        self.count = count
        self.isStream = isStream
        self.isDeferred = isDeferred
        self.isUncollected = isStream || isUncollected
    }

    /// No content.
    public init() { self.init(.empty, count: 0) }

    /// A text as UTF-8.
    public init(_ text: String) { self.init(.text(text), count: text.utf8.count) }

    /// Bytes as they are.
    public init(_ bytes: [UInt8]) { self.init(.bytes(bytes), count: bytes.count) }

    /// Bytes that arrive over time. If a length in bytes is given, the message states it; otherwise the body is sent in
    /// chunks (RFC 9112 §7.1). A negative length counts as unknown. The stream must be able to throw, such as an
    /// `AsyncThrowingStream<[UInt8], any Error>`; an `AsyncStream` does not fit.
    public init(stream: any Stream, length: Int? = nil) {
        self.init(.stream(StreamReference(stream)), count: length.flatMap { $0 < 0 ? nil : $0 }, isStream: true)
    }

    /// Bytes that arrive over time, and begin before the response is sent (``begun()``): so an error at their beginning
    /// has a response of its own.
    init(beginning stream: any Stream) {
        self.init(.stream(StreamReference(stream)), count: nil, isStream: true, isDeferred: true)
    }

    /// A file or a part of it, which the kernel copies to the socket.
    init(_ part: FilePart) { self.init(.file(part), count: part.range.count, isStream: true) }

    /// Bytes that are written while things happen. Nothing but a connection can take them: to any other code, this is a
    /// stream that cannot be read.
    init(live: LiveBody) { self.init(.live(live), count: nil, isStream: true) }

    /// Bytes that were received together with the head of their request.
    init(received bytes: MessageBytes, _ range: ByteRange) { self.init(.received(bytes, range), count: range.count) }

    /// Content that is not made yet; only the code that makes it knows what it is. Such a body is never sent.
    init(deferred content: some AnyObject & Sendable) {
        self.init(.deferred(content), count: nil, isDeferred: true)
    }

    /// A body without content that changes the connection's protocol; only the code that speaks it knows what it is.
    init(upgrade protocol: some AnyObject & Sendable) { self.init(.upgrade(`protocol`), count: 0) }

    /// The other protocol in which its connection goes on; nil for nearly every body.
    var upgrade: AnyObject? {
        guard case .upgrade(let `protocol`) = storage else { return nil }
        return `protocol`
    }

    /// The content that is not made yet.
    var deferred: AnyObject? {
        guard case .deferred(let content) = storage else { return nil }
        return content
    }

    /// Returns the range of the body in these bytes; nil if it was not received in them.
    func range(in bytes: MessageBytes) -> ByteRange? {
        guard case .received(let received, let range) = storage, received === bytes else { return nil }
        return range
    }

    /// The same body for a route that has asked for a stream: how much of it comes with the head is chance.
    var uncollected: Body {
        Body(storage, count: count, isStream: isStream, isDeferred: isDeferred, isUncollected: true)
    }

    /// - Throws: An error for a body that must be collected before it can be decoded.
    func requireCollected() throws { if isUncollected { throw BodyIsStream() } }

    /// The length in bytes of a body that is in memory.
    var countInMemory: Int? { isStream ? nil : count }

    /// The number of bytes that stay in memory until the body has been sent; nil for a stream that keeps none.
    var keptCount: Int? {
        if case .stream(let stream) = storage { return (stream.stream as? any KeepingStream)?.keptCount }
        return countInMemory
    }

    /// All bytes.
    /// - Throws: An error for a body that arrives over time. On a route with `body: .streamed`, also for a body that
    ///   came with the head, unless it is empty: read these with ``collect(upTo:)``. Middleware around such a route
    ///   must do so, too, although it can read a body that came with the head.
    public var bytes: [UInt8] {
        get throws {
            try requireCollected()
            return try bytesInMemory
        }
    }

    /// All bytes of a body that is in memory, also of one that its route has asked for as a stream.
    package var bytesInMemory: [UInt8] {
        get throws {
            switch storage {
            case .bytes(let bytes): return bytes
            case .collected(let collected): return collected.bytes
            default: return try withBytes { Array($0) }
            }
        }
    }

    /// All bytes as text; what is not UTF-8 becomes U+FFFD.
    /// - Throws: As ``bytes``.
    public var text: String {
        get throws {
            try requireCollected()
            if case .text(let text) = storage { return text }
            return try withBytes { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Reads a streamed body to its end; any other body is returned unchanged.
    /// - Parameter limit: The most bytes to hold in memory.
    /// - Throws: ``HTTPError`` with 413 for a body beyond the limit, or beyond what one client may ever have in memory
    ///   (``ServerConfiguration/maximumBufferedSize``), at once if the length is known; with 503 and `Retry-After` when
    ///   the clients together have no memory left for it; any error of the stream.
    public func collect(upTo limit: Int) async throws -> Body {
        let memory = memory
        let limit = Swift.min(limit, memory?.largest ?? .max)
        if let count, count > limit { throw HTTPError.contentTooLarge(limit) }
        guard let stream else { return Body(storage, count: count, isStream: isStream, isDeferred: isDeferred) }
        let lease = memory.map { MemoryLease(0, of: $0) }
        var bytes: [UInt8] = []
        for try await chunk in stream {
            guard chunk.count <= limit - bytes.count else { throw HTTPError.contentTooLarge(limit) }
            try lease?.grow(by: chunk.count)
            bytes += chunk
        }
        let storage: Storage = lease.map { .collected(CollectedBytes(bytes, $0)) } ?? .bytes(bytes)
        return Body(storage, count: bytes.count)
    }

    /// The budget in which what is kept of the stream counts; nil for bytes that no client sends.
    package var memory: MemoryBudget? { (stream as? any CountedStream)?.memory }

    var stream: (any Stream)? {
        switch storage {
        case .stream(let stream): stream.stream
        case .file(let part): part
        default: nil
        }
    }

    /// Appends some of the bytes of a body that is in memory.
    func append(_ range: Range<Int>, to output: ByteBuffer) {
        try? withBytes { output.append(UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Appends all bytes of a body that is in memory.
    @inline(__always)
    func append(to output: ByteBuffer) {
        switch storage {
        case .empty, .stream, .file, .deferred, .live, .upgrade: break
        case .text(let text): output.append(text)
        case .bytes(let bytes): output.append(bytes)
        case .collected(let collected): output.append(collected.bytes)
        case .received(let bytes, let range): output.append(bytes.slice(range))
        }
    }

    /// Lends the bytes without copying them.
    package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) throws -> R {
        switch storage {
        case .empty, .upgrade: return try body(UnsafeBufferPointer(start: nil, count: 0))
        case .bytes(let bytes): return try bytes.withUnsafeBufferPointer(body)
        case .collected(let collected): return try collected.bytes.withUnsafeBufferPointer(body)
        case .received(let bytes, let range): return try body(bytes.slice(range))
        case .text(var text): return try text.withUTF8(body)
        case .stream, .file, .live: throw BodyIsStream()
        case .deferred: throw BodyIsDeferred()
        }
    }
}

extension Body: ExpressibleByStringLiteral {
    /// The UTF-8 of a text.
    public init(stringLiteral text: String) { self.init(text) }
}

/// The key of the most bytes of a streamed body that are collected where its reader states no limit.
enum UsualBodyLimit: RequestKey { typealias Value = Int }

/// The error of code that wants the bytes of a body that comes over time.
struct BodyIsStream: Error, CustomStringConvertible {
    /// The error message, with what to do instead.
    var description: String { "The body is a stream: read it with `try await body.collect(upTo:)`." }
}

/// The error for asking a body whose content has not been made for its bytes.
struct BodyIsDeferred: Error, CustomStringConvertible {
    let description = "The content does not exist yet: it is made when the response leaves its handler or middleware."
}

extension HTTPError {
    package static func contentTooLarge(_ limit: Int) -> HTTPError {
        HTTPError(.contentTooLarge, Sentence.largestBody(limit))
    }
}

/// Bytes of a body that arrived over time, with their share of the memory budget.
final class CollectedBytes: Sendable {
    let bytes: [UInt8]
    private let lease: MemoryLease

    init(_ bytes: [UInt8], _ lease: MemoryLease) {
        self.bytes = bytes
        self.lease = lease
    }
}

/// A stream, held by one reference.
final class StreamReference: Sendable {
    let stream: any Body.Stream

    init(_ stream: any Body.Stream) { self.stream = stream }
}

/// A streamed body has ended before the length that was announced for it, or has not ended there. The other side
/// notices because the connection ends; the application's author reads it in the log.
package struct BodyLengthError: Error, CustomStringConvertible {
    let announced: Int
    let isLonger: Bool

    package var description: String {
        "the body is \(isLonger ? "longer" : "shorter") than the announced \(announced) bytes; "
            + "the connection was closed."
    }
}
