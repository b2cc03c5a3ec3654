import HTTPTypes

/// One proxy's entry, in `Forwarded` or in `X-Forwarded-For` and its like, about the peer that has connected to it.
///
///     Forwarded         = 1#forwarded-element                                       (RFC 7239 §4)
///     forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
///     forwarded-pair    = token "=" ( token / quoted-string )
///     node              = nodename [ ":" node-port ]                                (RFC 7239 §6)
///     nodename          = IPv4address / "[" IPv6address "]" / "unknown" / obfnode
///     obfnode           = "_" 1*( ALPHA / DIGIT / "." / "_" / "-" )
///     node-port         = 1*5DIGIT / obfnode
///
/// Addresses of version 6 are also read without brackets, as `X-Forwarded-For` has them. Values with a colon or
/// brackets are also read without quotes, as many proxies write them.
struct ForwardedEntry {
    /// The peer that has connected to the proxy.
    enum Node: Equatable {
        case address(IPAddress)
        /// The proxy does not say.
        case unknown
        /// A text that cannot be read: neither it nor any entry before it says anything.
        case malformed
    }

    var node = Node.unknown
    /// Whether it uses HTTPS; nil when that is not said.
    var isHTTPS: Bool?
    /// The host that it has asked for; nil when that is not said, or is no host.
    var authority: String?
}

extension ForwardedEntry {
    private static let malformed = ForwardedEntry(node: .malformed)

    /// The most proxies that are followed. What is written before them is a client's own invention.
    private static let maximumProxies = 32
    /// The most bytes of a node: an address of version 6 with a port has 47.
    private static let maximumNodeSize = 100

    /// The elements of `Forwarded`, the last one first; nil without the field. A quote that does not end spoils its
    /// own line only. Each is read when it is asked for: a client's own inventions, however many, hardly cost anything.
    static func standard(_ fields: ReceivedFields) -> (some Sequence<ForwardedEntry>)? {
        var elements: [UnsafeBufferPointer<UInt8>] = []
        fields.forEach(.forwarded) { line in
            var parts = DelimitedParts(fields.bytes.slice(line))
            while let part = parts.nextPresent(before: UInt8(ascii: ",")) { append(part, to: &elements) }
        }
        let last = elements.suffix(maximumProxies).reversed()
        return elements.isEmpty ? nil : last.lazy.map { ForwardedEntry(element: $0) ?? malformed }
    }

    /// Appends a part of a list of which only the last ones are needed.
    private static func append(_ part: UnsafeBufferPointer<UInt8>, to list: inout [UnsafeBufferPointer<UInt8>]) {
        if list.count == 2 * maximumProxies { list.removeFirst(maximumProxies) }
        list.append(part)
    }

    private init?(element: UnsafeBufferPointer<UInt8>) {
        self.init()
        var names: Set<String> = []
        var parts = DelimitedParts(element)
        while let part = parts.nextPresent(before: UInt8(ascii: ";")) {
            guard let pair = MediaType.Parameter(part), pair.value.isQuotedString || Self.isPlain(pair.value),
                names.insert(pair.name.lowercasedToken()).inserted
            else { return nil }
            let value = pair.value.unquotedText()
            if pair.name.isEqualIgnoringCase(to: "for") {
                node = Self.node(value[...])
                guard node != .malformed else { return nil }
            } else if pair.name.isEqualIgnoringCase(to: "proto") {
                isHTTPS = Self.isSecure(value.utf8)
            } else if pair.name.isEqualIgnoringCase(to: "host") {
                authority = Self.authority(value)
            }
        }
    }

    /// Whether a value can do without quotes.
    private static func isPlain(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        !value.isEmpty && value.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }

