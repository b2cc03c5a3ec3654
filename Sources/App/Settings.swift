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
    /// The hosts that the site serves (`ALLOWED_HOSTS`), beside that of ``publicURL``.
    var allowedHosts: [String]
    var server: ServerConfiguration
    /// The folder for data (`DATA_DIR`).
    var dataFolder: String
    /// Where the data is (`DATABASE_URL`, with `DATA_DIR` for a relative path of a file); nil for `memory:`, which
    /// keeps data only until the process ends.
    var database: DatabaseURL?
    /// A copy of the database server that lists are read from (`DATABASE_READ_URL`); nil for the database itself.
    var databaseRead: DatabaseURL?
    /// The URL of the database server itself (`DATABASE_DIRECT_URL`) if ``database`` is that of a pooler; nil if not.
    var databaseDirectURL: String?
    /// The most connections to a database server (`DATABASE_CONNECTIONS`); SQLite has its own settings.
    var databaseConnections: Int
    /// Whether the start applies migrations (`MIGRATE`). By default it does, except to a database server in production,
    /// which is changed only by `App migrate`.
    var migrates: Bool
    /// What signs the texts that go through browsers (`SECRET_KEY`); nil without it, for a random key at each start.
    var signingKey: SigningKey?
    /// Whether failed sign-ins are slowed down (`LOGIN_THROTTLE`, on or off); production does not take off.
    var throttlesSignIns: Bool
    /// How long a session may go unused (`SESSION_IDLE_TIMEOUT`), and how long it lasts at most (`SESSION_LIFETIME`).
    var sessionIdleTimeout, sessionLifetime: Duration
    /// What hashing a password costs: MiB of memory (`PASSWORD_MEMORY`), and how often they are gone over
    /// (`PASSWORD_PASSES`).
    var passwordMemory, passwordPasses: Int
    /// Whether the site has the gallery of patterns, `/patterns` (`PATTERNS`).
    var hasPatterns: Bool

    /// Reads environment variables.
    /// - Throws: `StartError` for an invalid value.
    init(_ variables: [String: String] = ProcessEnvironment.variables) throws(StartError) {
        environment = try Environment(variables)
        root = variables["ROOT"].flatMap { $0.isEmpty ? nil : $0 } ?? "."
        publicURL = variables["PUBLIC_URL"].flatMap { $0.isEmpty ? nil : $0 }
        allowedHosts = try AllowedHosts.list(variables)
        dataFolder = variables["DATA_DIR"].flatMap { $0.isEmpty ? nil : $0 } ?? ".data"
        database = try Self.database(variables, dataFolder)
        databaseRead = try Self.server("DATABASE_READ_URL", variables, database)
        if case .postgresql(let url) = try Self.server("DATABASE_DIRECT_URL", variables, database) {
            databaseDirectURL = url
        }
        databaseConnections =
            try Self.number("DATABASE_CONNECTIONS", 1...1_000, variables) ?? PostgresConfiguration().maximumConnections
        let isServer = if case .postgresql = database { true } else { false }
        migrates =
            try Self.number("MIGRATE", 0...1, variables).map { $0 == 1 } ?? !(isServer && environment == .production)
        hasPatterns = try Self.isOn("PATTERNS", variables) ?? true
        server = try ServerConfiguration(environment: variables)
        signingKey = try SigningKey(environment: variables)
        throttlesSignIns = try Self.throttlesSignIns(variables, environment)
        sessionIdleTimeout = .seconds(try Self.number("SESSION_IDLE_TIMEOUT", 1...31_536_000, variables) ?? 1800)
        sessionLifetime = .seconds(try Self.number("SESSION_LIFETIME", 1...31_536_000, variables) ?? 28_800)
        passwordMemory = try Self.number("PASSWORD_MEMORY", 19...4096, variables) ?? 19
        passwordPasses = try Self.number("PASSWORD_PASSES", 2...100, variables) ?? 2
        guard publicURL.map({ $0.hasPrefix("http://") || $0.hasPrefix("https://") }) ?? true else {
            throw StartError.configuration("PUBLIC_URL is \"\(publicURL ?? "")\"; begin it with https:// or http://.")
        }
    }

    private static func database(
        _ variables: [String: String], _ folder: String
    ) throws(StartError) -> DatabaseURL? {
        let text = variables["DATABASE_URL"].flatMap { $0.isEmpty ? nil : $0 } ?? "sqlite:roost.sqlite"
        if text == "memory:" { return nil }
        return try DatabaseURL(text).inFolder(folder)
    }

    /// Another URL of the server that has the data.
    private static func server(
        _ name: String, _ variables: [String: String], _ database: DatabaseURL?
    ) throws(StartError) -> DatabaseURL? {
        guard let text = variables[name], !text.isEmpty else { return nil }
        guard case .postgresql = database, case .postgresql(let url) = try? DatabaseURL(text) else {
            throw StartError.configuration(
                "\(name) is for PostgreSQL: set it and DATABASE_URL to postgres://USER:PASSWORD@HOST/NAME, or remove it."
            )
        }
        return .postgresql(url)
    }

    private static func throttlesSignIns(
        _ variables: [String: String], _ environment: Environment
    ) throws(StartError) -> Bool {
        switch (variables["LOGIN_THROTTLE"] ?? "", environment) {
        case ("", _), ("on", _): return true
        case ("off", .development): return false
        case ("off", .production):
            throw StartError.configuration("LOGIN_THROTTLE is off, which is for load tests; remove it in production.")
        case (let text, _):
            throw StartError.configuration("LOGIN_THROTTLE is \"\(text)\"; set it to on or off.")
        }
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
        if environment == .production, publicURL == nil, server.trustedProxies == .none {
            logger.warning(
                "PUBLIC_URL and TRUSTED_PROXIES are not set: without HTTPS, people can sign in only on this machine.")
        }
        if environment == .production, isHTTPS, server.trustedProxies == .none {
            logger.warning(
                "TRUSTED_PROXIES is not set: all visitors look like the proxy, and share its limits for sign-ins.")
        }
        if environment == .production, database == nil {
            logger.warning("DATABASE_URL is memory:, so all data is lost when the site stops.")
        }
        if environment == .production, signingKey == nil {
            logger.warning("SECRET_KEY is not set: devices that have signed in before are not known after a restart.")
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
