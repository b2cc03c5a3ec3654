import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// The limits of WebSockets, and the middleware and routes that decide before one is opened.
@Suite("WebSockets that are not opened", .timeLimit(.minutes(5)))
struct WebSocketLimitTests {
    private func status(_ client: TestClient, _ path: String) async throws -> HTTPResponse.Status {
        do {
            _ = try await client.webSocket(path)
            return .switchingProtocols
        } catch let error as WebSocketRefused {
            if error.response.status == .serviceUnavailable { #expect(error.response.headers[.retryAfter] == "10") }
            return error.response.status
        }
    }

    @Test func `one address has a thousand, and all have ten thousand`() {
        let configuration = ServerConfiguration()
        #expect(configuration.maximumWebSockets == 10_000)
        #expect(configuration.maximumWebSocketsPerAddress == 1000)
    }

    @Test func `one too many gets 503, and one that has closed makes room`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumWebSocketsPerAddress = 2
        let client = try Probe.client(configuration) { routes in
            routes.webSocket(Path("/")) { socket, _ in for try await _ in socket {} }
        }
        let first = try await client.webSocket("/")
        let second = try await client.webSocket("/")
        #expect(try await status(client, "/") == .serviceUnavailable)
        #expect(try await status(client, "/") == .serviceUnavailable)
        try await first.close()
        let third = try await client.webSocket("/")
        #expect(try await status(client, "/") == .serviceUnavailable)
        for socket in [second, third] { try await socket.close() }
    }

    @Test func `a place is taken once and given back once, in all and by address`() {
        let configuration = ServerConfiguration()
        let budgets = configuration.clientBudgets(connections: 8)
        let own = IPAddress(version4: 0x7F00_0001)
        let other = IPAddress(version4: 0x7F00_0002)
        for _ in 0..<4 { #expect(budgets.webSockets.enter(own)) }
        for _ in 0..<3 { #expect(budgets.streams.enter(other)) }
        // Seven of eight connections are taken.
        #expect(!budgets.webSockets.enter(other) && !budgets.streams.enter(own))
        #expect(budgets.webSockets.count == 4 && budgets.streams.count == 3)
        budgets.streams.leave(other)
        #expect(budgets.webSockets.enter(other) && !budgets.streams.enter(other))
        for _ in 0..<4 { budgets.webSockets.leave(own) }
        budgets.webSockets.leave(other)
        #expect(budgets.webSockets.count == 0)
        for _ in 0..<5 { #expect(budgets.streams.enter(nil)) }
        #expect(!budgets.streams.enter(nil))
    }

    @Test func `a network of version 6 is one client, and a site of many networks has four times as many`() {
        let budget = ClientBudget(100, forAddress: 3)
        let enter = { budget.enter(IPAddress($0 as String)) }
        #expect(enter("2001:db8:1:2::1") && enter("2001:db8:1:2::2") && enter("2001:db8:1:2:ffff::"))
        #expect(!enter("2001:db8:1:2::4"))
        for network in 3..<6 {
            for host in 1...3 { #expect(enter("2001:db8:1:\(network)::\(host)")) }
        }
        #expect(!enter("2001:db8:1:7::1") && budget.count == 12)
        #expect(enter("2001:db8:2:7::1"))
        budget.leave(IPAddress("2001:db8:1:2::2"))
        #expect(enter("2001:db8:1:7::1") && !enter("2001:db8:1:2::2"))
        for address in ["192.0.2.1", "192.0.2.2"] {
            for _ in 0..<3 { #expect(enter(address)) }
            #expect(!enter(address))
        }
    }

    @Test func `a response with a header that cannot be sent gives its place back`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumWebSockets = 1
        let client = try Probe.client(configuration) { routes in
            routes.get(Path("/broken")) { request in
                var response = try Response.webSocket(to: request) { _ in }
                response.headers["X-Broken"] = "a\r\nb"
                return response
            }
            routes.webSocket(Path("/")) { socket, _ in for try await _ in socket {} }
        }
        #expect(try await status(client, "/broken") == .internalServerError)
        let socket = try await client.webSocket("/")
        try await socket.close()
    }

    @Test(arguments: [false, true])
    func `a route decides by the request, whether or not it waits`(waits: Bool) async throws {
        let client = try Probe.client { routes in
            @Sendable func open(_ request: Request, _ number: Int) throws -> Response {
                guard number > 0 else { throw HTTPError(.forbidden) }
                return try .webSocket(to: request) { socket in
                    try await socket.send("\(number) \(socket.request.path)")
                    for try await message in socket { try await socket.send(message) }
                }
            }
            if waits {
                routes.get(Path("/{number}", Int.self)) { request, number in
                    await Task.yield()
                    return try open(request, number)
                }
            } else {
                routes.get(Path("/{number}", Int.self)) { request, number in try open(request, number) }
            }
        }
        #expect(try await status(client, "/0") == .forbidden)
        #expect(try await client.get("/1").status == .upgradeRequired)
        let sockets = [try await client.webSocket("/1"), try await client.webSocket("/2")]
        for (index, socket) in sockets.enumerated() {
            #expect(try await socket.receive() == .text("\(index + 1) /\(index + 1)"))
            try await socket.send("hello")
            #expect(try await socket.receive() == .text("hello"))
            #expect(try await socket.close()?.code == .normal)
        }
    }

    @Test func `frames behind a request are read where nothing has waited`() async throws {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { request in
                try Response.webSocket(to: request) { socket in
                    for try await message in socket { try await socket.send(message) }
                }
            }
        }
        let connection = try await client.connect()
        try await connection.send(
            Array(handshake("/").utf8) + FrameWire.text("early") + FrameWire.frame(0x8, [0x03, 0xE8]))
        #expect(try await connection.readResponse().status == .switchingProtocols)
        #expect(try await connection.readToEnd() == [0x81, 5] + Array("early".utf8) + [0x88, 2, 0x03, 0xE8])
    }
}
