import HTTPTypes

// Whether a request has stayed on this machine. A proxy that runs here connects from loopback too, and by default nginx
// requests the host by which it knows the server, `127.0.0.1:3000`. So neither is enough by itself, and any sign of a
// proxy, or of a page on another host, means no.

extension Request {
    /// Whether its browser may be given a cookie that nobody else should have: over HTTPS, and on this machine.
    /// - Parameter isSiteHTTPS: Whether browsers reach the site over HTTPS, so far as its settings tell.
    package func mayKeepCookie(orElse isSiteHTTPS: Bool) -> Bool { isHTTPS(orElse: isSiteHTTPS) || isOnLoopback }

    /// Whether, as far as one can see, a browser on this machine has sent it to this machine, and no proxy has passed
    /// it on.
    package var isOnLoopback: Bool {
        guard peer.ip?.isLoopback ?? false, Self.isLoopback(authority.utf8[...]) else { return false }
        // The origin of the page, according to the browser; `null` tells nothing.
        for page in [headers[.origin], headers[.referer]] {
            if let page, page != "null", !Self.isLoopbackURL(page) { return false }
        }
        return !headers.list.contains { Self.isOfProxy($0.name.canonicalName) }
    }

    /// Whether it may see what is for the developer of a site alone: it is ``isOnLoopback``, and not in HTTP/1.0, which
    /// no browser speaks, and in which nginx asks unless it is told otherwise.
    package var isFromDeveloper: Bool { isOnLoopback && !head.exchange.isHTTP10 }

    /// Whether the field, in lower case, is one by which proxies say for whom they ask (RFC 7239 §4; RFC 9110 §7.6.3).
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
    static func isLoopback(_ authority: Substring.UTF8View) -> Bool {
        let host = Authority.host(of: authority)
        let name = Substring(host).lowercased().utf8
        return name.elementsEqual("localhost".utf8) || name.suffix(10).elementsEqual(".localhost".utf8)
            || IPAddress(Authority.withoutBrackets(host))?.isLoopback ?? false
    }
}
