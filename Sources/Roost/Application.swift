package import CoreMetrics
public import Logging

/// A web application: its routes and the middleware around them, fixed once it is created.
///
///     await Application.serve {
///         try Application { routes in
///             routes.get(Path("/hello/{name}", String.self)) { _, name in "Hello, \(name)!" }
///         }
///     }
///
/// This is the only place that knows both halves: the server, which has sockets and no routes, and the web framework,
/// which has routes and no sockets.
public struct Application: Responder {
    /// The server's address and its limits.
    public let configuration: ServerConfiguration
    /// The application's logger.
    public let logger: Logger
    /// The services that the application needs while it serves.
    public let services: [any Service]
    /// The convention for JSON, unless a group or a route has its own.
    package let json: JSONCoder
    /// The routes in the order of declaration, without fallbacks.
    public let routes: [RouteDescription]
    /// The texts of templates, which tables of other languages should have.
    package let texts: [String]
    /// The tables among which ``Languages`` chooses; empty without that middleware.
    package let languages: [MessageTable]

    /// The time that the parts of the application go by, for the client of a test.
    package let time = TimeSource.current
    /// The place of the server that the clients of a test share.
    package private(set) var serverPlace = SharedPlace()

    /// Gets what the server measures: the task's back end of swift-metrics (`withMetricsFactory`) or the one that
    /// it was bootstrapped with. Without one, a ``PrometheusMetrics`` if there is an
    /// ``ServerConfiguration/adminPort``; otherwise nil, and nothing is measured.
    package private(set) var metrics: (any MetricsFactory)?
    /// Sentences about a list of middleware without ``CrossOriginProtection``, and about the API's description.
    private let ownWarnings: [String]
    /// The live pages, and the patterns of their paths; nil without any.
    private let live: (pages: LivePages, patterns: [String])?

    /// The outermost responder, which servers call: around the middleware and the routes, that of health checks.
    package private(set) var responder: any Responder
    /// Puts the same around another responder than the routes, for the client of a test.
    package let around: @Sendable (any Responder) -> any Responder
    /// Makes the same responder with a step on the timeline for each middleware, for the window of development.
    private let stepwise: @Sendable () -> any Responder

    /// Composes an application.
    /// - Parameters:
    ///   - logger: Where the application logs; by default, the task's logger (swift-log's `withLogger`) or one with the
    ///     label `roost`.
    ///   - services: Started in this order before the server listens, and stopped after it.
    ///   - healthChecks: The checks that must pass for `/health/ready` to report success, besides those of services
    ///     that are ``HealthReporting``. An application with its own route for `/health/live` or `/health/ready` must
    ///     handle both.
    ///   - json: The coder that writes JSON in responses and reads it from bodies; by default, a ``JSONCoder`` without
    ///     options. A group can have its own (``JSONConvention``), and so can a route
    ///     (``JSON/init(_:status:headers:using:)``).
    ///   - api: The description of the application's API (OpenAPI 3.1); nil for none.
    ///   - templates: The templates that views are rendered with.
    ///   - pageValues: Makes the values that every page has besides its own, such as the signed-in user. Templates look
    ///     up a name in the page first, and then in these values. The function is called whenever a view is rendered,
    ///     even for an error page, and may wait. If it throws, the response is that error, on the plain page of
    ///     ``ErrorPages``. Its changes to a session for an error page are saved if ``Sessions`` comes before
    ///     ``ErrorPages``.
    ///   - middleware: The middleware around every request, the outermost first; by default
    ///     ``standardMiddleware(logger:isHTTPS:errorPages:)``. A list of your own replaces it: to keep both, pass
    ///     `Application.standardMiddleware() + [Timing()]`. An empty list means none.
    ///   - routes: Declares the routes.
    /// - Throws: ``StartError`` when the routes contradict each other, or `ROOST_ENV` is neither `development` nor
    ///   `production`; ``TemplateErrors`` for live elements without an id.
    public init(
        configuration: ServerConfiguration? = nil,
        logger: Logger? = nil,
        services: [any Service] = [],
        healthChecks: [HealthCheck] = [],
        json: JSONCoder? = nil,
        api: APIDescription? = nil,
        templates: Templates? = nil,
        pageValues: (@Sendable (Request) async throws -> any Encodable & Sendable)? = nil,
        middleware: [any Middleware]? = nil,
        routes declare: (Routes) throws -> Void
    ) throws {
        _ = try LogFormat(ProcessEnvironment.variables)
        _ = try Logger.Level(ProcessEnvironment.variables)
        self.configuration = try configuration ?? ServerConfiguration(environment: ProcessEnvironment.variables)
        let logger = logger ?? .current(or: "roost")
        self.logger = logger
        metrics = MetricsSystem.factory
        if metrics is NOOPMetricsHandler { metrics = self.configuration.adminPort.map { _ in PrometheusMetrics() } }
        self.services = services
        self.json = json ?? JSONCoder()
        let limit = BodyLimit(body: self.configuration.maximumBodySize, form: self.configuration.maximumFormSize)
        let context = ResponseContext(templates: templates, pageValues: pageValues)
        var middleware = middleware ?? Self.standardMiddleware(logger: logger)
        texts = templates?.texts ?? []
        languages = middleware.compactMap { $0 as? Languages }.flatMap(\.tables)
        let table = RouteTable(context, bodyLimit: limit)
        try declare(Routes(table))
        let document = try api.map { try Routes(table).serve($0, json ?? JSONCoder(), middleware) }
        // Only where there is something for it: an application without live pages has no route that it did not declare.
        let live = !table.wrapped.isEmpty || templates?.haveLiveScript ?? false ? LivePages() : nil
        context.liveScript = live.map { Routes(table).serve($0) }
        if live != nil { try templates?.checkLiveElements() }
        let router = try table.freeze()
        live?.use(router, behind: (json.map { [JSONConvention($0)] } ?? []) + middleware, in: context)
        self.live = live.map { ($0, table.wrapped) }
        routes = table.routes.map(RouteDescription.init)
        let warning = CrossOriginProtection.warning(for: middleware, table.scopes.flatMap(\.middleware))
        ownWarnings = (warning.map { [$0] } ?? []) + (document?.warnings ?? [])
        let reload = LiveReload(ProcessEnvironment.variables, in: Environment.current)
        // It could not add to a page that is compressed.
        if let reload { middleware = [reload] + middleware.filter { !($0 is Compression) } }
        let isDevelopment = Environment.current == .development
        if let document, isDevelopment {
            middleware.insert(DescriptionCheck(document: document, logger: logger), at: 0)
        }
        let convention = json.map { [JSONConvention($0)] } ?? []
        let secure = services.securePort
        if secure == nil, Environment.isOnInternet(ProcessEnvironment.variables) {
            throw StartError.configuration(
                "TLS is auto, but this program has no TLS: add TLS() of RoostTLS to its services, or remove TLS=auto.")
        }
        let all = (convention + middleware).withLanguageLinks
        let checks = services.flatMap { ($0 as? any HealthReporting)?.healthChecks ?? [] } + healthChecks
        let hasHealth = !routes.contains { HealthPath.contains($0.path) }
        let monitor = hasHealth ? HealthMonitor(checks, explains: isDevelopment, logger: logger) : nil
        let whole = { @Sendable (inner: any Responder) -> any Responder in
            let chain = secure?.guarding(inner) ?? inner
            let traced: any Responder = StepSpan.hasTracer ? ServerSpan(around: chain) : chain
            return monitor.map { HealthResponder($0, traced) } ?? traced
        }
        around = { whole(all.around($0, in: context)) }
        responder = around(router)
        stepwise = { whole(all.aroundWithSteps(router, in: context)) }
    }