    /// The entries of `X-Forwarded-For`, the last one first, each with what stands at its place in `X-Forwarded-Proto`
    /// and `X-Forwarded-Host`. These have fewer values when only the first proxy sets them. Nil without these fields.
    static func usual(_ fields: ReceivedFields) -> (some Sequence<ForwardedEntry>)? {
        let nodes = values(fields, .xForwardedFor)
        let schemes = values(fields, .xForwardedProto)
        let hosts = values(fields, .xForwardedHost)
        let isThere = !nodes.isEmpty || !schemes.isEmpty || !hosts.isEmpty
        return isThere
            ? (0..<max(1, nodes.count)).lazy.map { place in
                ForwardedEntry(
                    node: nodes.isEmpty ? .unknown : node(String(decoding: nodes[place], as: UTF8.self)[...]),
                    isHTTPS: value(schemes, place).map { isSecure($0) },
                    authority: value(hosts, place).flatMap { authority(String(decoding: $0, as: UTF8.self)) }
                )
            } : nil
    }

    /// The last values of a list, the last one first.
    private static func values(_ fields: ReceivedFields, _ name: HTTPField.Name) -> [UnsafeBufferPointer<UInt8>] {
        var values: [UnsafeBufferPointer<UInt8>] = []
        fields.forEach(name) { line in
            var rest = fields.bytes.slice(line)
            while let comma = rest.firstOffset(of: UInt8(ascii: ",")) {
                append(UnsafeBufferPointer(rebasing: rest[..<comma]).trimmingBlanks(), to: &values)
                rest = UnsafeBufferPointer(rebasing: rest[(comma + 1)...])
            }
            append(rest.trimmingBlanks(), to: &values)
        }
        return values.suffix(maximumProxies).reversed()
    }

    /// The value at a place, or the nearest one.
    private static func value(
        _ values: [UnsafeBufferPointer<UInt8>], _ place: Int
    ) -> UnsafeBufferPointer<UInt8>? {
        values.isEmpty ? nil : values[min(place, values.count - 1)]
    }

    /// Some proxies name the scheme of WebSockets.
    private static func isSecure(_ scheme: some Sequence<UInt8>) -> Bool {
        let scheme = scheme.lazy.map { $0 | 0x20 }
        return scheme.elementsEqual("https".utf8) || scheme.elementsEqual("wss".utf8)
    }

    private static func authority(_ text: String) -> String? {
        var text = text
        return text.withUTF8(Authority.isValid) ? text : nil
    }

    private static func node(_ text: Substring) -> Node {
        guard text.utf8.count <= maximumNodeSize else { return .malformed }
        if let address = IPAddress(text) { return .address(address) }
        let bytes = text.utf8
        var name = bytes.prefix { $0 != UInt8(ascii: ":") }
        var rest = bytes[name.endIndex...]
        if bytes.first == UInt8(ascii: "[") {
            name = bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            rest = bytes[name.endIndex...].dropFirst()
            guard name.contains(UInt8(ascii: ":")), name.endIndex < bytes.endIndex else { return .malformed }
        }
        guard rest.isEmpty || isPort(rest) else { return .malformed }
        if let address = IPAddress(Substring(name)) { return .address(address) }
        return isObfuscated(name) || name.map { $0 | 0x20 }.elementsEqual("unknown".utf8) ? .unknown : .malformed
    }

    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        let port = text.dropFirst()
        return text.first == UInt8(ascii: ":")
            && (isObfuscated(port) || (1...5).contains(port.count) && port.allSatisfy(\.isDigit))
    }

    private static func isObfuscated(_ text: Substring.UTF8View) -> Bool {
        text.first == UInt8(ascii: "_") && text.count > 1
            && text.allSatisfy { byte in
                byte.isLetterOrDigit || byte == 0x2E || byte == 0x5F || byte == 0x2D
            }
    }
}

extension HTTPField.Name {
    static let forwarded = known("Forwarded")
    static let xForwardedFor = known("X-Forwarded-For")
    static let xForwardedProto = known("X-Forwarded-Proto")
    static let xForwardedHost = known("X-Forwarded-Host")
}
