import Logging
import Roost
import RoostAuth
import RoostAuthCommands
import RoostCommands
import RoostHTTPClient
import RoostJobs
import RoostMail
import RoostSQL
import RoostTLS
import RoostTLSCommands

/// The program: it serves the site, and has the commands of ``AccountProgram``, `certificates` and `seed`.
///
/// Its `main` is `SiteProgram.main` of `RoostCommands`.
@main
struct App: AccountProgram, CertificateProgram {
    static let abstract = "The site built with Roost."
    static let migrations = Migrations.all
    static let tokenScopes = [UserController.writing]
    static let commands: [any ParsableCommand.Type] = [CertificatesCommand<App>.self, SeedCommand.self]

    static func application() throws -> Application { try makeApp(Settings()) }

    static func database() throws -> Database { try Settings().makeDatabase() }

    static func withCertificates(_ body: (AutomaticCertificates) async throws -> Void) async throws {
        let settings = try Settings()
        guard case .postgresql = settings.database, settings.tls.automatic != nil else {
            return try await body(AutomaticCertificates(settings.tls))
        }
        try await withDatabase { database in
            try await body(AutomaticCertificates(settings.tls, SQLCertificateStorage(database)))
        }
    }

    static func migratesAtStart() throws -> Bool { try Settings().migrates }

    static func auth(_ database: Database) throws -> Auth {
        Auth.site(try Settings(), database, logger: Logger(label: "app"))
    }

    /// Queues a welcome mail, which the running site then sends. The account exists even if this fails.
    static func didAdd(_ account: Account, to database: Database) async throws {
        let settings = try Settings()
        let isDevelopment = settings.environment == .development
        guard settings.mailServer != nil || isDevelopment else { return }
        guard settings.publicURL != nil || isDevelopment else {
            return Logger(label: "app").warning(
                "\(LogText.escaped(account.email)) gets no welcome: PUBLIC_URL does not say where to sign in.")
        }
        let templates = try settings.makeTemplates()
        let mailer = Mailer(settings.mailServer, from: settings.mailSender, templates: templates)
        let welcome = WelcomeMail(email: account.email, loginURL: settings.loginURL)
        do {
            try await Jobs(database, [], services: [mailer]).send(welcome.mail)
        } catch let error as MailError {
            Logger(label: "app").warning("\(LogText.escaped(account.email)) gets no welcome: \(error)")
        }
    }

    static func readSettings(_ reader: inout SettingsReader) { _ = Settings(reading: &reader) }

    static func startChecks() throws -> [StartCheck] {
        let settings = try Settings()
        var checks = [StartCheck("warnings") { settings.warnings.joined(separator: " ") }]
        if let folder = settings.writtenFolder { checks.append(.folder("data folder", folder)) }
        if let files = settings.files {
            checks.append(
                StartCheck("pictures") {
                    try await S3FileStore(S3Bucket(files)).open()
                    return "\(files)"
                })
        }
        return checks
    }

    static func didStart(_ server: Server) { (try? Settings())?.warn(Logger(label: "app")) }
}

/// The mail to a new account.
struct WelcomeMail: Encodable, Sendable {
    let email: String
    /// The page on which the owner signs in.
    let loginURL: String

    var mail: Mail {
        Mail(to: MailAddress(email), subject: "Welcome to Roost", view: "mails/welcome", self)
    }
}
