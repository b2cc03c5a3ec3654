import Glibc
import Roost

extension Request {
    /// The client's address for logs: `192.0.2.7`, or `local`.
    var clientAddress: String { peer.ip?.description ?? "local" }

    /// What stands for the client in counts of failures: its IPv4 address, or the first half of its IPv6 address,
    /// because everybody who has one address of version 6 has 2⁶⁴ (RFC 6177 §2).
    var clientNetwork: String {
        guard let ip = peer.ip, !ip.isVersion4 else { return clientAddress }
        var address = in6_addr()
        guard inet_pton(AF_INET6, ip.description, &address) == 1 else { return clientAddress }
        return withUnsafeBytes(of: address) { bytes in bytes.prefix(8).map { String($0, radix: 16) } }
            .joined(separator: ".") + "/64"
    }
}
