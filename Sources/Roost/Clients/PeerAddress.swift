/// The address of the other end of a connection.
public enum PeerAddress: Sendable, Hashable, BitwiseCopyable {
    /// Over TCP, from this address and port: the client's, or those of a proxy in front of the server.
    case tcp(IPAddress, port: UInt16)
    /// A client on this machine without TCP: over a Unix socket, or in the same process.
    case local

    /// A program on this machine: `127.0.0.1`, port 50000.
    public static let loopback = PeerAddress.tcp(IPAddress(version4: 0x7F00_0001), port: 50_000)

    /// The IP address; nil when there is none.
    package var ip: IPAddress? {
        switch self {
        case .tcp(let ip, _): ip
        case .local: nil
        }
    }

}

extension PeerAddress: CustomStringConvertible {
    /// The address with its port: `192.0.2.1:50000`, `[2001:db8::1]:50000`, or `local`.
    public var description: String {
        switch self {
        case .tcp(let ip, let port): ip.isVersion4 ? "\(ip):\(port)" : "[\(ip)]:\(port)"
        case .local: "local"
        }
    }
}
