public import Roost

/// An application on a free port of this machine, for tests of code that sends requests to other servers.
///
///     let server = try await TestHTTPServer { routes in
///         routes.get(Path("/weather")) { _ in JSON(["sky": "blue"]) }
///     }
///     let weather = try await Weather(http: HTTPClient(), url: server.url("/weather")).today()
///
/// It serves until it is stopped or no longer referenced.
public final class TestHTTPServer: Sendable {
    private let server: Server
    private let running: Task<Void, any Error>

    /// Starts a server with these routes, without middleware.
    public convenience init(_ routes: (Routes) throws -> Void) async throws {
        try await self.init(Application(middleware: [], routes: routes))
    }

    /// Starts a server for an application. A default `headTimeout` is replaced by an hour, since a busy machine may be
    /// slow; to test that timeout, set another value.
    public convenience init(_ application: Application) async throws {
        try await self.init(application, application.responder)
    }

    /// Starts a server for an application, with another responder than its own.
    init(_ application: Application, _ responder: any Responder, _ turn: ServiceTurn? = nil) async throws {
        var configuration = application.configuration
        configuration.host = "127.0.0.1"
        configuration.port = 0
        configuration.workers = 1
        // A busy machine may take its time between connecting and sending.
        if configuration.headTimeout == ServerConfiguration().headTimeout { configuration.headTimeout = .seconds(3600) }
        let server = try await Server.listen(
            configuration, responder, services: application.services.map(ByHand.service),
            metrics: application.metrics, admin: application.admin, logger: application.logger)
        self.server = server
        running = Task {
            defer { withExtendedLifetime(turn) {} }
            try await server.run()
        }
    }

    /// The port on which it listens.
    public var port: Int { server.port }

    /// The URL of a path: `http://127.0.0.1:…/weather`.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends the server as SIGTERM does, and returns when it has ended.
    public func stop() async throws {
        server.shutdown()
        try await running.value
    }

    deinit { server.shutdown() }
}
