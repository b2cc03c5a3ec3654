import HTTPTypes

// Whether a request has stayed on this machine. A proxy that runs here connects from loopback, too, and nginx's default
// is to ask for the host by which it knows the server, `127.0.0.1:3000`. So neither is enough by itself, and whatever
// tells of somebody in between, or of a page at another host, says no.

extension Request {
    /// Whether a browser on this machine has sent it to this machine, and no proxy has passed it on, as far as one can
    /// see.
    var isOnLoopback: Bool {
        guard peer.ip?.isLoopback ?? false, Self.isLoopback(authority.utf8[...]) else { return false }
        // Where the page is, as the browser knows it; `null` tells nothing.
        for page in [headers[.origin], headers[.referer]] {
            if let page, page != "null", !Self.isLoopbackURL(page) { return false }
        }
        return !headers.list.contains { Self.isOfProxy($0.name.canonicalName) }
    }

    /// Whether proxies set the field, in lower case, to say for whom they ask (RFC 7239 §4; RFC 9110 §7.6.3).
    private static func isOfProxy(_ name: String) -> Bool {
        name == "forwarded" || name == "via" || name == "x-real-ip" || name.utf8.starts(with: "x-forwarded-".utf8)
    }

    private static func isLoopbackURL(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.utf8.starts(with: scheme.utf8) {
            let rest = text.utf8.dropFirst(scheme.utf8.count)
            return isLoopback(rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        }
        return false
    }

    /// Whether a host, with a port or without, is this machine's own name or address.
    private static func isLoopback(_ authority: Substring.UTF8View) -> Bool {
        if authority.first == UInt8(ascii: "[") {
            let address = authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            return IPAddress(Substring(address))?.isLoopback ?? false
        }
        let host = Substring(authority.prefix { $0 != UInt8(ascii: ":") })
        return host.lowercased().utf8.elementsEqual("localhost".utf8) || IPAddress(host)?.isLoopback ?? false
    }
}
