/// A status code that says why a WebSocket closes (RFC 6455 §7.4).
///
/// The codes 4000 to 4999 are for applications; libraries register 3000 to 3999 (§7.4.2).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt16

    /// Creates a code by its number. A number that must not be sent (below 1000, 1004 to 1006, 1015 to 2999, above
    /// 4999) is sent as ``internalError``.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the connection has served its purpose.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server ends, or the browser leaves the page.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the peer has broken the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a message of a type that is not accepted, such as binary where text is expected.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: a Close frame without a code. Never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006: the connection ended without a Close frame. Never sent.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: a message does not fit its type, such as text that is not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message breaks the server's rules.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: the server has met an unexpected error.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1013: the server has too much to do; try again later.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)

    /// Whether it may be in a Close frame (RFC 6455 §7.4; 1012 to 1014 were registered later).
    var maySend: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
