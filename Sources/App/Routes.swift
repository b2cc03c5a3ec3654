import Logging
import Patterns
import Roost

/// The site: the same for production and for tests.
/// - Parameter galleryDelay: How long a login of the gallery takes.
func makeApp(
    _ settings: Settings,
    logger: Logger = Logger(label: "app"),
    port: ListeningPort = ListeningPort(),
    galleryDelay: Duration = .seconds(1)
) throws -> Application {
    let isDevelopment = settings.environment == .development
    let demo = isDevelopment ? DemoAccount(email: DemoAuthService.email, password: DemoAuthService.password) : nil
    let auth: any AuthService = isDevelopment ? DemoAuthService() : NoAccounts()
    let templates = try Templates(directory: settings.root + "/Templates", reloads: isDevelopment)
    let files = try StaticFiles(settings.root + "/public")
    let storage = try Storage(settings, logger)
    let sessions = Sessions(storage.sessions, isHTTPS: settings.isHTTPS)

    return try Application(
        configuration: settings.server,
        logger: logger,
        services: storage.services,
        templates: templates,
        pageValues: { await SiteValues($0) },
        middleware: [
            RequestIDs(),
            RequestLog(logger),
            SecurityHeaders(isHTTPS: settings.isHTTPS),
            ErrorPages(.page { error, _ in .view("error", error) }, logger: logger, explains: isDevelopment),
            CrossOriginProtection(),
            sessions,
        ]
    ) { routes in
        let siteURL: @Sendable () -> String = { settings.siteURL(port: port.number) }
        routes.add(HomeController(siteURL: siteURL, demo: demo, hasPatterns: settings.hasPatterns))
        routes.add(UserController(users: storage.users))
        routes.add(LoginController(auth: auth, sessions: sessions, demo: demo))
        routes.add(AccountController())
        if settings.hasPatterns { routes.add(Gallery(delay: galleryDelay, isHTTPS: settings.isHTTPS)) }
        routes.fallback(files)
    }
}
