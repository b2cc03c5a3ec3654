import RoostTesting
import Testing

@testable import Roost

/// Over TCP, with the responder that a program serves.
@Suite("Services that work in the background", .timeLimit(.minutes(5)))
struct BackgroundServiceTests {
    /// A service that tells whether it has been told of the drain.
    private final class Background: BackgroundService {
        let drains = Latch()

        func start() async throws {}
        func startByHand() async throws {}
        func runDue() async throws -> Int { 0 }
        func serverDrains() { drains.open() }
        func stop() async {}
    }

    @Test func `they learn of the drain while a request is still in flight`() async throws {
        let (service, begun) = (Background(), Latch())
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.headTimeout = .seconds(3600)  // a busy machine may take its time between connecting and sending
        let application = try Probe.application(configuration) { routes in
            routes.get(Path("/")) { _ in
                begun.open()
                await service.drains.wait()
                return "done"
            }
        }
        let server = try await Server.listen(
            configuration, application.responder, services: [service], logger: application.logger)
        let running = Task { try await server.run() }
        let connection = try await HTTPConnection.connect(port: server.port)
        try await connection.send(get("/"))
        await begun.wait()
        server.shutdown()
        #expect(try await connection.readResponse().text == "done")
        try await running.value
    }
}
