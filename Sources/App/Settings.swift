import Logging
import Roost
import RoostHTTPClient
import RoostMail
import RoostPostgres
import RoostSQL
import RoostTLS

/// The settings of the site, from environment variables.
struct Settings: Sendable {
    var environment: Environment
    /// The folder that holds `Templates/` and `public/` (`ROOT`).
    var root: String
    /// The URL at which browsers reach the site (`PUBLIC_URL`), if it is known.
    var publicURL: PublicURL?
    /// Whether `PUBLIC_URL`, `TRUSTED_PROXIES`, `HOST` or a socket that was passed on shows that people other than its
    /// author may see the site.
    let isSeenByOthers: Bool
    /// The hosts that the site serves (`ALLOWED_HOSTS`), beside that of ``publicURL``.
    var allowedHosts: [String]
    var server: ServerConfiguration
    /// TLS without a proxy (`TLS_PORT` and others).
    var tls: TLSSettings
    /// The folder for data (`DATA_DIR`).
    var dataFolder: String
    /// The bucket for the users' pictures (`FILES_URL`); nil for the folder for data.
    var files: S3Location?
    /// The location of the database (`DATABASE_URL`, with `DATA_DIR` for a relative path of a file); with `memory:`,
    /// data lasts only until the process ends.
    var database: DatabaseURL
    /// The URL of the database server itself (`DATABASE_DIRECT_URL`) if ``database`` is that of a pooler; nil if not.
    var databaseDirectURL: String?
    /// The most connections to a database server (`DATABASE_CONNECTIONS`); SQLite has its own settings.
    var databaseConnections: Int
    /// Whether the site applies migrations when it starts (`MIGRATE`). By default it does, except to a database server
    /// in production, which is changed only by `App migrate`.
    var migrates: Bool
    /// The key that signs the texts that go through browsers (`SECRET_KEY`); nil for a random key at each start.
    var signingKey: SigningKey?
    /// Whether failed sign-ins are slowed down (`LOGIN_THROTTLE`, `on` or `off`); production refuses `off`.
    var throttlesSignIns: Bool
    /// The time that a session may go unused (`SESSION_IDLE_TIMEOUT`), and the longest that it lasts
    /// (`SESSION_LIFETIME`).
    var sessionIdleTimeout, sessionLifetime: Duration
    /// The cost of hashing a password: MiB of memory (`PASSWORD_MEMORY`), and the number of passes over them
    /// (`PASSWORD_PASSES`).
    var passwordMemory, passwordPasses: Int
    /// The server that takes the site's mails (`SMTP_URL`); nil to send none.
    var mailServer: SMTPServer?
    /// The sender of the site's mails (`MAIL_FROM`).
    var mailSender: MailAddress
    /// The program that is told about changes to the list of users (`WEBHOOK_URL`, `WEBHOOK_SECRET`), if there is one.
    var webhook: WebhookReceiver?
    /// Whether there is a secret for webhooks, but nobody to send them to.
    let lacksWebhookURL: Bool
    /// Whether the site has the gallery of patterns, `/patterns` (`PATTERNS`).
    var hasPatterns: Bool

    /// Reads environment variables.
    /// - Throws: `StartError` with a sentence for each invalid value.
    init(_ variables: [String: String] = ProcessEnvironment.variables) throws(StartError) {
        var reader = SettingsReader(variables)
        self.init(reading: &reader)
        try reader.check()
    }

    /// Reads environment variables; the reader notes invalid values.
    init(reading reader: inout SettingsReader) {
        environment = Environment(reading: &reader)
        LogFormat.read(&reader)
        server = ServerConfiguration(reading: &reader)
        tls = TLSSettings(reading: &reader)
        root = reader.read(Setting("ROOT", default: "."))
        publicURL = reader.read(ifSet: "PUBLIC_URL") { url throws(StartError) in try PublicURL(url) }
        allowedHosts =
            reader.read("ALLOWED_HOSTS") { variables throws(StartError) in try AllowedHosts.list(variables) } ?? []
        let variables = reader.variables
        signingKey = reader.read(ifSet: "SECRET_KEY", isSecret: true) { _ throws(StartError) in
            try SigningKey(environment: variables)
        }
        sessionIdleTimeout = reader.read(Setting("SESSION_IDLE_TIMEOUT", default: .seconds(1800), in: 1...31_536_000))
        sessionLifetime = reader.read(Setting("SESSION_LIFETIME", default: .seconds(28_800), in: 1...31_536_000))
        passwordMemory = reader.read(Setting("PASSWORD_MEMORY", default: 19, in: 19...4096))
        passwordPasses = reader.read(Setting("PASSWORD_PASSES", default: 2, in: 2...100))
        throttlesSignIns = reader.read(Setting("LOGIN_THROTTLE", default: true))
        let folder = reader.read(Setting("DATA_DIR", default: ".data"))
        dataFolder = folder
        files = reader.read(ifSet: "FILES_URL", isSecret: true) { url throws(StartError) in
            try S3Location(url, variables)
        }
        database = Self.memory
        let location = reader.read(Setting("DATABASE_URL", default: "sqlite:roost.sqlite"))
        do throws(StartError) {
            if location != "memory:" { database = try DatabaseURL(location).inFolder(folder) }
        } catch {
            reader.addError(error.description)
        }
        let isServer = if case .postgresql = database { true } else { false }
        databaseDirectURL = reader.read(ifSet: "DATABASE_DIRECT_URL") { text throws(StartError) in
            guard isServer, case .postgresql(let url) = try? DatabaseURL(text) else {
                throw StartError.configuration(
                    "DATABASE_DIRECT_URL is for PostgreSQL: set it and DATABASE_URL to "
                        + "postgres://USER:PASSWORD@HOST/NAME, or remove it.")
            }
            return url
        }
        let connections = PostgresConfiguration().maximumConnections
        databaseConnections = reader.read(Setting("DATABASE_CONNECTIONS", default: connections, in: 1...1_000))
        migrates = reader.read(.zeroOrOne("MIGRATE", default: !(isServer && environment == .production)))
        mailServer = reader.read(ifSet: "SMTP_URL") { url throws(StartError) in try SMTPServer(url: url) }
        mailSender = reader.read(Setting<MailAddress>("MAIL_FROM", default: "Roost <roost@localhost>"))
        let key = reader.read(Setting<String?>("WEBHOOK_SECRET", isSecret: true))
        webhook = reader.read(ifSet: "WEBHOOK_URL", isSecret: true) { url throws(StartError) in
            try Self.webhook(url, key)
        }
        lacksWebhookURL = key != nil && webhook == nil
        hasPatterns = reader.read(Setting("PATTERNS", default: true))
        publicURL = publicURL ?? tls.siteURL
        isSeenByOthers =
            server.isForOthers(at: publicURL) || !server.isOnThisMachine
            || (tls.port != nil && !server.isHostOnThisMachine)
        allowedHosts += tls.automatic?.hosts ?? []
        if environment == .production, !throttlesSignIns {
            reader.addError("LOGIN_THROTTLE is off, which is for load tests; remove it in production.")
        }
    }

