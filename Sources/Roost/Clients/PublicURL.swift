/// The URL at which browsers reach a site, which is the root of a host: `https://example.com`, `http://localhost:8080`.
///
///     let url = try PublicURL(environment: ProcessEnvironment.variables)       // PUBLIC_URL
public struct PublicURL: Sendable, Equatable {
    /// The host, with the port if it has one: `example.com:8443`.
    package let authority: String
    /// Whether its scheme is `https`.
    public let isHTTPS: Bool

    /// Reads a URL of the schemes `http` and `https`, with a host and, if need be, a port (RFC 3986 §3.2).
    /// - Throws: ``StartError/configuration(_:)`` for any other text, and for one with a user, a path, a query or a
    ///   fragment, none of which a site could act upon.
    public init(_ text: String) throws(StartError) {
        let secure = "https://", plain = "http://"
        isHTTPS = text.utf8.starts(with: secure.utf8)
        guard isHTTPS || text.utf8.starts(with: plain.utf8) else {
            throw .configuration("PUBLIC_URL is \"\(text)\"; begin it with https:// or http://.")
        }
        var rest = text.utf8.dropFirst((isHTTPS ? secure : plain).utf8.count)
        if rest.last == UInt8(ascii: "/") { rest.removeLast() }
        var authority = String(Substring(rest))
        guard authority.withUTF8(Authority.isValid) else {
            throw .configuration(
                "PUBLIC_URL is not usable; set it to a scheme, a host and no more, as in https://example.com: no user, "
                    + "path or query.")
        }
        self.authority = authority
    }

    /// The URL of `PUBLIC_URL`; nil when that is not set.
    /// - Throws: ``StartError/configuration(_:)`` as ``init(_:)``.
    public init?(environment variables: [String: String]) throws(StartError) {
        guard let text = variables["PUBLIC_URL"], !text.isEmpty else { return nil }
        try self.init(text)
    }
}

extension PublicURL: CustomStringConvertible {
    /// The URL without a slash at its end.
    public var description: String { (isHTTPS ? "https://" : "http://") + authority }
}
