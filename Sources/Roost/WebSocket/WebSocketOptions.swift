/// The options of a WebSocket route: limits for its clients, and the times after which one is given up.
///
///     routes.webSocket(Path("/chat"), WebSocketOptions(subprotocols: ["chat.v2"])) { socket, request in … }
public struct WebSocketOptions: Sendable {
    /// The subprotocols that the route speaks (RFC 6455 §1.9). A client lists its own, the preferred one first; the
    /// first that is also in this list is chosen (``WebSocket/subprotocol``). If there is none, the client decides
    /// whether to go on.
    public var subprotocols: [String]
    /// The largest message in bytes, after decompression; a larger one ends the connection with
    /// ``WebSocketCloseCode/messageTooBig`` as soon as its size is known. A message that has begun must arrive as fast
    /// as a body (``ServerConfiguration/minimumBodyRate``), or the connection ends with
    /// ``WebSocketCloseCode/policyViolation``.
    public var maximumMessageSize: Int
    /// The origins of the pages that may connect.
    public var origins: Origins
    /// The compression of messages; nil leaves them as they are.
    public var compression: WebSocketCompression?
    /// The time without anything from the client after which it is sent a ping; nil sends none. The kernel notices a
    /// lost connection anyway (``ServerConfiguration/unreachableTimeout``).
    public var pingInterval: Duration?
    /// The maximum time after a ping for the client to send its pong, or anything else; then its connection is closed.
    public var pongTimeout: Duration
    /// The maximum time without a message from the client, after which the connection is closed with
    /// ``WebSocketCloseCode/goingAway``; nil, the default, means no limit.
    public var idleTimeout: Duration?

    /// The origins of the pages that may connect. A browser names the origin of its page; other programs usually name
    /// none, and may connect.
    public enum Origins: Sendable, Hashable {
        /// Only pages of the host that the request is for, decided as ``CrossOriginProtection`` does for requests that
        /// change something.
        case own
        /// Pages of these origins as well: `["https://app.example.com"]`. One that no browser sends stops the start.
        case ownAnd(Set<String>)
        /// Any page. The handler must not rely on cookies then, since browsers send them from any page.
        case any
    }

    /// Creates options; the defaults suit a page of the same site.
    public init(
        subprotocols: [String] = [],
        maximumMessageSize: Int = 1024 * 1024,
        origins: Origins = .own,
        compression: WebSocketCompression? = WebSocketCompression(),
        pingInterval: Duration? = .seconds(30),
        pongTimeout: Duration = .seconds(20),
        idleTimeout: Duration? = nil
    ) {
        self.subprotocols = subprotocols
        self.maximumMessageSize = maximumMessageSize
        self.origins = origins
        self.compression = compression
        self.pingInterval = pingInterval
        self.pongTimeout = pongTimeout
        self.idleTimeout = idleTimeout
    }
}

/// The compression of a WebSocket's messages, used if the client asks for it, as browsers do (RFC 7692).
///
/// By default each message is compressed by itself. Then an idle connection needs no memory for it, and the length of
/// one message tells nothing about another one, which could reveal a secret (the CRIME attack).
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether a message may refer to those before it. Small messages that resemble each other then become much
    /// smaller. It costs up to 320 KiB of memory per connection, which count as its client's
    /// (``ServerConfiguration/maximumBufferedSize``).
    public var keepsContext: Bool
    /// The base-2 logarithm of the window in bytes, 9 to 15: the distance over which data may refer back. Smaller
    /// windows need less memory.
    public var windowBits: Int
    /// The minimum length in bytes of a message that is compressed; smaller ones are sent as they are.
    public var threshold: Int

    /// Creates a compression; by default of each message by itself, from 1,024 bytes on.
    public init(keepsContext: Bool = false, windowBits: Int = 15, threshold: Int = 1024) {
        self.keepsContext = keepsContext
        self.windowBits = windowBits
        self.threshold = threshold
    }
}
