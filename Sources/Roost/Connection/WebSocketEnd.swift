/// The end of a WebSocket, past or about to come; few are ending at any time.
final class WebSocketEnd {
    /// The error for those who still use it: sending throws it, and so does reading unless the end is orderly.
    let error: WebSocketClosed
    /// Whether it ends the messages; otherwise reading throws the error.
    let isOrderly: Bool
    /// The code to send; nil for a Close frame without one.
    let code: WebSocketCloseCode?
    /// The time at which the end was noticed, in the group's seconds.
    let time: Int

    init(_ error: WebSocketClosed, isOrderly: Bool, code: WebSocketCloseCode? = nil, at time: Int) {
        self.error = error
        self.isOrderly = isOrderly
        self.code = code
        self.time = time
    }
}
