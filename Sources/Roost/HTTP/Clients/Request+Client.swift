// Who has sent a request: the peer of its connection, or the client of a trusted proxy.

extension Request {
    /// The client's IP address: what a trusted proxy says (``ServerConfiguration/trustedProxies``), otherwise the
    /// peer's. Nil for a peer on this machine that has none, such as one on a Unix socket.
    public var clientAddress: IPAddress? {
        guard let forwarded else { return peer.ip }
        return forwarded.address
    }

    /// Whether the client uses HTTPS, as a trusted proxy says. The server itself speaks plain HTTP only.
    public var isHTTPS: Bool { forwarded?.isHTTPS ?? false }

    /// The scheme by which the client has asked: `https` when ``isHTTPS``, otherwise `http`. Together with
    /// ``authority`` it makes a URL that the client can use.
    public var scheme: String { isHTTPS ? "https" : "http" }

    /// The client for a log: its IP address, or `local`.
    var clientHost: String { clientAddress?.description ?? "local" }
}
