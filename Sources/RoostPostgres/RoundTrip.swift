/// An estimate of the time of a round trip to the server on a connection, as far as replies show.
struct RoundTrip {
    private(set) var time: Duration

    init(_ time: Duration) { self.time = time }

    /// Notes the time of a reply. A shorter one than is known counts at once. A longer one may be the server's own
    /// work, so an eighth of the difference counts.
    mutating func note(_ reply: Duration) {
        time = reply < time ? reply : time + (reply - time) / 8
    }
}