    /// The middleware that every application should have: request ids, one line of log for each request, security
    /// headers, error pages, and protection against requests from pages of other sites.
    ///
    ///     let pages = ErrorPages(.page { error, _ in .view("error", error) })
    ///     try Application(middleware: Application.standardMiddleware(errorPages: pages)) { routes in … }
    /// - Parameters:
    ///   - logger: By default, the task's logger (swift-log's `withLogger`) or one with the label `roost`.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    ///   - errorPages: Your own error pages, if you have some.
    public static func standardMiddleware(
        logger: Logger? = nil, isHTTPS: Bool = false, errorPages: ErrorPages? = nil
    ) -> [any Middleware] {
        [
            RequestIDs(), RequestLog(logger), SecurityHeaders(isHTTPS: isHTTPS),
            errorPages ?? ErrorPages(logger: logger), CrossOriginProtection(),
        ]
    }

    /// Makes an application and serves it until a signal stops it: everything that a `main` has to do.
    ///
    /// It first reads `.env`, in development (``EnvironmentFile``). With an `ADMIN_PORT`, it then makes
    /// ``PrometheusMetrics/standard`` the back end of swift-metrics, if there is none. If anything fails, the process
    /// ends as ``exit(with:)`` describes.
    /// - Parameter onStart: Called when the server listens, instead of logging its URL.
    public static func serve(
        onStart: ((Server) -> Void)? = nil,
        _ make: () async throws -> Application
    ) async {
        EndSignals.endFirstProcess()
        do { try EnvironmentFile.load() } catch { exit(with: error) }
        if ProcessEnvironment.variables["ADMIN_PORT"].map({ !["", "none"].contains($0) }) ?? false,
            MetricsSystem.factory is NOOPMetricsHandler
        {
            MetricsSystem.bootstrap(PrometheusMetrics.standard)
        }
        do {
            try await make().run(onStart: onStart)
        } catch {
            exit(with: error)
        }
    }

    /// Prints an error to standard error, and ends the process with the exit code of an ``ExitError``, or with 1 for
    /// any other error.
    public static func exit(with error: any Error) -> Never {
        LogWriter.exit(with: error)
    }

    /// Responds to one request as the server would.
    public func respond(to request: Request) async throws -> Response {
        try await responder.respond(to: request)
    }

