import Logging
import Roost

/// The site: the same for production and for tests.
func makeApp(
    _ settings: Settings,
    logger: Logger = Logger(label: "app"),
    port: ListeningPort = ListeningPort()
) throws -> Application {
    let isDevelopment = settings.environment == .development
    let demo = isDevelopment ? DemoAccount(email: DemoAuthService.email, password: DemoAuthService.password) : nil
    let auth: any AuthService = isDevelopment ? DemoAuthService() : NoAccounts()
    let files = Result { try StaticFiles(settings.root + "/public", fingerprints: !isDevelopment) }
    let templates = try Templates(
        directory: settings.root + "/Templates", reloads: isDevelopment, assets: files.get())
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
            Compression(),
            SecurityHeaders(isHTTPS: settings.isHTTPS),
            ErrorPages(.page { error, _ in .view("error", error) }, logger: logger, explains: isDevelopment),
            AllowedHosts(settings.allowedHosts, publicURL: settings.publicURL, in: settings.environment),
            CrossOriginProtection(),
            sessions,
        ]
    ) { routes in
        routes.add(HomeController(siteURL: { settings.siteURL(port: port.number) }, demo: demo))
        routes.add(UserController(users: storage.users))
        routes.add(LoginController(auth: auth, sessions: sessions, demo: demo))
        routes.add(AccountController())
        routes.fallback(try files.get())
    }
}
