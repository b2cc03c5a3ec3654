import Roost
import RoostTesting
import Testing

/// Fields that a test client sends with every request.
@Suite("The fields of a test client", .timeLimit(.minutes(5)))
struct TestClientHeadersTests {
    private static let browser: Headers = [.accept: "text/html", .authorization: "Bearer ann"]

    private static func client(over transport: TestClient.Transport) throws -> TestClient {
        // Over TCP the server's clock runs, and the machine may be busy.
        var configuration = ServerConfiguration()
        configuration.headTimeout = .seconds(240)
        configuration.bodyTimeout = .seconds(240)
        let application = try Application(configuration: configuration, logger: LogLines().logger) { routes in
            routes.get(Path("/")) { request in Self.shown(request) }
            routes.post(Path("/")) { request in "\(Self.shown(request)) \(request.headers[.contentType] ?? "none")" }
            routes.post(Path("/there")) { _ in Response.redirect(to: "/") }
            routes.events(Path("/events")) { request, events in
                try await events.send(ServerSentEvent(Self.shown(request)))
            }
            routes.webSocket(Path("/socket")) { socket, request in try await socket.send(Self.shown(request)) }
        }
        return TestClient(application, headers: browser, timeout: .seconds(240), over: transport)
    }

    private static func shown(_ request: Request) -> String {
        "\(request.headers[.accept] ?? "none") \(request.headers[.authorization] ?? "none")"
    }

    @Test(arguments: TestClient.Transport.allCases)
    func `are sent with every request, but where the request has its own`(transport: TestClient.Transport)
        async throws
    {
        let client = try Self.client(over: transport)
        #expect(try await client.get("/").text == "text/html Bearer ann")
        #expect(try await client.get("/", headers: [.accept: "text/csv"]).text == "text/csv Bearer ann")
        let own = Self.browser.merging([.authorization: "Bearer bob"])
        #expect(try await client.get("/", headers: own).text == "text/html Bearer bob")
        #expect(try await client.post("/", json: [1]).text == "text/html Bearer ann application/json")
        #expect(try await client.post("/there", followsRedirects: true).text == "text/html Bearer ann")
        let events = try await client.events("/events")
        #expect(try await events.next()?.data == "text/event-stream Bearer ann")
        let socket = try await client.webSocket("/socket")
        #expect(try await socket.receive() == .text("text/html Bearer ann"))
    }
}
