/// The proxies in front of the server that are trusted to describe the clients behind them.
///
/// A peer that connects from one of these networks may state, with `Forwarded` (RFC 7239) or with `X-Forwarded-For`,
/// `X-Forwarded-Proto` and `X-Forwarded-Host`, who the client is, whether it uses HTTPS, and which host it asked for.
/// From any other peer, these fields are ignored. See `docs/proxies.md` for the settings that a proxy needs.
public struct TrustedProxies: Sendable, Equatable {
    private let networks: [IPNetwork]
    /// Whether peers without an IP address are trusted, which connect through a Unix socket.
    private let includesLocal: Bool

    /// Trusts nobody: the default.
    public static let none = TrustedProxies([])

    /// Trusts the peers in some networks.
    /// - Parameters:
    ///   - networks: The networks of the proxies.
    ///   - includesLocal: Whether peers on a Unix socket are proxies, too.
    init(_ networks: [IPNetwork], includesLocal: Bool = false) {
        self.networks = networks
        self.includesLocal = includesLocal
    }

    /// Reads networks separated by commas: `10.0.0.0/8, ::1`. The word `local` stands for peers on a Unix socket, and
    /// `loopback` for `127.0.0.0/8` and `::1`. Nil for any other text.
    public init?(_ text: String) {
        var networks: [IPNetwork] = []
        var includesLocal = false
        for part in text.split(separator: ",") {
            switch part.trimmingBlanks() {
            case "local": includesLocal = true
            case "loopback": networks += ["127.0.0.0/8", "::1"].compactMap { IPNetwork($0) }
            case let part:
                guard let network = IPNetwork(part) else { return nil }
                networks.append(network)
            }
        }
        self.init(networks, includesLocal: includesLocal)
    }

    /// The networks that are far larger than anybody's own, such as `0.0.0.0/0`.
    var openNetworks: [IPNetwork] { networks.filter(\.isOpen) }

    /// Whether an address is a proxy's.
    func contain(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Whether a peer is a proxy.
    func contain(_ peer: PeerAddress) -> Bool { peer.ip.map(contain) ?? includesLocal }
}
