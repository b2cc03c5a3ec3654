/// The share of a turn that one connection may have before the loop serves others, however much it has sent: a pure
/// value.
///
/// A client that sends one request after the other never notices: whether to go on is asked only between two requests
/// that came together.
struct TurnShare {
    /// The most requests.
    static let requests = 64
    /// The time in nanoseconds for which requests may be handled, apart from the first one; looked at after the second
    /// and every fourth.
    static let time: UInt64 = 100_000
    /// The number of bytes of responses, apart from the first one, after which others are served.
    static let output = 64 * 1024

    private let most: Int
    private var count = 0
    private var end: UInt64 = 0
    private var outputEnd = 0

    /// - Parameter isContended: Whether others wait for theirs: then it is one request.
    init(isContended: Bool) { most = isContended ? 1 : Self.requests }

    /// Whether another request may be handled, after one that has been.
    /// - Parameters:
    ///   - position: The number of bytes that the loop has written so far.
    ///   - now: The time in nanoseconds.
    mutating func allowsMore(writtenUpTo position: Int, now: () -> UInt64) -> Bool {
        count += 1
        guard count < most else { return false }
        if count == 1 {
            end = now() &+ Self.time
            outputEnd = position + Self.output
            return true
        }
        return position < outputEnd && (count > 2 && count % 4 != 0 || now() < end)
    }
}
