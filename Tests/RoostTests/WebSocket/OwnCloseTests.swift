import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Handlers that close before they have read anything.
@Suite("A WebSocket that its handler closes first", .timeLimit(.minutes(5)))
struct OwnCloseTests {
    private let entered = Latch()
    private let closes = Latch()
    private let goesOn = Latch()
    private let ended = Latch()
    private let seen = Seen()

    /// What a handler has noted.
    private final class Seen: Sendable {
        let words = Mutex<[String]>([])

        func note(_ word: String) { words.withLock { $0.append(word) } }
    }

    /// A handler that closes as soon as it may, and notes later whether it was cancelled.
    private func client() throws -> TestClient {
        let (entered, closes, goesOn, ended, seen) = (entered, closes, goesOn, ended, seen)
        return try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                defer { ended.open() }
                entered.open()
                if !closes.isOpen { await closes.wait() }
                await socket.close(code: .policyViolation, reason: "No ticket.")
                await goesOn.wait()
                seen.note(Task.isCancelled ? "cancelled" : "not cancelled")
            }
        }
    }

    private func words() async -> [String] {
        await ended.wait()
        return seen.words.withLock { $0 }
    }

    @Test func `the handler goes on`() async throws {
        closes.open()
        let socket = try await client().webSocket("/")
        #expect(try await socket.receive() == nil)
        #expect(socket.closed == WebSocketClosed(code: .policyViolation, reason: "No ticket."))
        goesOn.open()
        #expect(await words() == ["not cancelled"])
    }

    @Test func `it goes on, too, when its client's Close waits behind a message`() async throws {
        let client = try client()
        let socket = try await client.webSocket("/")
        await entered.wait()
        try await socket.send(raw: FrameWire.text("one") + FrameWire.frame(0x8, [0x0F, 0xA0]))
        _ = try await client.get("/nothing")
        closes.open()
        #expect(try await socket.receive() == nil)
        goesOn.open()
        #expect(await words() == ["not cancelled"])
    }

    @Test func `it goes on, too, when its client's Close comes with the request`() async throws {
        closes.open()
        let client = try client()
        let connection = try await client.connect()
        try await connection.send(Array(handshake("/").utf8) + FrameWire.frame(0x8, [0x0F, 0xA0]))
        #expect(try await connection.readResponse().status == .switchingProtocols)
        _ = try await connection.readToEnd()
        connection.close()
        // The server's side closes, if it has not yet.
        try await client.pass(.seconds(60))
        goesOn.open()
        #expect(await words() == ["not cancelled"])
    }

    @Test func `the handler is cancelled when the connection breaks`() async throws {
        closes.open()
        let socket = try await client().webSocket("/")
        socket.reset()
        #expect(await words() == ["cancelled"])
    }

    @Test func `it can still read what its client has sent before its Close`() async throws {
        let (ended, seen) = (ended, seen)
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                defer { ended.open() }
                await socket.close(code: WebSocketCloseCode(rawValue: 4000), reason: "bye")
                for try await message in socket { seen.note(message.text ?? "binary") }
                seen.note("end")
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send(raw: FrameWire.text("one") + FrameWire.text("two") + FrameWire.frame(0x8, [0x0F, 0xA0]))
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code.rawValue == 4000)
        #expect(await words() == ["one", "two", "end"])
    }
}
