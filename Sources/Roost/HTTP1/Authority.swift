/// Checks a host and port (RFC 3986 §3.2.2; RFC 9110 §7.2).
///
///     uri-host [ ":" port ]
///     host       = IP-literal / IPv4address / reg-name
///     IP-literal = "[" ( IPv6address / IPvFuture ) "]"
///     reg-name   = *( unreserved / pct-encoded / sub-delims )
///     port       = *DIGIT
enum Authority {
    private static let name = ByteSet { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=".utf8.contains(byte)
        }
    }

    private static let address = ByteSet { byte in
        PercentEncoding.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    /// Whether the bytes are a host that is not empty, and a port below 65,536 if any.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var hostEnd = bytes.startIndex
        if bytes.first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let inside = bytes[1..<close]
            guard inside.contains(UInt8(ascii: ":")), inside.allSatisfy(address.contains) else { return false }
            hostEnd = close + 1
        } else {
            let name = Self.name
            while hostEnd < bytes.endIndex, name.contains(bytes[hostEnd]) { hostEnd += 1 }
            guard hostEnd > 0 else { return false }
        }
        return isPort(bytes[hostEnd...])
    }

    private static func isPort(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let colon = bytes.first else { return true }
        let digits = bytes.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5 else { return false }
        var port = 0
        for byte in digits {
            guard byte &- 0x30 < 10 else { return false }
            port = port * 10 + Int(byte - 0x30)
        }
        return port < 65_536
    }
}
