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
    static let memoryIsFull = WebSocketFailure(
        code: .tryAgainLater, reason: "Too much data is being sent here at the moment.")
}
