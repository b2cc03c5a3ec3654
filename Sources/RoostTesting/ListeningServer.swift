import Roost

/// A server that listens on a free port of this machine, until it is stopped.
final class ListeningServer: Sendable {
    private let server: Server
    private let running: Task<Void, any Error>

    init(_ application: Application, _ responder: (any Responder)? = nil) async throws {
        var configuration = application.configuration
        configuration.host = "127.0.0.1"
        configuration.port = 0
        configuration.workers = 1
        let server = try await Server.listen(
            configuration, responder ?? application.responder, services: application.services.map(ByHand.service),
            metrics: application.metrics, admin: application.admin, logger: application.logger)
        self.server = server
        running = Task { try await server.run() }
    }

    var port: Int { server.port }
    var adminPort: Int? { server.adminPort }

    /// Drains, and returns when the last thread has ended.
    func stop() async throws {
        server.shutdown()
        try await running.value
    }
}
