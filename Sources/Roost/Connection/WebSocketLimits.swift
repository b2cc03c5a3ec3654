/// The times of one WebSocket in the seconds of its group; a very long one stands for no limit.
struct WebSocketLimits {
    let pingInterval: Int
    let pongTimeout: Int
    let idleTimeout: Int

    /// How long a client may take to answer a Close frame with its own.
    static let closeTimeout = 10
    private static let never = Int.max / 4

    init(_ options: WebSocketOptions) {
        pingInterval = Self.seconds(options.pingInterval)
        pongTimeout = Self.seconds(options.pongTimeout)
        idleTimeout = Self.seconds(options.idleTimeout)
    }

    private static func seconds(_ duration: Duration?) -> Int {
        duration.map { min(max(1, $0.wholeSeconds), never) } ?? never
    }
}
