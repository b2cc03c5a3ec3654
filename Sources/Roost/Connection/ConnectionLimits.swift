/// What one connection may take, in bytes and in seconds (DESIGN: defaults that protect).
struct ConnectionLimits: Sendable {
    var parser = ParserLimits()
    /// From a request's first byte, or from accept, to its complete head; then 408.
    var headTimeout = 10
    /// Without progress of a body; then 408.
    var bodyTimeout = 30
    /// The bytes of a body that must come in a second on average, after `bodyTimeout`; 0 allows any rate.
    var minimumBodyRate = 500
    /// Without a request on a connection that has had one; then it is closed.
    var idleTimeout = 60
    /// Without progress of a client that does not read; then it is closed.
    var sendTimeout = 30
    /// How long bytes of a refused client are read and dropped, so that it can read why (RFC 9112 §9.6): from its last
    /// byte, and six times as long at most.
    var lingerTimeout = 5
}
