/// The limits of one connection, in bytes and in seconds (DESIGN: defaults that protect).
struct ConnectionLimits: Sendable {
    var parser = ParserLimits()
    /// From a request's first byte, or from accept, to its complete head; then 408.
    var headTimeout = 10
    /// The minimum rate at which a body must come; below it 408.
    var body = MinimumRate(bytes: 500, window: 30)
    /// The minimum rate at which a client must take its output; below it the connection is closed.
    var output = MinimumRate(bytes: 500, window: 30)
    /// How long a handler may take until its response begins, not counting its waits for the client; then 503. Nil
    /// means no limit.
    var handlerTimeout: Int?
    /// The age at which the next response is the last one; nil means no limit.
    var maximumAge: Int?
    /// After how many requests a connection is closed; nil means no limit.
    var maximumRequests: Int?
    /// How long a connection that has had a request may go without another; then it is closed.
    var idleTimeout = 60
    /// How long bytes from a refused client are read and dropped, so that it can read why (RFC 9112 §9.6): counted from
    /// its last byte, and at most six times as long in total.
    var lingerTimeout = 5
}
