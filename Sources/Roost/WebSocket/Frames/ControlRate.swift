/// Counts a client's control frames: each costs the server work, and none is a message.
struct ControlRate: BitwiseCopyable {
    private var second: Int32 = 0
    private var count: Int32 = 0

    /// The most that may come in one second.
    static let maximum: Int32 = 100

    /// Counts one. False when there are too many in this second.
    /// - Parameter now: The time in seconds.
    mutating func allowsOneMore(at now: Int) -> Bool {
        let now = Int32(truncatingIfNeeded: now)
        if now != second { (second, count) = (now, 0) }
        count &+= 1
        return count <= Self.maximum
    }
}