    /// Responds to one request without waiting, if that is possible.
    public func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        try responder.respondWithoutWaiting(to: &request)
    }

    /// The responder at ``ServerConfiguration/adminPort``. On this machine's own address it refuses requests for other
    /// names, because a page elsewhere could have made such a name lead here (DNS rebinding).
    package var admin: any Responder {
        let responder = MetricsResponder(metrics as? PrometheusMetrics ?? .standard)
        let isLocal = ["127.0.0.1", "::1", "localhost"].contains(configuration.adminHost)
        guard isLocal else { return responder }
        return [AllowedHosts([], allowsLocal: true)].around(responder, in: ResponseContext(templates: nil))
    }

    /// Whether the window has a place: nothing says that others see the site, and nothing of its own is at the address.
    /// - Parameter variables: The environment variables of the process.
    func hasRoomForWindow(_ variables: [String: String]) -> Bool {
        let path = DevelopmentWindow.path
        return !configuration.isForOthers(at: Self.publicURL(variables))
            && !routes.contains { $0.path == path || $0.path.hasPrefix(path + "/") }
    }

    private static func publicURL(_ variables: [String: String]) -> PublicURL? {
        (try? PublicURL(environment: variables)) ?? nil
    }

    /// The sentence about a site that runs in development though others may see it; nil for any other.
    package func developmentWarning(
        in environment: Environment = .current, _ variables: [String: String] = ProcessEnvironment.variables
    ) -> String? {
        environment == .development ? configuration.developmentWarning(at: Self.publicURL(variables)) : nil
    }

    /// The same application inside the window `/_roost`, which shows what it does.
    package var showingWindow: Application {
        get throws {
            var copy = self
            copy.metrics = metrics ?? PrometheusMetrics()
            copy.serverPlace = SharedPlace()
            var parts = services.compactMap { $0 as? any WindowPart }
            if let live { parts.append(LivePagesPart(live: live.pages, pages: live.patterns)) }
            if let metrics = copy.metrics as? PrometheusMetrics {
                parts.append(LoopsPart(metrics: metrics, count: configuration.workers))
            }
            copy.responder = try DevelopmentWindow(around: stepwise()) { requests in
                WindowPages(
                    requests: requests, application: routes, configuration: configuration, parts: parts)
            }
            return copy
        }
    }

    /// Sentences about what is dangerous, or will hardly be meant, for the log of a start.
    package var warnings: [String] {
        let largest = configuration.memoryBudget.largest
        let routes = routes.filter { $0.bodyLimit ?? 0 > largest && $0.bodyLimit != configuration.maximumBodySize }
        return configuration.warnings + ownWarnings
            + routes.map {
                "\($0) at \($0.source) collects bodies of up to \($0.bodyLimit ?? 0) bytes, but one of more than "
                    + "\(largest), half of MAX_BUFFERED_SIZE, gets 413: raise that, or let the body be .streamed."
            }
    }

    /// Passes on how far the server is, to `/health/ready`.
    public func serverChanged(to phase: ServerPhase) { responder.serverChanged(to: phase) }

    /// Serves until a signal stops it (SIGTERM, SIGINT or SIGHUP), and first logs the URL to open at level `notice`.
    ///
    /// The first signal drains: after ``ServerConfiguration/drainDelay``, no new connections are accepted, requests in
    /// flight get their responses, idle connections close, and services stop. Then the function returns, after
    /// ``ServerConfiguration/drainTimeout`` at the latest (plus the time that services take). A second signal ends the
    /// process at once, with exit code 143 for SIGTERM and 130 for SIGINT.
    /// - Parameter onStart: Called when the server listens, instead of logging its URL.
    /// - Throws: ``StartError`` for a host that has no address or a port that cannot be used; any error of a service.
    public func run(onStart: ((Server) -> Void)? = nil) async throws {
        let hasWindow = Environment.current == .development && hasRoomForWindow(ProcessEnvironment.variables)
        let served = hasWindow ? try showingWindow : self
        let server = try await Server.listen(
            configuration, served.responder, services: services, metrics: served.metrics, admin: admin, logger: logger)
        // A name in HOST, such as localhost, may have an address that others reach.
        let isOpen = Environment.current == .development && !server.isLoopback
        let warning = developmentWarning() ?? (isOpen ? ServerConfiguration.openWarning : nil)
        for warning in [warning].compactMap(\.self) + warnings { logger.warning("\(warning)") }
        if let onStart { onStart(server) } else { logger.notice("Roost answers at \(server.url)") }
        try await server.run()
    }
}

/// A client of an application in the same process, such as `TestClient`. Modules extend it with whatever their services
/// record for tests.
public protocol ApplicationClient: Sendable {
    /// The application.
    var application: Application { get }

    /// Sends a request to which a function responds in place of the routes, behind the application's middleware.
    /// - Throws: The error of the function; an error when the request does not reach it, or the response is an error.
    func visit(_ respond: @escaping @Sendable (Request) async throws -> Response) async throws
}

extension ApplicationClient {
    /// The application's service of a type; nil if it has none.
    public func service<Kind: Service>(_ type: Kind.Type) -> Kind? {
        application.services.lazy.compactMap { $0 as? Kind }.first
    }
}
