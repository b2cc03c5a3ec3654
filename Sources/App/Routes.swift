import Logging
import Patterns
import Roost
import RoostAuth
import RoostAuthCommands
import RoostCommands
import RoostJobs
import RoostMail
import RoostSQL
import RoostTLS

/// The site: the same for production and for tests.
/// - Parameter galleryDelay: The time that a login of the gallery takes.
func makeApp(
    _ settings: Settings, logger: Logger = Logger(label: "app"), galleryDelay: Duration = .seconds(1)
) throws -> Application {
    let isDevelopment = settings.environment == .development
    let demo = settings.isForAuthor ? DemoAccount(email: DemoAccounts.email, password: DemoAccounts.password) : nil
    let files = Result { try StaticFiles(settings.root + "/public", fingerprints: !isDevelopment) }
    let templates = try settings.makeTemplates(reloads: isDevelopment, assets: files.get())
    let mailer = Mailer(settings.mailServer, from: settings.mailSender, templates: templates, logger: logger)
    let database = try settings.makeDatabase(logger)
    // A database in memory is new at each start; nobody needs to read that.
    var quietly = logger
    if settings.isInMemory { quietly.logLevel = max(logger.logLevel, .warning) }
    let migrator = Migrator(database, Migrations.all, logger: quietly)
    let accountChanges = SQLTopic<AccountChange>("accounts", in: database, logger: logger)
    let auth = Auth.site(settings, database, changes: accountChanges, logger: logger)
    let sessions = Sessions(auth.sessions, isHTTPS: settings.isHTTPS)
    let flash = Flash(key: settings.signingKey ?? .random(), isHTTPS: settings.isHTTPS)
    let pictures = PictureFolder(settings)
    var users = SQLUserRepository(database: database, logger: logger)
    let receiver: [any Sendable] = settings.webhook.map { [$0] } ?? []
    let jobs = Jobs(
        database, [Cleanup.self, MailDelivery.self, UserWebhook.self], queues: ["default": 10, "mail": 4],
        schedules: [JobSchedule("0 4 * * *", Cleanup())],
        services: [auth.sessions, pictures, users, mailer] + receiver, logger: logger)
    if settings.webhook != nil { users.webhooks = jobs }
    let migrations: any Service = settings.migrates ? migrator : MigrationReminder(migrator, logger: logger)
    var services: [any Service] = [database, migrations, users.topic, accountChanges, pictures, mailer, jobs, auth]
    if !settings.isForAuthor {
        services.append(AccountReminder(auth.accounts, logger: logger))
        services.append(DemoSessions(sessions: auth.sessions, logger: logger))
    }
    let certificates = database.dialect == .postgresql ? SQLCertificateStorage(database) : nil
    services.append(try TLS(settings.tls, storage: certificates, logger: logger))

    return try Application(
        configuration: settings.server,
        logger: logger,
        services: services,
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
        routes.get(Path("/")) { request in
            // Of what a request says about the site, only the port is shown: browsers may come by another one.
            let port = request.authority.utf8.split(separator: UInt8(ascii: ":")).dropFirst().last
                .flatMap { Int(Substring($0)) }
            return View("home", HomePage(siteURL: settings.siteURL(port: port), demo: demo))
        }
        let writers = auth.requireUser(scope: UserController.writing)
        let keys = IdempotencyKeys(database)
        routes.add(UserController(users: users, pictures: pictures.store, writers: writers, keys: [keys]))
        routes.add(PictureController(users: users, pictures: pictures.store, writers: writers))
        routes.add(LoginController(auth: auth, sessions: sessions, demo: demo))
        routes.add(AccountController(auth: auth, changes: accountChanges))
        routes.add(try ManualController(folder: settings.root + "/docs"))
        if settings.hasPatterns {
            routes.add(Gallery(templates: templates, delay: galleryDelay, isHTTPS: settings.isHTTPS))
        }
        if settings.isForAuthor { routes.add(MailPages(mailer)) }
        routes.fallback(try files.get())
    }
}
