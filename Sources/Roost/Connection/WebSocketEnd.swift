/// How a WebSocket has ended, or is going to; few are doing so at any time.
final class WebSocketEnd {
    /// What those who still use it learn.
    let error: WebSocketClosed
    /// Whether it ends the messages; otherwise reading throws the error.
    let isOrderly: Bool
    /// The code to send; nil for a Close frame without one.
    let code: WebSocketCloseCode?
    /// When it was noticed, in the group's seconds.
    let time: Int

    init(_ error: WebSocketClosed, isOrderly: Bool, code: WebSocketCloseCode? = nil, at time: Int) {
        self.error = error
        self.isOrderly = isOrderly
        self.code = code
        self.time = time
    }
}
