/// The operations of a ``WebSocket`` on its connection, of which this room knows nothing else.
///
/// An operation that needs no waiting is a plain function: each `async` one on the way to the connection would cost a
/// small message a call that may suspend, and an idle WebSocket a frame on its task's stack.
protocol WebSocketChannel: AnyObject, Sendable {
    /// The request that opened it.
    var request: Request { get }
    var subprotocol: String? { get }
    /// Asks for the next message without waiting.
    func poll() throws -> WebSocketPoll
    /// Lets the handler's own task wait for the next message; call it on the loop after ``poll()`` has said so.
    func wait(_ continuation: UnsafeContinuation<WebSocketMessage?, any Error>)
    /// Waits for the next message in any task; nil after a close in good order.
    func next() async throws -> WebSocketMessage?
    /// Sends a message if that takes no waiting. False when it does.
    func sendNow(_ message: WebSocketMessage) throws -> Bool
    /// Sends a message when the client has taken what was sent before.
    func send(_ message: WebSocketMessage) async throws
    /// Sends a Close frame, unless one has been sent.
    func close(_ code: WebSocketCloseCode, _ reason: String) async
}

/// The result of asking for a message without waiting.
enum WebSocketPoll {
    case message(WebSocketMessage)
    /// The end: there will be no more.
    case end
    /// Nothing has come. The task is the handler's, and may wait on the spot: ``WebSocketChannel/wait(_:)``.
    case nothing
    /// Ask ``WebSocketChannel/next()``: the task is not the handler's, is on another thread, or has read so many
    /// messages that the loop must serve others first.
    case elsewhere
}
