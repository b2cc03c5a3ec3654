import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// The end of a WebSocket, seen from both sides.
@Suite("RFC 6455 §7: closing", .timeLimit(.minutes(5)))
struct WebSocketClosingTests {
    /// The messages that a handler has seen, and its end.
    private final class Seen: Sendable {
        let words = Mutex<[String]>([])
        let ended = Latch()

        func note(_ word: String) { words.withLock { $0.append(word) } }

        func all() async -> [String] {
            await ended.wait()
            return words.withLock { $0 }
        }
    }

    private let seen = Seen()

    /// A handler that notes messages, how they end, and whether it was cancelled.
    private func client(_ options: WebSocketOptions = WebSocketOptions()) throws -> TestClient {
        let seen = seen
        return try Probe.client { routes in
            routes.webSocket(Path("/"), options) { socket, _ in
                defer { seen.ended.open() }
                do {
                    for try await message in socket {
                        seen.note(message.text ?? "binary")
                        if message == .text("close") { await socket.close(code: .policyViolation, reason: "enough") }
                        if message == .text("throw") { throw WebSocketReadTwice() }
                        if message == .text("return") { return }
                    }
                    seen.note("end")
                } catch let error as WebSocketClosed {
                    seen.note("\(error.code.rawValue)")
                }
                seen.note(Task.isCancelled ? "cancelled" : "not cancelled")
                do {
                    try await socket.send("late")
                } catch is WebSocketClosed {
                    seen.note("cannot send")
                }
            }
        }
    }

    @Test(arguments: [nil, WebSocketCloseCode.normal, .goingAway, WebSocketCloseCode(rawValue: 4321)])
    func `a client that closes gets its code back, and the messages end`(code: WebSocketCloseCode?) async throws {
        let socket = try await client().webSocket("/")
        try await socket.send("one")
        #expect(try await socket.close(code: code, reason: "bye")?.code == code ?? .noStatus)
        #expect(await seen.all() == ["one", "end", "not cancelled", "cannot send"])
    }

