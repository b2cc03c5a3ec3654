import Logging
import Patterns
import Roost
import RoostAuth
import RoostAuthCommands
import RoostMail
import RoostSQL
import RoostTLS

/// The site: the same for production and for tests.
/// - Parameters:
///   - port: The port that it listens on; nil while nobody knows it.
///   - galleryDelay: The time that a login of the gallery takes.
func makeApp(
    _ settings: Settings,
    logger: Logger = Logger(label: "app"),
    port: @escaping @Sendable () -> Int? = { nil },
    galleryDelay: Duration = .seconds(1)
) throws -> Application {
    let isDevelopment = settings.environment == .development
    let demo = isDevelopment ? DemoAccount(email: DemoAccounts.email, password: DemoAccounts.password) : nil
    let files = Result { try StaticFiles(settings.root + "/public", fingerprints: !isDevelopment) }
    let templates = try Templates(
        directory: settings.root + "/Templates", reloads: isDevelopment, assets: files.get())
    let mailer = Mailer(settings.mailServer, from: settings.mailSender, templates: templates, logger: logger)
    let storage = try Storage(settings, mailer, logger)
    let flash = Flash(key: settings.signingKey ?? .random(), isHTTPS: settings.isHTTPS)
    let auth = Auth.site(settings, storage.database, changes: storage.accountChanges, logger: logger)
    let sessions = Sessions(auth.sessions, isHTTPS: settings.isHTTPS)
    let production: [any Service] =
        isDevelopment
        ? [] : [AccountReminder(auth.accounts, logger: logger), DemoSessions(auth.sessions, logger: logger)]

    return try Application(
        configuration: settings.server,
        logger: logger,
        services: storage.services + [auth] + production + [
            try TLS(settings.tls, storage: storage.certificates, logger: logger)
        ],
        api: APIDescription(
            title: "Users", version: "1",
            about: "The list of users: everybody may read it, and programs with a token may change it.",
            document: "/openapi.json", page: "/api-docs"),
        templates: templates,
        pageValues: { await SiteValues($0, hasPatterns: settings.hasPatterns) },
        middleware: [
            RequestIDs(),
            RequestLog(logger),
            Compression(),
            SecurityHeaders(isHTTPS: settings.isHTTPS),
            ErrorPages(.page { error, _ in .view("error", error) }, logger: logger, explains: isDevelopment),
            AllowedHosts(settings.allowedHosts, publicURL: settings.publicURL, in: settings.environment),
            CrossOriginProtection(),
            flash,
            sessions,
        ]
    ) { routes in
        routes.add(HomeController(siteURL: { settings.siteURL(port: port()) }, demo: demo))
        let writers = auth.requireUser(scope: UserController.writing)
        let keys = IdempotencyKeys(storage.database)
        routes.add(UserController(users: storage.users, pictures: storage.pictures, writers: writers, keys: [keys]))
        routes.add(PictureController(users: storage.users, pictures: storage.pictures, writers: writers))
        routes.add(LoginController(auth: auth, sessions: sessions, demo: demo))
        routes.add(AccountController(auth: auth, changes: storage.accountChanges))
        routes.add(try ManualController(folder: settings.root + "/docs"))
        if settings.hasPatterns {
            routes.add(Gallery(templates: templates, delay: galleryDelay, isHTTPS: settings.isHTTPS))
        }
        if isDevelopment { routes.add(MailPages(mailer)) }
        routes.fallback(try files.get())
    }
}
