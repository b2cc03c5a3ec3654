import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// The messages that come between the Close frames of both sides.
@Suite("RFC 6455 §1.4: messages before the client's Close", .timeLimit(.minutes(5)))
struct LastMessageTests {
    /// The messages that a handler has read, and the way in which they have ended.
    private final class Seen: Sendable {
        private let words = Mutex<[String]>([])
        let ended = Latch()

        func note(_ word: String) { words.withLock { $0.append(word) } }

        func all() async -> [String] {
            await ended.wait()
            return words.withLock { $0 }
        }
    }

    private let seen = Seen()
    private let entered = Latch()
    private let latch = Latch()

    /// A handler that closes with a code when it has read the first message, or only waits for the latch.
    private func client(closing code: WebSocketCloseCode? = nil) throws -> TestClient {
        let (seen, entered, latch) = (seen, entered, latch)
        return try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                defer { seen.ended.open() }
                for try await message in socket {
                    if message == .text("first") {
                        entered.open()
                        if let code { await socket.close(code: code) } else { await latch.wait() }
                    }
                    seen.note(message.text ?? "")
                }
                seen.note(Task.isCancelled ? "cancelled" : "end")
            }
        }
    }

    private static let many = (0..<500).map { "\($0) " + String(repeating: "x", count: 100) }
    private static let frames = many.flatMap { FrameWire.text($0) }
    private static let close = FrameWire.frame(0x8, [0x03, 0xE8])

    @Test func `a handler that has closed reads all of them, however many have come`() async throws {
        let socket = try await client(closing: .normal).webSocket("/")
        try await socket.send(raw: FrameWire.text("first") + Self.frames)
        #expect(try await socket.receive() == nil)
        #expect(socket.closed?.code == .normal)
        #expect(await seen.all() == ["first"] + Self.many + ["end"])
    }

    @Test func `so does one that is behind when the server ends, and the server waits for it`() async throws {
        let client = try client()
        let connection = try await client.connect()
        let socket = try await connection.webSocket("/")
        try await socket.send(raw: FrameWire.text("first"))
        await entered.wait()
        try await socket.send(raw: Self.frames)
        async let stopped: Void = client.stop()
        #expect(try await connection.receive().starts(with: [0x88, 27, 0x03, 0xE9]))
        try await socket.send(raw: FrameWire.text("last") + Self.close)
        latch.open()
        #expect(try await connection.readToEnd() == [])
        #expect(await seen.all() == ["first"] + Self.many + ["last", "end"])
        try await stopped
    }

    @Test func `one that waits in vain learns of the end after ten seconds`() async throws {
        let client = try client(closing: .normal)
        let connection = try await client.connect()
        let socket = try await connection.webSocket("/")
        try await socket.send(raw: FrameWire.text("first"))
        #expect(try await connection.receive() == [0x88, 2, 0x03, 0xE8])
        for second in 0..<10 {
            try await socket.send(raw: FrameWire.text("\(second)"))
            _ = try await client.get("/nothing")
            #expect(!seen.ended.isOpen)
            try await client.pass(.seconds(1))
        }
        #expect(await seen.all() == ["first"] + (0..<10).map { "\($0)" } + ["end"])
    }

    @Test func `a client that has broken the rules is not listened to`() async throws {
        let client = try client(closing: .policyViolation)
        let connection = try await client.connect()
        let socket = try await connection.webSocket("/")
        try await socket.send(raw: FrameWire.text("first"))
        #expect(try await connection.receive() == [0x88, 2, 0x03, 0xF0])
        #expect(await seen.all() == ["first", "end"])
        try await socket.send(raw: Self.frames + Self.close)
        #expect(try await connection.readToEnd() == [])
    }

    @Test func `what a handler leaves unread does not hide the client's Close`() async throws {
        let latch = latch
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { _, _ in await latch.wait() }
        }
        let connection = try await client.connect()
        let socket = try await connection.webSocket("/")
        // One read, and more messages than wait for a handler.
        try await socket.send(raw: (0..<300).flatMap { _ in FrameWire.text("x") } + Self.close)
        _ = try await client.get("/nothing")
        latch.open()
        #expect(try await connection.readToEnd() == [0x88, 2, 0x03, 0xE8])
    }

    @Test func `a task that reads learns of the end when the handler has ended`() async throws {
        let (seen, entered, latch) = (seen, entered, latch)
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                Task(executorPreference: EventLoop.current) {
                    defer { seen.ended.open() }
                    for try await message in socket {
                        seen.note(message.text ?? "")
                        entered.open()
                    }
                    seen.note("end")
                }
                await latch.wait()
                await socket.close()
            }
        }
        let connection = try await client.connect()
        let socket = try await connection.webSocket("/")
        try await socket.send(raw: FrameWire.text("first"))
        await entered.wait()
        latch.open()
        #expect(await seen.all() == ["first", "end"])
        #expect(try await connection.receive() == [0x88, 2, 0x03, 0xE8])
    }
}
