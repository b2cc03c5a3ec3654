public import Roost

/// The addresses that a client may connect to.
///
/// A URL from a user may lead to what only this machine can reach: a cloud's metadata service, a database without a
/// password, an admin port (server-side request forgery). A host name can resolve to another address after it has been
/// checked, so the address of each connection is checked at the moment that it is made, even after redirects.
public struct AllowedAddresses: Sendable {
    private let isAllowed: @Sendable (IPAddress) -> Bool

    /// All addresses.
    public static let all = AllowedAddresses { _ in true }

    /// The addresses of the public internet: none of a private network, of this machine, or reserved for special
    /// purposes (IANA's registries, RFC 6890), nor an IPv6 address that stands for such an IPv4 address.
    public static let publicAddresses = AllowedAddresses { address in
        !special.contains { $0.contains(address) } && (address.isVersion4 || global.contains(address))
    }

    /// Returns the addresses for which a closure returns true.
    public static func only(_ isAllowed: @escaping @Sendable (IPAddress) -> Bool) -> AllowedAddresses {
        AllowedAddresses(isAllowed: isAllowed)
    }

    func contains(_ address: IPAddress) -> Bool { isAllowed(address) }

    /// Global unicast: the only part of version 6 that is in use on the internet (RFC 4291 §2.4).
    private static let global = network("2000::/3")

    /// The networks that are not for everyone, of version 4 and within `global`. 168.63.129.16 is the host of a
    /// machine in Azure.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32",
        "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
    ].map(network)

    private static func network(_ text: String) -> IPNetwork {
        guard let network = IPNetwork(text) else { preconditionFailure("\(text) is not a network") }
        return network
    }
}
