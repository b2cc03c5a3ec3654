import Logging
import Roost
import RoostPostgres
import RoostSQL

/// The settings of the site, from environment variables.
struct Settings: Sendable {
    var environment: Environment
    /// The folder that holds `Templates/` and `public/` (`ROOT`).
    var root: String
    /// The URL at which browsers reach the site (`PUBLIC_URL`), if it is known.
    var publicURL: String?
    var server: ServerConfiguration
    /// Where the data is (`DATABASE_URL`, with `DATA_DIR` for a relative path of a file); nil for `memory:`, which
    /// keeps data only until the process ends.
    var database: DatabaseURL?
    /// The most connections to a database server (`DATABASE_CONNECTIONS`); SQLite has its own settings.
    var databaseConnections: Int
    /// Whether the start applies migrations (`MIGRATE`). By default it does, except to a database server in production,
    /// which is changed only by `App migrate`.
    var migrates: Bool
    /// Whether the site has the gallery of patterns, `/patterns` (`PATTERNS`).
    var hasPatterns: Bool

    /// Reads environment variables.
    /// - Throws: `StartError` for an invalid value.
    init(_ variables: [String: String] = ProcessEnvironment.variables) throws(StartError) {
        environment = try Environment(variables)
        root = variables["ROOT"].flatMap { $0.isEmpty ? nil : $0 } ?? "."
        publicURL = variables["PUBLIC_URL"].flatMap { $0.isEmpty ? nil : $0 }
        database = try Self.database(variables)
        databaseConnections =
            try Self.number("DATABASE_CONNECTIONS", 1...1_000, variables) ?? PostgresConfiguration().maximumConnections
        let isServer = if case .postgresql = database { true } else { false }
        migrates =
            try Self.number("MIGRATE", 0...1, variables).map { $0 == 1 } ?? !(isServer && environment == .production)
        hasPatterns = try Self.isOn("PATTERNS", variables) ?? true
        server = try ServerConfiguration(environment: variables)
        guard publicURL.map({ $0.hasPrefix("http://") || $0.hasPrefix("https://") }) ?? true else {
            throw StartError.configuration("PUBLIC_URL is \"\(publicURL ?? "")\"; begin it with https:// or http://.")
        }
    }

    private static func database(_ variables: [String: String]) throws(StartError) -> DatabaseURL? {
        let text = variables["DATABASE_URL"].flatMap { $0.isEmpty ? nil : $0 } ?? "sqlite:roost.sqlite"
        if text == "memory:" { return nil }
        let folder = variables["DATA_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? ".data"
        return try DatabaseURL(text).inFolder(folder)
    }

    private static func isOn(_ name: String, _ variables: [String: String]) throws(StartError) -> Bool? {
        switch variables[name] {
        case nil, "": return nil
        case "on": return true
        case "off": return false
        case let text?: throw StartError.configuration("\(name) is \"\(text)\"; set it to on or off.")
        }
    }

    private static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        _ variables: [String: String]
    ) throws(StartError) -> Int? {
        guard let text = variables[name], !text.isEmpty else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw StartError.configuration(
                "\(name) is \"\(text)\"; set it to a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// Logs a warning for each setting that is dangerous or will not work.
    func warn(_ logger: Logger) {
        if environment == .production, publicURL == nil {
            logger.warning("PUBLIC_URL is not set: without https:, people can sign in only on this machine.")
        }
        if environment == .production, database == nil {
            logger.warning("DATABASE_URL is memory:, so all data is lost when the site stops.")
        }
    }

    /// The URL to type to reach the site, without a slash at the end.
    /// - Parameter port: The port that it listens on, if known.
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
