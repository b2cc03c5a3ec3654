import Roost
import RoostTesting
import Synchronization
import Testing

/// The clients of one application, which are visitors of one server.
@Suite("Several clients of one application", .timeLimit(.minutes(5)))
struct SharedServerTests {
    /// Counts how often it starts and stops.
    private final class Counted: Service {
        let starts = Atomic(0)
        let stops = Atomic(0)
        /// Tells that it has stopped.
        let end = Latch()

        func start() async throws { starts.add(1, ordering: .relaxed) }

        func stop() async {
            stops.add(1, ordering: .relaxed)
            end.open()
        }

        var counts: String { "\(starts.load(ordering: .relaxed)) \(stops.load(ordering: .relaxed))" }
    }

    private func application(_ service: Counted) throws -> Application {
        try Application(services: [service], middleware: []) { routes in
            routes.get(Path("/")) { request in
                let text = "\(service.counts) \(request.headers[.cookie] ?? "-")"
                return Response(.ok, headers: [.setCookie: "seen=1"], body: Body(text))
            }
        }
    }

    private func visit(_ application: Application, over transport: TestClient.Transport) async throws {
        let client = TestClient(application, over: transport)
        #expect(try await client.get("/").text == "1 0 -")
        #expect(try await TestClient(application, over: transport).get("/").text == "1 0 -")
        #expect(try await client.get("/").text == "1 0 seen=1")
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `the services start once, and stop after the last of them is gone`(transport: TestClient.Transport)
        async throws
    {
        let service = Counted()
        let application = try application(service)
        try await visit(application, over: transport)
        await service.end.wait()
        #expect(service.counts == "1 1")
    }

    /// Notes when it starts and when it has stopped.
    ///
    /// Stopping takes it so many turns that another start would come between.
    private final class Noted: Service {
        let notes = Mutex("")
        /// Tells of each stop when it begins.
        let (stops, stopBegins) = AsyncStream<Void>.makeStream()

        func start() async throws { notes.withLock { $0 += "(" } }

        func stop() async {
            stopBegins.yield()
            for _ in 0..<100_000 where !notes.withLock({ $0.hasSuffix("((") }) { await Task.yield() }
            notes.withLock { $0 += ")" }
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `the services start when those of a client that is gone have stopped`(transport: TestClient.Transport)
        async throws
    {
        let service = Noted()
        let application = try Application(services: [service], middleware: []) { routes in
            routes.get(Path("/")) { _ in service.notes.withLock { $0 } }
        }
        var stops = service.stops.makeAsyncIterator()
        for count in 0..<5 {
            let notes = try await TestClient(application, over: transport).get("/").text
            #expect(notes == String(repeating: "()", count: count) + "(")
            // From then on the client is gone, and its services stop.
            await stops.next()
        }
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `what one of them stops is stopped for all, and a later one begins anew`(transport: TestClient.Transport)
        async throws
    {
        let service = Counted()
        let application = try application(service)
        let (client, other) = (TestClient(application, over: transport), TestClient(application, over: transport))
        #expect(try await client.get("/").text == "1 0 -")
        try await client.stop()
        #expect(service.counts == "1 1")
        await #expect(throws: WireClientError.self) { try await other.get("/") }
        let later = TestClient(application, over: transport)
        #expect(try await later.get("/").text == "2 1 -")
        try await later.stop()
    }
}
