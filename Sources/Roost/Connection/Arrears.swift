/// The least that a client must send, or take, as long as it is waited for.
struct MinimumRate: Sendable {
    /// In bytes a second; 0 asks for any progress at all.
    var bytes: Int
    /// How many seconds a client may be behind: without any progress, its time to the end.
    var window: Int
}

/// How many bytes a client is behind one that moves them at the least rate: a pure value.
///
/// It is a leaky bucket. Each second that the client is waited for adds what should have moved in it, and each byte
/// that moves takes one away, but never below none: what came fast in the beginning buys no time later on. The client's
/// time is over when it is behind by what a whole window asks for.
struct Arrears {
    private(set) var bytes = 0

    /// The client has been waited for.
    mutating func add(seconds: Int, _ rate: MinimumRate) {
        if seconds > 0 { bytes += seconds * max(rate.bytes, 1) }
    }

    /// Bytes have moved.
    mutating func pay(_ count: Int, _ rate: MinimumRate) {
        if count > 0 { bytes = rate.bytes == 0 ? 0 : max(0, bytes - count) }
    }

    /// How many seconds are left without any progress.
    func secondsLeft(_ rate: MinimumRate) -> Int { max(0, rate.window - bytes / max(rate.bytes, 1)) }
}
