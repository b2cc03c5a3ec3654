/// Counts a client's control frames: each costs the server work, and none is a message.
struct ControlRate: BitwiseCopyable {
    private var second = 0
    private var count = 0

    /// The most that may come in one second.
    static let maximum = 100

    /// Counts one. False when there are too many in this second.
    /// - Parameter now: The time in seconds.
    mutating func allowsOneMore(at now: Int) -> Bool {
        if now != second { (second, count) = (now, 0) }
        count &+= 1
        return count <= Self.maximum
    }
}
