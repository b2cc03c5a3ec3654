import RoostTesting
import Testing

@testable import Roost

/// Silent clients, on a clock that the tests control.
@Suite("The time of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketTimeTests {
    @Test func `a silent client is pinged, and given up when it does not answer`() async throws {
        let client = try WebSocketTests.client(
            WebSocketOptions(pingInterval: .seconds(7), pongTimeout: .seconds(3)))
        let socket = try await client.webSocket("/echo")
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
        try await client.pass(.seconds(7))
        #expect(try await socket.receivePing() == [])
        try await client.pass(.seconds(3))
        try await socket.waitForEnd()
        #expect(try await socket.receive() == nil && socket.closed == nil)
    }

    @Test func `one that answers is not`() async throws {
        let client = try WebSocketTests.client(
            WebSocketOptions(pingInterval: .seconds(7), pongTimeout: .seconds(3)))
        let socket = try await client.webSocket("/echo")
        for _ in 0..<3 {
            try await client.pass(.seconds(7))
            #expect(try await socket.receivePing() == [])
            try await socket.send(raw: FrameWire.frame(0xA, []))
            try await socket.ping()
            _ = try await socket.receivePong()
        }
        try await socket.send("still here")
        #expect(try await socket.receive() == .text("still here"))
    }

    @Test func `without a limit nobody is pinged`() async throws {
        let client = try WebSocketTests.client(WebSocketOptions(pingInterval: nil))
        let socket = try await client.webSocket("/echo")
        try await client.pass(.seconds(1_000))
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
    }

    @Test func `a client without messages is sent away, pongs or not`() async throws {
        let client = try WebSocketTests.client(
            WebSocketOptions(pingInterval: .seconds(7), idleTimeout: .seconds(10)))
        let socket = try await client.webSocket("/echo")
        try await client.pass(.seconds(7))
        #expect(try await socket.receivePing() == [])
        try await socket.ping()
        _ = try await socket.receivePong()
        try await client.pass(.seconds(3))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .goingAway)
    }

    @Test func `a Close that is not answered ends after ten seconds`() async throws {
        let client = try Probe.client { routes in routes.webSocket(Path("/")) { _, _ in } }
        let connection = try await client.connect()
        _ = try await connection.webSocket("/")
        #expect(try await connection.receive() == [0x88, 2, 0x03, 0xE8])
        try await client.pass(.seconds(9))
        _ = try await client.get("/nothing")
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        try await connection.waitForClose()
    }

    @Test func `a handler that has not read a Close for ten seconds is cancelled`() async throws {
        let (entered, ended) = (Latch(), Latch())
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    entered.open()
                    defer { ended.open() }
                    let loop = try #require(EventLoop.current)
                    try await loop.sleep(for: .seconds(3600))
                }
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send("begin")
        await entered.wait()
        try await socket.send(raw: FrameWire.frame(0x8, [0x03, 0xE9]))
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(11))
        await ended.wait()
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .goingAway)
    }

    @Test func `what a client sends instead of its Close is dropped, and gives it no more time`() async throws {
        let client = try Probe.client { routes in routes.webSocket(Path("/")) { _, _ in } }
        let connection = try await client.connect()
        _ = try await connection.webSocket("/")
        for _ in 0..<10 {
            try await connection.send(FrameWire.text("more") + FrameWire.frame(0x9, []))
            _ = try await client.get("/nothing")
            try await client.pass(.seconds(1))
        }
        #expect(try await connection.readToEnd() == [0x88, 2, 0x03, 0xE8])
    }

    @Test func `a client whose messages nobody reads is not taken for silent`() async throws {
        let latch = Latch()
        let client = try Probe.client { routes in
            routes.webSocket(Path("/"), WebSocketOptions(pingInterval: .seconds(5), pongTimeout: .seconds(5))) {
                socket, _ in
                await latch.wait()
                for try await message in socket { try await socket.send("\(message.count)") }
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send(.binary([UInt8](repeating: 1, count: 20_000)))
        try await socket.send("behind")
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(100))
        latch.open()
        #expect(try await socket.receive() == .text("20000"))
        #expect(try await socket.receive() == .text("6"))
    }

    @Test func `one that nobody listened to for long has the whole time to answer a ping`() async throws {
        let latch = Latch()
        let client = try Probe.client { routes in
            routes.webSocket(Path("/"), WebSocketOptions(pingInterval: .seconds(5), pongTimeout: .seconds(5))) {
                socket, _ in
                await latch.wait()
                for try await message in socket { try await socket.send("\(message.count)") }
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send(.binary([UInt8](repeating: 1, count: 20_000)))
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(100))
        latch.open()
        #expect(try await socket.receive() == .text("20000"))
        try await client.pass(.seconds(1))
        #expect(try await socket.receivePing() == [])
        try await client.pass(.seconds(4))
        try await socket.send("here")
        #expect(try await socket.receive() == .text("4"))
    }
}
