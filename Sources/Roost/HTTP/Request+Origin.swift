import HTTPTypes

// Which page has made a request, by what browsers themselves say about it (OWASP CSRF Cheat Sheet, "Fetch Metadata"). A
// browser cannot be made to omit or forge these fields, and a program that is not a browser does not attach a visitor's
// cookies by itself.

extension Request {
    /// Whether a page of the host that the request is for has made it, or no page at all.
    ///
    /// `Sec-Fetch-Site` decides: `same-origin` and `none` pass. When the browser does not send it, `Origin` must be the
    /// host that the request is for. When neither is present, the client is not a browser, and the request passes.
    /// - Parameter origins: Other sites whose pages are trusted like the host's own.
    func isOfOwnPage(trusting origins: PageOrigins) -> Bool {
        let origin = headers[.origin]
        if let origin, origins.contains(origin) { return true }
        switch headers[.secFetchSite] {
        case "same-origin", "none": return true
        case nil: return origin.map { isOwn($0) } ?? true
        default: return false
        }
    }

    /// Whether an origin has the host and port that the request is for. `http://` is another site's over HTTPS; the
    /// scheme of any other request is not known, since a proxy may say nothing about it.
    private func isOwn(_ origin: String) -> Bool {
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.utf8.starts(with: scheme.utf8) {
            if isHTTPS, scheme == "http://" { return false }
            let host = origin.utf8.dropFirst(scheme.utf8.count)
            let authority = Substring(authority).utf8
            let isHost = { (own: Substring.UTF8View) in host.elementsEqual(own) { $0.lowercased == $1.lowercased } }
            // A browser leaves the scheme's own port out of an origin; another program may write it, and a proxy may
            // have written it in `Host`.
            let isWritten = authority.suffix(port.utf8.count).elementsEqual(port.utf8)
            return isHost(authority) || isWritten && isHost(authority.dropLast(port.utf8.count))
        }
        return false
    }
}
