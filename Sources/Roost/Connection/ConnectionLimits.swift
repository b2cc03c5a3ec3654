/// What one connection may take, in bytes and in seconds (DESIGN: defaults that protect).
struct ConnectionLimits: Sendable {
    var parser = ParserLimits()
    /// From a request's first byte, or from accept, to its complete head; then 408.
    var headTimeout = 10
    /// The least of a body that must come; then 408.
    var body = MinimumRate(bytes: 500, window: 30)
    /// The least of its output that a client must take; then it is closed.
    var output = MinimumRate(bytes: 500, window: 30)
    /// How long a handler may take until its response begins, the waits for its client left out; then 503. Nil for no
    /// limit.
    var handlerTimeout: Int?
    /// The age from which on the next response is the last one; nil for none.
    var maximumAge: Int?
    /// After how many requests a connection is closed; nil for no limit.
    var maximumRequests: Int?
    /// Without a request on a connection that has had one; then it is closed.
    var idleTimeout = 60
    /// How long bytes of a refused client are read and dropped, so that it can read why (RFC 9112 §9.6): from its last
    /// byte, and six times as long at most.
    var lingerTimeout = 5
}
