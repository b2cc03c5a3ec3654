/// The result of looking for a message without waiting.
enum WebSocketSight {
    case message(WebSocketMessage)
    /// There will be no more.
    case end
    /// The task is the handler's, and may wait on the spot.
    case nothing
    /// The task is another one, and may be elsewhere.
    case elsewhere
}
