package import Glibc

/// An IP address, of version 4 or 6.
///
/// `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2), which a socket for both versions reports for an IPv4 address, is that IPv4
/// address. Zones (`%eth0`) are left out.
public struct IPAddress: Sendable, Hashable, BitwiseCopyable {
    /// The upper half of the 128 bits of version 6; an IPv4 address is mapped.
    let high: UInt64
    let low: UInt64

    private static let mapped: UInt64 = 0xFFFF << 32

    /// The address `a.b.c.d`, the first number in the highest byte.
    init(version4 bits: UInt32) {
        high = 0
        low = Self.mapped | UInt64(bits)
    }

    /// The address whose 128 bits these are.
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ address: in6_addr) {
        (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// The address of a socket; nil for one of another family than IP.
    package init?(socketAddress: UnsafePointer<sockaddr>) {
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET:
            let address = UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in.self)
            self.init(version4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6: self.init(UnsafeRawPointer(socketAddress).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// Reads an address as it is written: `192.0.2.1` (RFC 3986 §3.2.2), `2001:db8::1` (RFC 4291 §2.2), without
    /// brackets; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard !text.utf8.contains(0) else { return nil }  // where C would stop reading
        var version4 = in_addr()
        var version6 = in6_addr()
        let text = String(text)
        if inet_pton(AF_INET, text, &version4) == 1 {
            self.init(version4: UInt32(bigEndian: version4.s_addr))
        } else if inet_pton(AF_INET6, text, &version6) == 1 {
            self.init(version6)
        } else {
            return nil
        }
    }

    /// Whether it is of version 4.
    package var isVersion4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// Whether it is a loopback address, which no connection from another machine has: `127.0.0.0/8` and `::1` (RFC
    /// 6890 §2.2).
    public var isLoopback: Bool { isVersion4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : high == 0 && low == 1 }
}

// The networks that count as one client, since whoever has one of their addresses has all of them.
extension IPAddress {
    /// The network that counts as one client in limits: an IPv4 address alone, or the /64 of version 6, whose 2⁶⁴
    /// addresses everybody has who has one of them (RFC 7934 §6).
    var network: IPNetwork { IPNetwork(self, prefix: isVersion4 ? 128 : 64) }

    /// The network that a home is often given: a /56 of version 6 (RFC 6177 §2). Nil for an IPv4 address.
    var home: IPNetwork? { isVersion4 ? nil : IPNetwork(self, prefix: 56) }

    /// The most that one customer is given, 2¹⁶ times ``network``: a /48 of version 6 (RFC 6177 §2). Nil for an IPv4
    /// address, which is a network of its own.
    var site: IPNetwork? { isVersion4 ? nil : IPNetwork(self, prefix: 48) }
}

extension IPAddress: CustomStringConvertible {
    /// The address as it is written: `192.0.2.1`, `2001:db8::1`.
    public var description: String {
        if isVersion4 {
            let text = ByteBuffer(capacity: 64)
            append(to: text)
            return String(decoding: text.written, as: UTF8.self)
        }
        var bytes = (high.bigEndian, low.bigEndian)
        return String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { text in
            let start = UnsafeMutableRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
            guard inet_ntop(AF_INET6, &bytes, start, socklen_t(text.count)) != nil else { return 0 }
            return text.firstIndex(of: 0) ?? 0
        }
    }

    /// Appends the address as it is written.
    func append(to bytes: ByteBuffer) {
        guard isVersion4 else { return bytes.append(description) }
        for shift in stride(from: 24 as UInt64, through: 0, by: -8) {
            bytes.append(decimal: UInt8(truncatingIfNeeded: low >> shift))
            if shift > 0 { bytes.append(UInt8(ascii: ".")) }
        }
    }
}
