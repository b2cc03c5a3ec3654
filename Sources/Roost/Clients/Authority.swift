import Glibc

/// Checks a host and port (RFC 3986 §3.2.2; RFC 9110 §7.2).
///
///     uri-host [ ":" port ]
///     host       = IP-literal / IPv4address / reg-name
///     IP-literal = "[" ( IPv6address / IPvFuture ) "]"
///     reg-name   = *( unreserved / pct-encoded / sub-delims )
///     port       = *DIGIT
///
/// No future version of IP is known, so `IPvFuture` is refused.
package enum Authority {
    private static let name = ByteSet { $0.isLetterOrDigit || "-._~!$&'()*+,;=".utf8.contains($0) }

    /// Whether the bytes are a host that is not empty, with a port below 65,536 if there is one.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hostEnd = bytes.startIndex
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), isIPv6(bytes[1..<close]) else { return false }
            hostEnd = close + 1
        } else {
            hostEnd = name.end(in: bytes, from: 0)
            while hostEnd < bytes.count, PercentEncoding.escape(at: hostEnd, in: bytes) != nil {
                hostEnd = name.end(in: bytes, from: hostEnd + 3)
            }
            guard hostEnd > 0 else { return false }
        }
        return isPort(bytes, from: hostEnd)
    }

    /// An authority without its port.
    package static func host(of authority: Substring.UTF8View) -> Substring.UTF8View {
        if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
            return authority[...end]
        }
        return authority.prefix { $0 != UInt8(ascii: ":") }
    }

    /// A host without the brackets that an IPv6 address has.
    static func withoutBrackets(_ host: Substring.UTF8View) -> Substring {
        let isBracketed = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        return Substring(isBracketed ? host.dropFirst().dropLast() : host)
    }

    /// The C library knows the grammar; it stops reading at a NUL, which no address contains.
    private static func isIPv6(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard !bytes.contains(0) else { return false }
        var address = in6_addr()
        return inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    }

    private static func isPort(_ bytes: UnsafeBufferPointer<UInt8>, from colon: Int) -> Bool {
        guard colon < bytes.count else { return true }
        guard bytes[colon] == UInt8(ascii: ":"), bytes.count - colon <= 6 else { return false }
        let digits = UnsafeBufferPointer(rebasing: bytes[(colon + 1)...])
        return digits.isEmpty || digits.wholeNumber.map { $0 < 65_536 } ?? false
    }
}
