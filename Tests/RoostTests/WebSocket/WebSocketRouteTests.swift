import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Requests that become WebSockets, in a whole application.
@Suite("RFC 6455 §4: routes of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketRouteTests {
    private func refusal(_ client: TestClient, _ path: String, _ headers: Headers) async throws -> WireClient.Response {
        do {
            _ = try await client.webSocket(path, headers: headers)
        } catch let error as WebSocketRefused {
            return error.response
        }
        throw WebSocketClosed(code: .normal, reason: "it was accepted")
    }

    @Test func `parameters of the path are the handler's arguments, and the request is there`() async throws {
        let client = try Probe.client { routes in
            routes.group(Path("/teams")) { teams in
                let rooms = Path("/{team}/rooms/{room}", Int.self, String.self)
                teams.webSocket(rooms) { socket, request, team, room in
                    try await socket.send(
                        "\(team) \(room) \(request.query["as"] ?? "") \(request.headers[.cookie] ?? "")")
                }
            }
        }
        let socket = try await client.webSocket("/teams/7/rooms/a%20b?as=ada", headers: [.cookie: "x=1"])
        #expect(try await socket.receive() == .text("7 a b ada x=1"))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .normal, reason: ""))
        #expect(try await refusal(client, "/teams/x/rooms/a", [:]).status == .notFound)
    }

    @Test func `a request that asks for none is told how, and the connection goes on`() async throws {
        let connection = try await WebSocketTests.client().connect()
        try await connection.send(get("/echo") + "HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n" + get("/nothing"))
        for method in [HTTPRequest.Method.get, .head] {
            let response = try await connection.readResponse(to: method)
            #expect(response.status == .upgradeRequired)
            #expect(response.headers[.upgrade] == "websocket" && response.headers[.connection] == "Upgrade")
            #expect(response.headers[.secWebSocketVersion] == "13")
        }
        #expect(try await connection.readResponse().status == .notFound)
    }

    private static let fields = """
        Host: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n
        """

    @Test(arguments: [
        ("HEAD /echo HTTP/1.1\r\n\(fields)\r\n", 426), ("GET /echo HTTP/1.0\r\n\(fields)\r\n", 426),
        ("POST /echo HTTP/1.1\r\n\(fields)\r\n", 405),
        ("GET /echo HTTP/1.1\r\n\(fields)Content-Length: 3\r\n\r\nabc", 400),
        ("GET /echo HTTP/1.1\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("GET /echo HTTP/1.1\r\n\(fields)Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", 400),
        ("GET /echo HTTP/1.1\r\n\(fields)Origin: https://evil.example\r\n\r\n", 403),
        ("GET /echo HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n", 101),
    ])
    func `only a proper GET of HTTP/1.1 becomes one`(request: String, status: Int) async throws {
        let connection = try await WebSocketTests.client().connect()
        try await connection.send(request)
        let method: HTTPRequest.Method = request.hasPrefix("HEAD") ? .head : .get
        #expect(try await connection.readResponse(to: method).status.code == status)
    }

    @Test(arguments: [
        ("*", true), ("app.example.com", true), ("localhost:5173", true), ("//app.example.com", true), ("", true),
        ("https://", true), ("https://*.example.com", true), ("https://app.example.com/chat", true),
        ("https://app.example.com/", false), ("http://localhost:5173", false), ("https://[::1]:443", false),
        ("capacitor://localhost", false), ("null", false),
    ])
    func `an origin that no browser sends stops the start`(origin: String, isMistake: Bool) throws {
        var mistake: String?
        do {
            let options = WebSocketOptions(origins: .ownAnd([origin]))
            _ = try TestClient { routes in
                routes.webSocket(Path("/chat"), options, file: "One.swift", line: 7) { socket, _ in
                    try await socket.send("")
                }
            }
        } catch let error as StartError {
            mistake = error.description
        }
        #expect((mistake != nil) == isMistake)
        if let mistake { #expect(mistake.hasPrefix("\"\(origin)\" is no origin") && mistake.contains("One.swift:7")) }
    }

    @Test func `middleware around it can refuse, and sees the response`() async throws {
        struct Guard: Filter {
            func before(_ request: inout Request) throws -> Response? {
                if request.query["key"] == nil { throw HTTPError(.unauthorized) }
                return nil
            }
            func after(_ response: inout Response, to request: Request) {
                response.headers["X-Seen"] = "\(response.status)"
            }
        }
        struct Later: Middleware {
            func respond(to request: Request, next: Next) async throws -> Response {
                await Task.yield()
                return try await next(request)
            }
        }
        let client = try Probe.client { routes in
            routes.group(middleware: [Guard(), Later()]) { group in
                group.webSocket(Path("/")) { socket, _ in try await socket.send("in") }
            }
        }
        #expect(try await refusal(client, "/", [:]).status == .unauthorized)
        let socket = try await client.webSocket("/?key=1")
        #expect(socket.response.headers["X-Seen"] == "101 Switching Protocols")
        #expect(socket.response.headers["X-Content-Type-Options"] != nil)
        #expect(try await socket.receive() == .text("in"))
    }

    @Test func `a response that middleware has put in its place is an ordinary one`() async throws {
        struct Instead: Filter {
            func after(_ response: inout Response, to request: Request) { response.status = .badGateway }
        }
        let client = try Probe.client { routes in
            routes.group(middleware: [Instead()]) { group in group.webSocket(Path("/")) { _, _ in } }
        }
        let connection = try await client.connect()
        try await connection.send("GET / HTTP/1.1\r\n\(Self.fields)\r\n" + get("/nothing"))
        #expect(try await connection.readResponse().status == .badGateway)
        #expect(try await connection.readResponse().status == .notFound)
    }

    @Test func `the subprotocol that was agreed on is the handler's`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/"), WebSocketOptions(subprotocols: ["b", "c"])) { socket, _ in
                try await socket.send(socket.subprotocol ?? "none")
            }
        }
        let socket = try await client.webSocket("/", headers: [.secWebSocketProtocol: "a, c, b"])
        #expect(socket.response.headers[.secWebSocketProtocol] == "c")
        #expect(try await socket.receive() == .text("c"))
        let other = try await client.webSocket("/", headers: [.secWebSocketProtocol: "a"])
        #expect(other.response.headers[.secWebSocketProtocol] == nil)
        #expect(try await other.receive() == .text("none"))
    }

    @Test func `over TCP it is the same`() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        // A busy machine may take its time between connecting and sending.
        configuration.headTimeout = .seconds(3600)
        configuration.sendTimeout = .seconds(3600)
        let application = try Probe.application(configuration) { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
        }
        let server = try await Server.listen(configuration, application, logger: application.logger)
        let running = Task { try await server.run() }
        do {
            let socket = try await HTTPConnection.connect(port: server.port).webSocket("/")
            for size in [0, 125, 126, 65_535, 65_536, 1_000_000] {
                try await socket.send(.binary([UInt8](repeating: 3, count: size)))
                #expect(try await socket.receive() == .binary([UInt8](repeating: 3, count: size)))
            }
            server.shutdown()
            #expect(try await socket.receive() == nil)
            #expect(socket.closed?.code == .goingAway)
        } catch {
            Issue.record(error)
            server.shutdown()
        }
        try await running.value
    }
}
