/// A network of IP addresses: those whose first bits are the same (RFC 4632 §3.1, RFC 4291 §2.3).
///
///     let network = IPNetwork("10.0.0.0/8")
///     network?.contains(address)
public struct IPNetwork: Sendable, Hashable, BitwiseCopyable {
    /// The first address.
    private let base: IPAddress
    /// The length of the prefix, in bits of 128; an IPv4 network counts the 96 bits before its own.
    private let prefix: Int

    /// Reads a network as it is written: `10.0.0.0/8`, `2001:db8::/32`, or one address, `192.0.2.1`. Nil for any other
    /// text, and for an address with bits after the prefix, such as `10.0.0.1/8`, which is usually a misprint.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let bits = address.isVersion4 ? 32 : 128
        var prefix = bits
        if parts.count == 2 {
            let digits = parts[1].utf8
            guard (1...3).contains(digits.count), digits.allSatisfy(\.isDigit), let number = Int(parts[1]),
                number <= bits
            else { return nil }
            prefix = number
        }
        self.init(address, prefix: 128 - bits + prefix)
        guard base == address else { return nil }
    }

    /// The network of so many bits that an address is in.
    /// - Parameter prefix: A number from 0 to 128.
    init(_ address: IPAddress, prefix: Int) {
        self.prefix = prefix
        base = IPAddress(
            high: address.high & Self.mask(min(prefix, 64)), low: address.low & Self.mask(max(prefix - 64, 0)))
    }

    /// Returns a number of ones, then zeros; a shift by 64 gives 0.
    private static func mask(_ ones: Int) -> UInt64 { UInt64.max << UInt64(64 - ones) }

    /// Whether it is larger than any network for private use (RFC 1918 §3, RFC 4193 §3.1).
    var isOpen: Bool { base.isVersion4 ? prefix < 96 + 8 : prefix < 7 }

    /// Whether an address is in the network. No address of version 4 is in a network of version 6.
    public func contains(_ address: IPAddress) -> Bool {
        address.isVersion4 == base.isVersion4 && IPNetwork(address, prefix: prefix).base == base
    }
}

extension IPNetwork: CustomStringConvertible {
    /// The network as it is written: `10.0.0.0/8`.
    public var description: String { "\(base)/\(base.isVersion4 ? prefix - 96 : prefix)" }
}
