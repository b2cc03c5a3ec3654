import HTTPTypes

/// Middleware that refuses requests for hosts that are not this site's, with 421 Misdirected Request (RFC 9110
/// §15.5.20).
///
///     let hosts = try AllowedHosts(environment: ProcessEnvironment.variables)
///     try Application(middleware: Application.standardMiddleware() + [hosts]) { routes in … }
///
/// Another site can let its name resolve to this server (DNS rebinding): to a browser both are then one site, and its
/// pages can read everything. And a site that builds URLs from `Host` can be made to send its users elsewhere.
///
/// This machine's own names (`localhost`, `*.localhost`, `127.0.0.1`, `[::1]`) are always allowed: no other site can
/// have them. Behind a trusted proxy, the host is the one that it reports (``Request/authority``).
public struct AllowedHosts: Filter {
    private let names: Set<String>
    /// Those that are addresses, which can be written in several ways.
    private let addresses: Set<IPAddress>
    /// The names' bytes.
    private let plain: [[UInt8]]
    /// The ends of names, with the dot before them.
    private let suffixes: [String]
    private let allowsLocal: Bool
    /// Whether every host is allowed.
    private var isOff = false

    /// Creates the middleware for a list of hosts.
    /// - Parameters:
    ///   - hosts: Names or addresses without ports, such as `example.com`; `.example.com` also stands for all names
    ///     below it.
    ///   - allowsLocal: Whether every IP address is allowed, and every name without a dot, such as that of a container.
    ///     No other site can let such a host resolve to this server; but do not build URLs from it.
    public init(_ hosts: [String], allowsLocal: Bool = false) {
        let hosts = hosts.map { Self.normal(Substring($0).utf8) }
        suffixes = hosts.filter { $0.utf8.first == UInt8(ascii: ".") }
        addresses = Set(hosts.compactMap(Self.address))
        names = Set(hosts + suffixes.map { String($0.dropFirst()) })
        plain = (["localhost", "127.0.0.1"] + names).map { Array($0.utf8) }
        self.allowsLocal = allowsLocal
    }

    /// Creates the middleware for an environment. In development, all IP addresses and names without a dot are allowed,
    /// too. In production, if neither hosts nor a URL are given, every host is allowed.
    /// - Parameters:
    ///   - hosts: As in ``init(_:allowsLocal:)``.
    ///   - publicURL: The URL at which browsers reach the site; its host is one of those that are allowed.
    public init(_ hosts: [String] = [], publicURL: PublicURL?, in environment: Environment) {
        let hosts = hosts + (publicURL.map { [String(Substring(Authority.host(of: $0.authority[...].utf8)))] } ?? [])
        self.init(hosts, allowsLocal: environment == .development)
        isOff = !allowsLocal && hosts.isEmpty
    }

    /// Takes the hosts from environment variables: `ALLOWED_HOSTS`, a list separated by commas, `PUBLIC_URL` and
    /// `ROOST_ENV`.
    /// - Throws: ``StartError/configuration(_:)`` for a host that is no name, or a URL that cannot be used.
    public init(environment variables: [String: String]) throws(StartError) {
        let url = try PublicURL(environment: variables)
        self.init(try Self.list(variables), publicURL: url, in: try Environment(variables))
    }

    /// The hosts of `ALLOWED_HOSTS`.
    /// - Throws: ``StartError/configuration(_:)`` for one that is no name.
    public static func list(_ variables: [String: String]) throws(StartError) -> [String] {
        let hosts = (variables["ALLOWED_HOSTS"] ?? "").listed
            .filter { !$0.isEmpty }
        for host in hosts where !isName(host) && address(host) == nil {
            throw .configuration(
                "ALLOWED_HOSTS has \"\(host)\"; write names like example.com, or .example.com for all names below it, "
                    + "with the letters that browsers send (xn--…).")
        }
        return hosts
    }

    private static func isName(_ host: String) -> Bool {
        var host = host
        return !host.utf8.contains { ":*".utf8.contains($0) } && host.withUTF8(Authority.isValid)
    }

    /// The address that a host is, in brackets or not; nil for a name.
    private static func address(_ host: String) -> IPAddress? {
        IPAddress(Authority.withoutBrackets(host[...].utf8))
    }

    /// Lets requests for this site's hosts pass.
    /// - Throws: ``HTTPError`` with 421 for any other.
    public func before(_ request: inout Request) throws -> Response? {
        guard isOff || isPlain(request) || allows(request.authority) else {
            throw HTTPError(
                .misdirectedRequest,
                Sentence("This server does not serve the host {host}.", ["host": LogText.escaped(request.authority)]))
        }
        return nil
    }

    /// Whether the host is written as it is listed: nearly every request's is, and comparing bytes costs least.
    @inline(__always)
    private func isPlain(_ request: Request) -> Bool {
        guard let bytes = request.ownAuthority else { return false }
        return plain.contains { name in
            bytes.count >= name.count && (bytes.count == name.count || bytes[name.count] == UInt8(ascii: ":"))
                && bytes[..<name.count].elementsEqual(name)
        }
    }

    /// Whether requests for a host, with a port or without, are allowed.
    package func allows(_ authority: String) -> Bool {
        let host = Self.normal(Authority.host(of: Substring(authority).utf8))
        if names.contains(host) || host == "localhost" || host.hasSuffix(".localhost") { return true }
        if suffixes.contains(where: { host.hasSuffix($0) }) { return true }
        guard let address = Self.address(host) else { return allowsLocal && !host.utf8.contains(UInt8(ascii: ".")) }
        return allowsLocal || address.isLoopback || addresses.contains(address)
    }

    /// A host in small letters and without the dot that may end a name.
    private static func normal(_ host: Substring.UTF8View) -> String {
        let host = host.last == UInt8(ascii: ".") ? host.dropLast() : host
        return String(decoding: host.map(\.lowercased), as: UTF8.self)
    }
}
