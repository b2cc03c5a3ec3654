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

/// The error for the use of a closed WebSocket; reading throws it when the connection did not close in good order.
///
/// A handler need not catch it: it is not logged.
public struct WebSocketClosed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The peer's code, or the one with which the server has refused the peer's message;
    /// ``WebSocketCloseCode/abnormal`` when the connection ended without a Close frame.
    public let code: WebSocketCloseCode
    /// The reason that was received or sent with the code. A peer's reason may be any text.
    public let reason: String

    package init(code: WebSocketCloseCode, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "The WebSocket is closed: \(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")" }
}

/// An error in what a peer has sent: the connection fails with this code (RFC 6455 §7.1.7).
package struct WebSocketFailure: Error, Equatable {
    package let code: WebSocketCloseCode
    /// The reason, in one sentence without anything that came from the peer.
    package let reason: String

    static func protocolError(_ reason: String) -> WebSocketFailure {
        WebSocketFailure(code: .protocolError, reason: reason)
    }

    static let invalidText = WebSocketFailure(code: .invalidData, reason: "A text is not UTF-8.")
    static let invalidCompression = WebSocketFailure(code: .invalidData, reason: "Compressed data is malformed.")
    static let tooBig = WebSocketFailure(code: .messageTooBig, reason: "A message is too large.")
    static let tooManyControlFrames = WebSocketFailure(
        code: .policyViolation, reason: "Too many control frames came in one second.")
    static let tooSlow = WebSocketFailure(code: .policyViolation, reason: "A message took too long to arrive.")
    static let memoryIsFull = WebSocketFailure(
        code: .tryAgainLater, reason: "Too much data is being sent here at the moment.")
}
