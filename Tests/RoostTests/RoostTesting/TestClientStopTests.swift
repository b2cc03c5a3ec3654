import RoostTesting
import Testing

@testable import Roost

/// The end of a test's server while clients are still there.
@Suite("Stopping a test client", .quietLog, .timeLimit(.minutes(5)))
struct TestClientStopTests {
    /// Tells that a handler has begun.
    private let begun = Latch()

    private func application() throws -> Application {
        try Application { routes in
            routes.events(Path("/events")) { _, events in
                try await events.send(ServerSentEvent("hello"))
                for await _ in AsyncStream<Void>.makeStream().stream {}
            }
            routes.get(Path("/long")) { _ in
                begun.open()
                for await _ in AsyncStream<Void>.makeStream().stream {}
                return ""
            }
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `ends an event stream that nobody has closed`(transport: TestClient.Transport) async throws {
        let client = TestClient(try application(), over: transport)
        let connection = try await client.connect()
        try await connection.send(.get, "/events")
        #expect(String(decoding: try await connection.receive(), as: UTF8.self).contains("200 OK"))
        try await client.stop()
        #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).hasSuffix("0\r\n\r\n"))
        connection.close()
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `refuses requests after it`(transport: TestClient.Transport) async throws {
        let client = TestClient(try application(), over: transport)
        #expect(try await client.get("/nowhere").status == .notFound)
        try await client.stop()
        while true {
            let error = await #expect(throws: WireClientError.self) { try await client.get("/nowhere") }
            if case .cannotConnect = error { return }
            // Until a process that another test starts has dropped its copy of the socket, the system still connects
            // clients to it, and then lets them go.
            try #require(error != nil && transport == .tcp, "\(String(describing: error))")
            try await turn()
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `runs no jobs after it`(transport: TestClient.Transport) async throws {
        let client = TestClient(try application(), over: transport)
        #expect(try await client.runJobs() == 0)
        try await client.stop()
        await #expect(throws: WireClientError.self) { try await client.runJobs() }
    }

    @Test func `cuts off who is still there when its task is cancelled`() async throws {
        let client = TestClient(try application())
        let connection = try await client.connect()
        try await connection.send(.get, "/long")
        await begun.wait()
        let stopping = Task { try await client.stop() }
        stopping.cancel()
        try await stopping.value
        #expect(try await connection.readToEnd().isEmpty)
    }
}
