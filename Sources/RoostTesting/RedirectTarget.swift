/// The target of a redirect within the application.
struct RedirectTarget {
    /// The path with the query, and without the fragment, which browsers keep to themselves.
    let path: String

    /// Nil for a URL of another host (RFC 3986 §5.2, for the references that applications send).
    init?(_ location: String, from current: String, host: String) {
        let location = location.utf8.prefix { $0 != UInt8(ascii: "#") }
        var path = String(Substring(location))
        for scheme in ["http://", "https://"] where path.hasPrefix(scheme) {
            let rest = path.utf8.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            guard authority.elementsEqual(host.utf8) else { return nil }
            path = String(Substring(rest.dropFirst(authority.count)))
            if !path.hasPrefix("/") { path = "/" + path }
        }
        guard !path.hasPrefix("//") else { return nil }
        let base = String(Substring(current.utf8.prefix { $0 != UInt8(ascii: "?") }))
        if path.isEmpty || path.hasPrefix("?") {
            path = base + path
        } else if !path.hasPrefix("/") {
            let folder = base.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.utf8[...$0] } ?? base.utf8[...]
            path = String(Substring(folder)) + path
        }
        self.path = path
    }
}

/// The error for an application that redirects for ever.
struct TooManyRedirects: Error, CustomStringConvertible {
    let description = "More than ten redirects follow each other."
}
