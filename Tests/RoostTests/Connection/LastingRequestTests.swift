import RoostTesting
import Testing

@testable import Roost

/// The memory of requests that last: those of event streams and WebSockets, which are kept for as long as they are
/// open.
@Suite("Requests that last", .timeLimit(.minutes(5)))
struct LastingRequestTests {
    private let log = LogLines()

    private func server(_ limit: Int) async throws -> InProcessServer {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = limit
        let application = try Application(
            configuration: configuration, logger: log.logger, middleware: []
        ) { routes in
            routes.get(Path("/")) { _ async in "ok" }
            routes.events(Path("/events")) { request, events in
                try await events.send(ServerSentEvent("open"))
                try await EventLoop.current?.sleep(for: .seconds(3600))
                try await events.send(ServerSentEvent(request.target))
            }
            routes.webSocket(Path("/socket")) { socket, request in
                try await socket.send("open")
                for try await _ in socket { try await socket.send(request.target) }
            }
        }
        return try await InProcessServer(configuration, application, logger: log.logger)
    }

    /// A request with a large head.
    private func request(_ path: String, _ count: Int) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            + "Cookie: a=\(String(repeating: "x", count: count))\r\n\r\n"
    }

    private func connect(to server: InProcessServer, _ text: String) async throws -> HTTPConnection {
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(text)
        return connection
    }

    /// Opens what lasts, and returns when it has sent something.
    private func open(_ path: String, _ count: Int, on server: InProcessServer) async throws -> HTTPConnection {
        let connection = try await connect(to: server, request(path, count))
        var text = ""
        while !text.contains("open") {
            let bytes = try await connection.receive()
            try #require(!bytes.isEmpty)
            text += String(decoding: bytes, as: UTF8.self)
        }
        return connection
    }

    @Test(arguments: ["/events", "/socket", "/./events"], [10_000, 20_000])
    func `a large one is counted, and takes no more than it needs`(path: String, count: Int) async throws {
        let server = try await server(1_000_000)
        let connection = try await open(path, count, on: server)
        #expect(server.memory.count >= count && server.memory.count <= count + 1000)
        connection.close()
        while server.memory.count > 0 { try await turn() }
    }

    @Test(arguments: ["/events", "/socket"])
    func `a small one is not`(path: String) async throws {
        let server = try await server(1_000_000)
        let connection = try await open(path, 100, on: server)
        #expect(server.memory.count == 0)
        withExtendedLifetime(connection) {}
    }

    @Test(arguments: ["/events", "/socket"])
    func `all of them have half of what clients may have, and small ones may be opened beyond`(
        path: String
    ) async throws {
        let server = try await server(400_000)
        var connections: [HTTPConnection] = []
        while server.memory.count <= 180_000 { connections.append(try await open(path, 20_000, on: server)) }
        let refused = try await connect(to: server, request(path, 20_000))
        let response = try await refused.readResponse()
        #expect(response.status == .serviceUnavailable && response.headers[.retryAfter] == "1")
        while server.memory.count > 200_000 { try await turn() }
        #expect(log.all == ["local GET \(path): sent 503: it is large, and clients hold too much memory."])
        connections.append(try await open(path, 100, on: server))
        let other = try await connect(to: server, request("/", 20_000))
        #expect(try await other.readResponse().text == "ok")
        connections.removeFirst().close()
        while server.memory.count > 180_000 { try await turn() }
        connections.append(try await open(path, 20_000, on: server))
    }
}
