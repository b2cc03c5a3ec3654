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
