public import Roost

/// An application on a free port of this machine, for tests of code that sends requests to other servers.
///
///     let server = try await TestHTTPServer { routes in
///         routes.get(Path("/weather")) { _ in JSON(["sky": "blue"]) }
///     }
///     let weather = try await Weather(http: HTTPClient(), url: server.url("/weather")).today()
///
/// It serves until it is stopped, or nobody has it any more.
public final class TestHTTPServer: Sendable {
    private let server: ListeningServer

    /// Starts a server with these routes, without middleware.
    public convenience init(_ routes: (Routes) throws -> Void) async throws {
        try await self.init(Application(middleware: [], routes: routes))
    }

    /// Starts a server for an application.
    public init(_ application: Application) async throws { server = try await ListeningServer(application) }

    /// The port on which it listens.
    public var port: Int { server.port }

    /// The URL of a path: `http://127.0.0.1:…/weather`.
    public func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Ends the server as SIGTERM does, and returns when it has ended.
    public func stop() async throws { try await server.stop() }

    deinit {
        let server = server
        Task { try await server.stop() }
    }
}
