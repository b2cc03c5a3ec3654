import Glibc
public import Logging

/// A web application: routes, and the middleware around them, frozen when it is made.
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
    /// Where the server listens, and its limits.
    public let configuration: ServerConfiguration
    /// The application's logger.
    public let logger: Logger
    /// The services that the application needs while it serves.
    public let services: [any Service]
    /// The routes in the order of declaration, without fallbacks.
    public let routes: [RouteDescription]

    private let responder: any Responder

    /// Composes an application.
    /// - Parameters:
    ///   - services: Started in this order before the server listens, and stopped after it.
    ///   - templates: The templates that views are rendered with.
    ///   - middleware: Runs around every request, the outermost first; by default
    ///     ``standardMiddleware(logger:isHTTPS:)``. An empty list means none.
    ///   - routes: Declares the routes.
    /// - Throws: ``ConfigurationMistake`` when the routes contradict each other.
    public init(
        configuration: ServerConfiguration? = nil,
        logger: Logger = Logger(label: "roost"),
        services: [any Service] = [],
        templates: Templates? = nil,
        middleware: [any Middleware]? = nil,
        routes declare: (Routes) throws -> Void
    ) throws {
        self.configuration = try configuration ?? ServerConfiguration(environment: ProcessEnvironment.variables)
        self.logger = logger
        self.services = services
        let limit = BodyLimit(body: self.configuration.maximumBodySize, form: self.configuration.maximumFormSize)
        let context = ResponseContext(templates: templates)
        let table = RouteTable(context, bodyLimit: limit)
        try declare(Routes(table))
        let router = try table.freeze()
        routes = table.routes.map(RouteDescription.init)
        responder = Chain.of(middleware ?? Self.standardMiddleware(logger: logger), router, context)
    }

    /// The middleware that every application should have: request ids, one line of log for each request, security
    /// headers, error pages, and protection against requests from pages of other sites.
    /// - Parameter isHTTPS: Whether browsers reach the site over HTTPS.
    public static func standardMiddleware(logger: Logger, isHTTPS: Bool = false) -> [any Middleware] {
        [
            RequestIDs(), RequestLog(logger), SecurityHeaders(isHTTPS: isHTTPS), ErrorPages(logger),
            CrossOriginProtection(),
        ]
    }

    /// Makes an application and serves it until SIGTERM or SIGINT: all that a `main` has to do.
    ///
    /// If that fails, the error is printed and the process ends: with exit code 78 (`EX_CONFIG`) for a mistake in
    /// configuration, routes or templates, and 1 for a port that cannot be used.
    /// - Parameter onStart: Called when the server listens.
    public static func serve(
        onStart: (Server) -> Void = { _ in },
        _ make: () async throws -> Application
    ) async {
        do {
            try await make().run(onStart: onStart)
        } catch {
            let text = "\(error)\n"
            write(STDERR_FILENO, text, text.utf8.count)
            exit(error is StartError ? 1 : EX_CONFIG)
        }
    }

    /// Responds to one request as the server would.
    public func respond(to request: Request) async throws -> Response {
        try await responder.respond(to: request)
    }

    /// Responds to one request without waiting, if that is possible.
    public func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        try responder.respondWithoutWaiting(to: &request)
    }

    /// Serves until SIGTERM or SIGINT, and prints the URL to open.
    ///
    /// The first signal drains: no new connections are accepted, requests in flight get their responses, idle
    /// connections close, and services stop. Then the function returns, after ``ServerConfiguration/drainTimeout``
    /// seconds at the latest (plus the time that services take). A second signal ends the process at once, with exit
    /// code 143 for SIGTERM and 130 for SIGINT.
    /// - Parameter onStart: Called when the server listens.
    /// - Throws: ``ConfigurationError`` for a host that has no address, ``StartError`` for a port that cannot be used.
    public func run(onStart: (Server) -> Void = { _ in }) async throws {
        let server = try await Server(configuration, responder, services: services, logger: logger)
        onStart(server)
        print("Roost answers at \(server.url)")
        fflush(nil)
        try await server.run()
    }
}
