/// The least that a client must send, or take, while the server waits for it.
struct MinimumRate: Sendable {
    /// The rate in bytes a second; 0 asks for any progress at all.
    var bytes: Int
    /// The period of waiting, in seconds, whose bytes a client may owe; a client that moves none has this long.
    var window: Int
}

/// The number of bytes that a client is behind one that moves them at the minimum rate: a pure value.
///
/// It is a leaky bucket. Each second of waiting for the client adds the bytes that should have moved in it, and each
/// byte that moves takes one away, but never below zero: what came fast in the beginning buys no time later on. The
/// client's time is over when it is behind by as much as a whole window requires.
struct Arrears {
    private(set) var bytes = 0

    /// The server has waited for the client.
    mutating func add(seconds: Int, _ rate: MinimumRate) {
        if seconds > 0 { bytes += seconds * max(rate.bytes, 1) }
    }

    /// Bytes have moved.
    mutating func pay(_ count: Int, _ rate: MinimumRate) {
        if count > 0 { bytes = rate.bytes == 0 ? 0 : max(0, bytes - count) }
    }

    /// The number of seconds until the client's time ends if it moves no further byte; at least 0.
    func secondsLeft(_ rate: MinimumRate) -> Int { max(0, rate.window - bytes / max(rate.bytes, 1)) }
}
