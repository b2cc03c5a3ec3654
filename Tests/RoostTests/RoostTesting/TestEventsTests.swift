import Roost
import RoostTesting
import Testing

@Suite("The test client's event streams", .timeLimit(.minutes(5)), .quietLog)
struct TestEventsTests {
    private struct Oops: Error {}

    @Test(arguments: TestClient.Transport.allCases, [true, false])
    func `one whose handler throws has broken off, unlike one that ends`(
        transport: TestClient.Transport, isFailing: Bool
    ) async throws {
        let application = try Application(logger: LogLines().logger, middleware: []) { routes in
            routes.events(Path("/events")) { _, events in
                try await events.send(ServerSentEvent("one"))
                if isFailing { throw Oops() }
            }
        }
        let client = TestClient(application, timeout: .seconds(300), over: transport)
        let events = try await client.events("/events")
        #expect(try await events.next()?.data == "one")
        #expect(!events.brokeOff)
        #expect(try await events.next() == nil)
        #expect(events.brokeOff == isFailing)
        try await client.stop()
    }

    @Test func `one is open when its head has come, and its cookies are kept`() async throws {
        let application = try Application(logger: LogLines().logger, middleware: []) { routes in
            routes.get(Path("/events")) { _ in
                var response = Response.events { events in try await events.send(ServerSentEvent("one")) }
                response.headers.append(.setCookie, "bird=owl")
                return response
            }
        }
        let client = TestClient(application)
        _ = try await client.events("/events")
        #expect(client.cookie("bird") == "owl")
        await #expect(throws: WireClientError.self) { _ = try await client.events("/none") }
    }
}