    private static let memory = DatabaseURL.sqlite(path: ":memory:")

    private static func webhook(_ url: String, _ secret: String?) throws(StartError) -> WebhookReceiver {
        let usable = "what `echo whsec_$(openssl rand -base64 32)` prints"
        guard url.hasPrefix("https://") || url.hasPrefix("http://"), let secret else {
            throw .configuration(
                "WEBHOOK_URL needs a URL, as in https://HOST/PATH, and a secret: set WEBHOOK_SECRET to \(usable), or "
                    + "remove WEBHOOK_URL.")
        }
        guard let key = try? WebhookKey(secret) else {
            throw .configuration("WEBHOOK_SECRET has the wrong form; set it to \(usable).")
        }
        return WebhookReceiver(url: url, key: key)
    }

    /// Logs a warning for each setting that is dangerous or will not work.
    func warn(_ logger: Logger) {
        for warning in warnings { logger.warning("\(warning)") }
    }

    /// Sentences about settings that are dangerous or will not work, for the log of a start and for `check`.
    var warnings: [String] {
        var warnings: [String] = []
        if signingKey?.isGuessable ?? false {
            warnings.append("SECRET_KEY has too few different characters: use what `openssl rand -base64 32` prints.")
        }
        if lacksWebhookURL {
            warnings.append("WEBHOOK_SECRET is set, but WEBHOOK_URL is not: no program is told about changes.")
        }
        guard environment == .production else { return warnings }
        let needsProxy = tls.port == nil && server.trustedProxies == .none
        if needsProxy, publicURL == nil {
            warnings.append(
                "PUBLIC_URL and TRUSTED_PROXIES are not set: without HTTPS, people can sign in only on this machine.")
        }
        if needsProxy, isHTTPS, !server.isOnUnixSocket {
            warnings.append(
                "TRUSTED_PROXIES is not set: all visitors look like the proxy, and share its limits for sign-ins.")
        }
        if isInMemory {
            warnings.append("DATABASE_URL is memory:, so all data is lost when the site stops.")
        }
        if mailServer == nil {
            warnings.append("SMTP_URL is not set, so new accounts get no mail.")
        }
        if signingKey == nil {
            warnings.append("SECRET_KEY is not set: devices that have signed in before are not known after a restart.")
        }
        return warnings
    }

    /// The URL to type to reach the site, without a slash at the end.
    /// - Parameter port: The port by which it is reached, if known.
    func siteURL(port: Int? = nil) -> String {
        if let publicURL { return "\(publicURL)" }
        let port = port ?? server.port
        return port == 0 ? "localhost" : "localhost:\(port)"
    }

    /// The URL of the page on which people sign in, as a mail needs it.
    var loginURL: String {
        (publicURL == nil ? "http://" : "") + siteURL() + "/login"
    }

    /// Whether all data is lost when the site stops.
    var isInMemory: Bool { database == Self.memory }

    /// The folder that the site writes to: the folder for data with the pictures or the certificates of `TLS=auto`, or
    /// else that of the database's file; nil if nothing of the site is on a disk.
    var writtenFolder: String? {
        guard case .sqlite(let path) = database else { return files == nil ? dataFolder : nil }
        if tls.automatic != nil || files == nil && !isInMemory { return dataFolder }
        return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(Substring(path.utf8[...$0])) }
    }

    /// Whether the site has what is for its author alone, the demo account and the mails: in development, unless
    /// settings say that others may see the site.
    var isForAuthor: Bool { environment == .development && !isSeenByOthers }

    /// Whether browsers reach the site over HTTPS.
    var isHTTPS: Bool { publicURL?.isHTTPS ?? false }
}
