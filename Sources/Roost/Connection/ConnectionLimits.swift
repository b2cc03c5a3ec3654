/// The limits of one connection, in bytes and in ticks of its clock, which are seconds. `ServerConfiguration` has their
/// defaults.
package struct ConnectionLimits: Sendable {
    package var parser: HeadLimits
    /// The maximum time from a request's first byte, or from accept, to its complete head; then 408.
    package var headTimeout: Int
    /// The minimum rate at which a body must come; below it 408.
    var body: MinimumRate
    /// The minimum rate at which a client must take its output; below it the connection is closed.
    var output: MinimumRate
    /// The maximum time of a handler until its response begins, not counting its waits for the client; then 503. Nil
    /// means no limit.
    var handlerTimeout: Int?
    /// The age at which the next response is the last one; nil means no limit.
    var maximumAge: Int?
    /// The number of requests after which a connection is closed; nil means no limit.
    package var maximumRequests: Int?
    /// The maximum time from a response to the connection's next request; then it is closed.
    package var idleTimeout: Int
    /// The time for which bytes from a refused client are read and dropped, so that it can read why (RFC 9112 §9.6):
    /// counted from its last byte, and at most six times as long in total.
    var lingerTimeout: Int
    /// The silence after which an event stream sends a sign of life.
    var heartbeat: Int
}

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
