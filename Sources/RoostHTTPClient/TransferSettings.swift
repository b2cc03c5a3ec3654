import Roost

/// Settings that all transfers of a client share.
struct TransferSettings: Sendable {
    let allowed: AllowedAddresses
    let connectionsPerHost: Int
    let certificateAuthorities: String?
    let proxy: String?
    /// The time to a connection, TLS included.
    let connectTimeout = Duration.seconds(10)
    /// The most connections that are kept open without a transfer, for each event loop.
    static let idleConnections = 64
    /// The most bytes of a response's header section.
    static let maximumHead = 256 << 10
}
