import RoostTesting
import Testing

@testable import Roost

/// Answers that are ready when nobody waits for them any more.
@Suite("Answers that come too late", .timeLimit(.minutes(5)))
struct LateAnswerTests {
    private let entered = Latch()
    private let latch = Latch()

    private func server(_ declare: @escaping (Routes) -> Void) async throws -> InProcessServer {
        let (entered, latch) = (entered, latch)
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/held")) { _ in
                entered.open()
                await latch.wait()
                return "a secret"
            }
            declare(routes)
        }
        return try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect(to server: InProcessServer) async throws -> HTTPConnection {
        HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(10), server: server)
    }

    @Test func `an answer for a client that has gone reaches nobody else`() async throws {
        let server = try await server { _ in }
        let gone = try await connect(to: server)
        try await gone.send(get("/") + get("/held"))
        await entered.wait()
        // With an unread answer this is a reset, which the server notices while the handler waits.
        gone.close()
        while await server.connectionCount() > 0 { try await turn() }
        latch.open()
        for _ in 0..<3 {
            let other = try await connect(to: server)
            try await other.send(get("/"))
            let text = try await other.readResponse().text
            #expect(text == "ok")
        }
    }
}
