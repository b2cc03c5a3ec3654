/// The times of one WebSocket in the seconds of its group; a very long one stands for no limit.
struct WebSocketLimits {
    private let interval: Int32
    private let patience: Int32
    private let idle: Int32

    var pingInterval: Int { Int(interval) }
    var pongTimeout: Int { Int(patience) }
    var idleTimeout: Int { Int(idle) }

    /// The maximum time in seconds for a client to answer a Close frame with its own.
    static let closeTimeout = 10

    init(_ options: WebSocketOptions) {
        interval = Self.seconds(options.pingInterval)
        patience = Self.seconds(options.pongTimeout)
        idle = Self.seconds(options.idleTimeout)
    }

    /// Small numbers, because there may be very many of these.
    private static func seconds(_ duration: Duration?) -> Int32 {
        duration.map { Int32(clamping: max(1, $0.wholeSeconds)) } ?? .max
    }
}
