import HTTPTypes

// Each proxy adds an entry about whoever has connected to it, at the end of the list. So the last entry is by the peer,
// and is true if the peer is trusted; the entry before it is true if the last one names another trusted proxy, and so
// on. The first entry from the end that does not name a trusted proxy names the client. What stands before it may be
// the client's own invention.

/// The client of a request that a trusted proxy has passed on, as the proxies describe it.
final class ForwardedClient: Sendable {
    /// The client's address; nil when it is not known, as of a proxy on a Unix socket that says nothing.
    let address: IPAddress?
    /// Whether the client uses HTTPS; nil when no proxy says.
    let isHTTPS: Bool?
    /// The host that the client has asked for, with the port if there is one; nil when no proxy says.
    let authority: String?

    /// Reads the fields of a request whose peer is a trusted proxy. If it has both kinds of fields, they must say the
    /// same, or neither is believed: proxies set one kind and often pass on the other, which anybody can have written.
    init(_ fields: ReceivedFields, from peer: PeerAddress, trusting proxies: TrustedProxies) {
        let standard = ForwardedEntry.standard(fields).map { Self.end(of: $0, peer, proxies) }
        let usual = ForwardedEntry.usual(fields).map { Self.end(of: $0, peer, proxies) }
        let agreed = standard == nil || usual == nil || standard == usual
        let end = agreed ? standard ?? usual : nil
        address = end?.address ?? peer.ip
        isHTTPS = end?.isHTTPS
        authority = end?.authority
    }

    /// The facts about the client that one kind of field gives, once its entries have been followed.
    private struct End: Equatable {
        var address: IPAddress?
        var isHTTPS: Bool?
        var authority: String?

        static func == (left: End, right: End) -> Bool {
            left.address == right.address && left.isHTTPS == right.isHTTPS
                && left.authority.map(ExactText.init) == right.authority.map(ExactText.init)
        }
    }

    /// Follows the entries, the last one first, as long as trusted proxies have made them.
    private static func end(
        of entries: some Sequence<ForwardedEntry>, _ peer: PeerAddress, _ proxies: TrustedProxies
    ) -> End {
        var end = End(address: peer.ip)
        for entry in entries {
            guard entry.node != .malformed else { break }
            end.isHTTPS = entry.isHTTPS
            end.authority = entry.authority
            guard case .address(let address) = entry.node else { break }
            end.address = address
            guard proxies.contain(address) else { break }
        }
        return end
    }
}
