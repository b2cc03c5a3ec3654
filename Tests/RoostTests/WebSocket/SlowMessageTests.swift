import RoostTesting
import Testing

@testable import Roost

/// Messages that do not become whole, on a clock that the tests control.
@Suite("WebSocket messages that come slowly", .timeLimit(.minutes(5)))
struct SlowMessageTests {
    private static let tooSlow = WebSocketClosed(code: .policyViolation, reason: "A message took too long to arrive.")

    /// Four seconds without progress, and a hundred bytes a second.
    private static func configuration(rate: Int = 100) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.bodyTimeout = .seconds(4)
        configuration.minimumBodyRate = rate
        return configuration
    }

    private static func echo(rate: Int = 100) async throws -> (TestClient, TestWebSocket) {
        let client = try Probe.client(configuration(rate: rate)) { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
        }
        return (client, try await client.webSocket("/"))
    }

    /// Sends bytes, and returns when the server has read them.
    private static func send(_ bytes: [UInt8], _ socket: TestWebSocket) async throws {
        try await socket.send(raw: bytes)
        try await socket.ping()
        #expect(try await socket.receivePong() == [])
    }

    private static let beginnings = [
        FrameWire.text("Hel", isFinal: false), FrameWire.header(0x2, 1000) + [1, 2, 3], [0x81], [0x81, 0xFE, 0x01],
        FrameWire.header(0x9, 100),
    ]

    @Test(arguments: beginnings)
    func `one that does not go on ends the connection, with 1008`(beginning: [UInt8]) async throws {
        let (client, socket) = try await Self.echo()
        try await socket.send("whole")
        #expect(try await socket.receive() == .text("whole"))
        try await client.pass(.seconds(20))
        try await socket.send(raw: beginning)
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(4))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == Self.tooSlow)
    }

    @Test func `a client that sends pings meanwhile does not bring it forward`() async throws {
        let (client, socket) = try await Self.echo(rate: 0)
        try await Self.send(FrameWire.text("Hel", isFinal: false), socket)
        for _ in 0..<3 {
            try await client.pass(.seconds(1))
            try await Self.send([], socket)
        }
        try await client.pass(.seconds(1))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == Self.tooSlow)
    }

    @Test func `one that comes at the rate of a body may take its time`() async throws {
        let (client, socket) = try await Self.echo()
        let part = [UInt8](repeating: 1, count: 110)
        try await Self.send(FrameWire.frame(0x2, part, isFinal: false), socket)
        for _ in 0..<40 {
            try await client.pass(.seconds(1))
            try await Self.send(FrameWire.frame(0x0, part, isFinal: false), socket)
        }
        try await socket.send(raw: FrameWire.frame(0x0, part))
        #expect(try await socket.receive() == .binary([UInt8](repeating: 1, count: 42 * 110)))
    }

    @Test func `one that comes more slowly may not`() async throws {
        let (client, socket) = try await Self.echo()
        let part = [UInt8](repeating: 1, count: 50)
        try await Self.send(FrameWire.frame(0x2, part, isFinal: false), socket)
        // 56 bytes a second, where 100 are required: 4 s, and one more for each 100 bytes.
        for _ in 0..<7 {
            try await client.pass(.seconds(1))
            try await Self.send(FrameWire.frame(0x0, part, isFinal: false), socket)
        }
        try await client.pass(.seconds(1))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == Self.tooSlow)
    }

    @Test func `to end one, and to begin another at once, buys no more time than its bytes`() async throws {
        let (client, socket) = try await Self.echo()
        try await socket.send(raw: FrameWire.text("a", isFinal: false))
        _ = try await client.get("/nothing")
        for _ in 0..<3 {
            try await client.pass(.seconds(1))
            try await socket.send(raw: FrameWire.frame(0x0, [0x62]) + FrameWire.text("a", isFinal: false))
            #expect(try await socket.receive() == .text("ab"))
        }
        try await client.pass(.seconds(2))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == Self.tooSlow)
    }

    @Test func `nobody owes anything between messages, and while the handler does not read`() async throws {
        let latch = Latch()
        let client = try Probe.client(Self.configuration()) { routes in
            routes.webSocket(Path("/"), WebSocketOptions(pingInterval: nil)) { socket, _ in
                await latch.wait()
                for try await message in socket { try await socket.send("\(message.count)") }
            }
        }
        let socket = try await client.webSocket("/")
        try await client.pass(.seconds(100))
        let half = [UInt8](repeating: 1, count: 10_000)
        try await socket.send(raw: FrameWire.frame(0x2, half) + FrameWire.frame(0x2, half))
        try await socket.send(raw: FrameWire.text("Hel", isFinal: false))
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(100))
        latch.open()
        #expect(try await socket.receive() == .text("10000"))
        #expect(try await socket.receive() == .text("10000"))
        try await socket.send(raw: FrameWire.frame(0x0, Array("lo".utf8)))
        #expect(try await socket.receive() == .text("5"))
    }

    /// Seven bytes take 48 KiB, of which many clients would take all that there is.
    @Test func `a decompressor is given back when its message takes too long, even if nobody reads`() async throws {
        let (entered, latch) = (Latch(), Latch())
        let application = try Probe.application(Self.configuration()) { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    entered.open()
                    await latch.wait()
                }
            }
        }
        let server = try await InProcessServer(application.configuration, application, logger: application.logger)
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        let socket = try await connection.webSocket("/", headers: [.secWebSocketExtensions: "permessage-deflate"])
        try await socket.send(raw: FrameWire.text("first"))
        await entered.wait()
        try await socket.send(raw: FrameWire.frame(0x1, [0xF2], isFinal: false, reserved: 4))
        while server.memory.count == 0 { try await turn() }
        #expect(server.memory.count == Inflater.size)
        for _ in 0..<4 { await server.passSecond() }
        #expect(server.memory.count == 0)
        latch.open()
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == Self.tooSlow)
    }

    @Test func `one for which there is no memory ends the connection, with 1013`() async throws {
        var configuration = Self.configuration()
        configuration.maximumBufferedSize = 1_000_000
        let (entered, latch) = (Latch(), Latch())
        let application = try Probe.application(configuration) { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    entered.open()
                    await latch.wait()
                }
            }
        }
        let server = try await InProcessServer(configuration, application, logger: application.logger)
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        let socket = try await connection.webSocket("/")
        try await socket.send(raw: FrameWire.text("first"))
        await entered.wait()
        let taken = MemoryLease(995_000, of: server.memory)
        // The queue takes some of them, and the rest would have to be kept.
        try await socket.send(raw: (0..<2000).flatMap { _ in FrameWire.text("x") })
        latch.open()
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .tryAgainLater)
        withExtendedLifetime(taken) {}
    }
}
