import Logging
import Roost

/// What the site is told from outside.
struct Settings: Sendable {
    var environment: Environment
    /// The folder that holds `Templates/` and `public/` (`ROOT`).
    var root: String
    /// Where browsers reach the site (`PUBLIC_URL`), if it is known.
    var publicURL: String?
    var server: ServerConfiguration

    /// From environment variables.
    /// - Throws: `ConfigurationError` for a value that is none.
    init(_ variables: [String: String] = ProcessEnvironment.variables) throws(ConfigurationError) {
        environment = try Environment(variables)
        root = variables["ROOT"].flatMap { $0.isEmpty ? nil : $0 } ?? "."
        publicURL = variables["PUBLIC_URL"].flatMap { $0.isEmpty ? nil : $0 }
        server = try ServerConfiguration(environment: variables)
        guard publicURL.map({ $0.hasPrefix("http://") || $0.hasPrefix("https://") }) ?? true else {
            throw ConfigurationError("PUBLIC_URL is \"\(publicURL ?? "")\"; begin it with https:// or http://.")
        }
    }

    /// Says what is dangerous about these settings, or will not work.
    func warn(of server: Server, _ logger: Logger) {
        if environment == .development, !server.isLoopback {
            logger.warning("Development is open to the network: set HOST=127.0.0.1, or ROOST_ENV=production.")
        }
        if environment == .production, publicURL == nil {
            logger.warning("PUBLIC_URL is not set: without https: there is no signing in but on this machine.")
        }
    }

    /// What to type to reach the site, without a slash at the end.
    /// - Parameter port: The port that it listens on, if that is known.
    func siteURL(port: Int? = nil) -> String {
        guard var url = publicURL else {
            let port = port ?? server.port
            return port == 0 ? "localhost" : "localhost:\(port)"
        }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    /// Whether browsers reach the site over HTTPS.
    var isHTTPS: Bool { publicURL?.hasPrefix("https:") ?? false }
}
