// The client of a request: the peer of its connection, or the client that a trusted proxy names.

extension Request {
    /// The client's IP address: as a trusted proxy reports it (``ServerConfiguration/trustedProxies``), otherwise the
    /// peer's. Nil for a peer on this machine without an address, such as one on a Unix socket.
    public var clientAddress: IPAddress? {
        guard let forwarded else { return peer.ip }
        return forwarded.address
    }

    /// Whether the client uses HTTPS: as a trusted proxy reports it, or else on its connection to this server.
    public var isHTTPS: Bool { isHTTPS(orElse: false) }

    /// Whether the client uses HTTPS: as a trusted proxy says, or with this server itself, or as the site is set up.
    /// - Parameter isSiteHTTPS: Whether browsers reach the site over HTTPS, so far as its settings tell.
    package func isHTTPS(orElse isSiteHTTPS: Bool) -> Bool {
        forwarded?.isHTTPS ?? (notes.isEncrypted || isSiteHTTPS)
    }

    /// The scheme of the client's request: `https` if ``isHTTPS``, otherwise `http`. Together with ``authority`` it
    /// makes a URL that the client can use.
    public var scheme: String { isHTTPS ? "https" : "http" }

    /// The ``IPAddress/network`` that counts as one client in limits. Nil for a peer that has no address.
    package var clientNetwork: IPNetwork? { clientAddress?.network }

    /// The ``IPAddress/site`` of the client. Nil for a peer that has no address.
    package var clientSite: IPNetwork? { clientAddress?.site }

    /// The ``IPAddress/home`` of the client. Nil for a peer that has no address.
    package var clientHome: IPNetwork? { clientAddress?.home }

    /// The client for a log: its IP address, or `local`.
    package var clientHost: String { clientAddress?.description ?? "local" }

    /// Appends ``clientHost``.
    func appendClientHost(to bytes: ByteBuffer) {
        if let clientAddress { clientAddress.append(to: bytes) } else { bytes.append("local" as StaticString) }
    }
}

/// The client of a request, as far as the code that responds has to do with it.
protocol RequestClient: Sendable {
    /// Cancels the response when the client leaves from now on.
    func cancelWhenItLeaves()
}

extension Request {
    /// Cancels the task that responds to this request when the client leaves: when it closes its connection, or only
    /// its sending side.
    ///
    ///     routes.get(Path("/next")) { request in
    ///         request.cancelWhenClientLeaves()
    ///         return try await messages.next()  // nobody has to wait for one that nobody would read
    ///     }
    ///
    /// Call it in handlers that wait for long. Without it, a client may close its sending side and still get its
    /// response. Until something is sent, the server cannot tell this from a client that has closed its whole
    /// connection, so the task runs to its end. With it, and always in an event stream (`Response.events`), the task is
    /// cancelled and the connection closed within a second after the client has stopped sending. When a connection is
    /// reset, its task is cancelled in any case.
    ///
    /// A request that did not come over a connection, as in a test of one function, has no client that could leave;
    /// then this does nothing.
    public func cancelWhenClientLeaves() { client?.cancelWhenItLeaves() }
}
