/// The error for the use of a closed WebSocket; reading throws it when the connection did not close in good order.
///
/// A handler may let it pass: it is not logged.
public struct WebSocketClosed: Error, Sendable, Hashable, CustomStringConvertible {
    /// The peer's code, or the one with which the server has refused the peer's message;
    /// ``WebSocketCloseCode/abnormal`` when the connection ended without a Close frame.
    public let code: WebSocketCloseCode
    /// The reason that came or went with the code. A peer's reason may be any text.
    public let reason: String

    package init(code: WebSocketCloseCode, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "The WebSocket is closed: \(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)")" }
}