    @Test func `a handler that closes says why, and waits for the client's Close`() async throws {
        let socket = try await client().webSocket("/")
        try await socket.send("close")
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .policyViolation, reason: "enough"))
        #expect(await seen.all() == ["close", "end", "not cancelled", "cannot send"])
        try await socket.waitForEnd()
    }

    @Test func `a handler that returns closes, one that throws says that something was unexpected`() async throws {
        for (message, code) in [("return", WebSocketCloseCode.normal), ("throw", .internalError)] {
            let socket = try await client().webSocket("/")
            try await socket.send(message)
            #expect(try await socket.receive() == nil)
            #expect(socket.closed?.code == code)
            try await socket.waitForEnd()
        }
    }

    @Test(arguments: [
        ([UInt8]([0x81, 0x00]), WebSocketCloseCode.protocolError), ([0x83], .protocolError), ([0xF1], .protocolError),
        (FrameWire.frame(0x1, [0xFF]), .invalidData), (FrameWire.header(0x2, 1 << 40), .messageTooBig),
        (FrameWire.header(0x2, .max), .protocolError), (FrameWire.frame(0x8, [0x03, 0xED]), .protocolError),
        ((0...100).flatMap { _ in FrameWire.frame(0xA, []) }, .policyViolation),
    ])
    func `§7.1.7: what is not the protocol ends the connection, and nothing behind it is echoed`(
        bytes: [UInt8], code: WebSocketCloseCode
    ) async throws {
        let socket = try await client().webSocket("/")
        try await socket.send("before")
        try await socket.send(raw: bytes + FrameWire.frame(0x9, [1]) + FrameWire.text("behind"))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == code)
        try await socket.waitForEnd()
        #expect(await seen.all() == ["before", "\(code.rawValue)", "not cancelled", "cannot send"])
    }

    @Test func `a handler that reads a message and a fault that came together is not cancelled`() async throws {
        let socket = try await client().webSocket("/")
        try await socket.send(raw: FrameWire.text("before") + [0xF1])
        #expect(try await socket.receive() == nil)
        #expect(await seen.all() == ["before", "1002", "not cancelled", "cannot send"])
    }

    @Test func `nothing is echoed behind a Close`() async throws {
        let connection = try await WebSocketTests.client().connect()
        let socket = try await connection.webSocket("/echo")
        try await socket.send(raw: FrameWire.frame(0x8, []) + FrameWire.frame(0x9, []) + FrameWire.text("behind"))
        #expect(try await connection.readToEnd() == [0x88, 0x00])
    }

    @Test func `a client that leaves without a Close breaks the messages off`() async throws {
        for leave in [{ $0.reset() }, { try $0.shutdownWrite() }] as [(TestWebSocket) throws -> Void] {
            let other = WebSocketClosingTests()
            let socket = try await other.client().webSocket("/")
            try await socket.send("one")
            while other.seen.words.withLock({ $0.isEmpty }) { try await turn() }
            try leave(socket)
            #expect(await other.seen.all() == ["one", "1006", "not cancelled", "cannot send"])
        }
    }

    @Test(arguments: [false, true])
    func `a handler that never reads is cancelled when the client leaves`(isOrderly: Bool) async throws {
        let ended = Latch()
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { _, _ in
                defer { ended.open() }
                try await EventLoop.current?.sleep(for: .seconds(3600))
            }
        }
        let socket = try await client.webSocket("/")
        if isOrderly { try await socket.close() } else { socket.reset() }
        await ended.wait()
    }

    @Test func `a handler that never reads is cancelled, however much its client has sent before`() async throws {
        let (entered, ended) = (Latch(), Latch())
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { _, _ in
                entered.open()
                defer { ended.open() }
                try await EventLoop.current?.sleep(for: .seconds(3600))
            }
        }
        let socket = try await client.webSocket("/")
        await entered.wait()
        try await socket.send(raw: (0..<10).flatMap { _ in FrameWire.text(String(repeating: "x", count: 9000)) })
        try socket.shutdownWrite()
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(1))
        await ended.wait()
    }

    @Test func `a handler that does something else when the connection breaks is cancelled`() async throws {
        let (entered, ended) = (Latch(), Latch())
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    entered.open()
                    defer { ended.open() }
                    try await EventLoop.current?.sleep(for: .seconds(3600))
                }
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send("begin")
        await entered.wait()
        socket.reset()
        await ended.wait()
    }

    @Test func `a large message that a broken connection cuts is not taken for sent`() throws {
        let seen = seen
        let application = try Application(middleware: []) { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    do {
                        try await socket.send([UInt8](repeating: 1, count: 100_000))
                        seen.note("sent")
                    } catch let error as WebSocketClosed {
                        seen.note("\(error.code.rawValue)")
                    }
                }
            }
        }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let client = try StandingClient(in: group)
        client.connection.start()
        group.loop.run(
            { client.send(handshake("/")) },
            // The loop reads the message before it learns that its client has left.
            {
                client.send(FrameWire.text("x"))
                client.leave()
            },
            {})
        #expect(seen.words.withLock { $0 } == ["1006"])
    }

    @Test func `messages that came before an orderly end are still read, and only then is it answered`() async throws {
        let latch = Latch()
        let (seen, ended) = (seen, Latch())
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                defer { ended.open() }
                for try await message in socket {
                    if message == .text("first") { await latch.wait() }
                    seen.note(message.text ?? "")
                }
                seen.note(Task.isCancelled ? "cancelled" : "end")
            }
        }
        let socket = try await client.webSocket("/")
        for text in ["first", "second", "third"] { try await socket.send(text) }
        async let close = socket.close(code: .goingAway)
        _ = try await client.get("/nothing")
        latch.open()
        #expect(try await close?.code == .goingAway)
        await ended.wait()
        #expect(seen.words.withLock { $0 } == ["first", "second", "third", "end"])
    }

    @Test func `what came before a Close, or a fault, is answered before it`() async throws {
        for (bytes, code) in [(FrameWire.frame(0x8, [0x0F, 0xA0]), 4000), ([0xF1], 1002)] as [([UInt8], UInt16)] {
            let socket = try await WebSocketTests.client().webSocket("/echo")
            try await socket.send(raw: FrameWire.text("one") + FrameWire.text("two") + bytes + FrameWire.text("three"))
            #expect(try await socket.receive() == .text("one"))
            #expect(try await socket.receive() == .text("two"))
            #expect(try await socket.receive() == nil)
            #expect(socket.closed?.code.rawValue == code)
        }
    }

    @Test func `a handler that is busy for ten seconds does not keep a Close from its answer`() async throws {
        let (entered, latch) = (Latch(), Latch())
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                for try await _ in socket {
                    entered.open()
                    await latch.wait()
                }
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send("busy")
        await entered.wait()
        try await socket.send(raw: FrameWire.frame(0x8, [0x03, 0xE9]))
        _ = try await client.get("/nothing")
        try await client.pass(.seconds(11))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .goingAway)
        latch.open()
    }

    @Test func `a server that ends closes with 1001, also in the middle of messages`() async throws {
        let client = try client()
        let socket = try await client.webSocket("/")
        try await socket.send(raw: FrameWire.text("half", isFinal: false))
        _ = try await client.get("/nothing")
        async let stopped: Void = client.stop()
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .goingAway)
        try await stopped
        #expect(await seen.all() == ["end", "not cancelled", "cannot send"])
    }

    @Test func `a large message that is being sent when the server ends breaks off between fragments`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                try await socket.send([UInt8](repeating: 1, count: 8 << 20))
            }
        }
        let socket = try await client.webSocket("/")
        _ = try await client.get("/nothing")
        async let stopped: Void = client.stop()
        _ = try await socket.receive()
        while socket.closed == nil, try await socket.receive() != nil {}
        #expect(socket.closed?.code == .goingAway)
        try await stopped
    }
}
