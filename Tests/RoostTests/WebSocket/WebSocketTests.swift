import RoostTesting
import Testing

@testable import Roost

/// Messages through a whole application: what a handler reads and sends.
@Suite("RFC 6455 §6: sending and receiving", .timeLimit(.minutes(5)))
struct WebSocketTests {
    /// `/echo` sends each message back; `/compressed` keeps its context.
    static func client(_ options: WebSocketOptions = WebSocketOptions()) throws -> TestClient {
        try Probe.client { routes in
            routes.webSocket(Path("/echo"), options) { socket, _ in
                for try await message in socket { try await socket.send(message) }
            }
        }
    }

    static let sizes = [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 300_000]

    @Test(arguments: sizes)
    func `messages of any size come back, as text and as bytes`(size: Int) async throws {
        let socket = try await Self.client().webSocket("/echo")
        let text = WebSocketMessage.text(String(repeating: "x", count: size))
        let binary = WebSocketMessage.binary((0..<size).map { UInt8(truncatingIfNeeded: $0) })
        for message in [text, binary] {
            try await socket.send(message)
            #expect(try await socket.receive() == message)
        }
        #expect(try await socket.close()?.code == .normal)
    }

    @Test(arguments: sizes, [false, true])
    func `compressed ones too, one after the other`(size: Int, keepsContext: Bool) async throws {
        let compression = WebSocketCompression(keepsContext: keepsContext, threshold: 100)
        let client = try Self.client(WebSocketOptions(compression: compression))
        let socket = try await client.webSocket(
            "/echo", headers: [.secWebSocketExtensions: "permessage-deflate; client_max_window_bits"])
        let expected =
            keepsContext
            ? "permessage-deflate" : "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        #expect(socket.response.headers[.secWebSocketExtensions] == expected)
        let text = (0..<size / 7).map { "\($0 % 1000), " }.joined()
        for message in [WebSocketMessage.text(text), .text(text), .binary(Array(text.utf8))] {
            try await socket.send(message)
            #expect(try await socket.receive() == message)
        }
        #expect(try await socket.close()?.code == .normal)
    }

    @Test func `frames that came with the request are read`() async throws {
        let connection = try await Self.client().connect()
        try await connection.send(
            Array(handshake("/echo").utf8) + FrameWire.text("early") + FrameWire.frame(0x8, [0x03, 0xE8]))
        let response = try await connection.readResponse()
        #expect(response.status == .switchingProtocols)
        #expect(response.headers[.connection] == "Upgrade" && response.headers[.upgrade] == "websocket")
        #expect(response.headers[.contentLength] == nil && response.headers[.transferEncoding] == nil)
        #expect(try await connection.readToEnd() == [0x81, 5] + Array("early".utf8) + [0x88, 2, 0x03, 0xE8])
    }

    @Test func `a request before and frames in pieces behind`() async throws {
        let connection = try await Self.client().connect()
        let bytes = Array((get("/nothing") + handshake("/echo")).utf8) + FrameWire.text("early")
        for piece in [bytes[..<100], bytes[100..<(bytes.count - 8)], bytes[(bytes.count - 8)...]] {
            try await connection.send(Array(piece))
        }
        #expect(try await connection.readResponse().status == .notFound)
        #expect(try await connection.readResponse().status == .switchingProtocols)
        #expect(try await connection.receive() == [0x81, 5] + Array("early".utf8))
    }

    @Test func `pings are answered at once, in the middle of a message`() async throws {
        let socket = try await Self.client().webSocket("/echo")
        try await socket.send(raw: FrameWire.text("Hel", isFinal: false) + FrameWire.frame(0x9, [1, 2, 3]))
        #expect(try await socket.receivePong() == [1, 2, 3])
        try await socket.send(raw: FrameWire.frame(0x0, Array("lo".utf8)))
        #expect(try await socket.receive() == .text("Hello"))
    }

    @Test func `each of many messages that come together is answered in order`() async throws {
        let socket = try await Self.client().webSocket("/echo")
        try await socket.send(raw: (0..<5000).flatMap { FrameWire.text("\($0)") })
        for number in 0..<5000 { #expect(try await socket.receive() == .text("\(number)")) }
    }

    @Test func `a handler that does not read stops its client`() async throws {
        let latch = Latch()
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                await latch.wait()
                for try await message in socket { try await socket.send("\(message.count)") }
            }
        }
        let socket = try await client.webSocket("/")
        let frame = FrameWire.frame(0x2, [UInt8](repeating: 1, count: 60_000))
        let sending = Task { for _ in 0..<100 { try await socket.send(raw: frame) } }
        // The server reads no more than it has room for, whatever else it does meanwhile.
        for _ in 0..<10 { _ = try await client.get("/nothing") }
        latch.open()
        for _ in 0..<100 { #expect(try await socket.receive() == .text("60000")) }
        try await sending.value
    }

    @Test func `a client that does not read stops whoever sends to it, and is cut off`() async throws {
        let ended = Latch()
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                defer { ended.open() }
                let message = [UInt8](repeating: 7, count: 100_000)
                while true { try await socket.send(message) }
            }
        }
        let socket = try await client.webSocket("/")
        // What was read with the handshake made room once more.
        try await client.pass(.seconds(100))
        await ended.wait()
        withExtendedLifetime(socket) {}
    }

    @Test func `messages from several tasks stay whole, on the loop and elsewhere`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        let message = [UInt8](repeating: UInt8(number), count: 50_000 * number)
                        group.addTask { try? await socket.send(message) }
                        group.addTask { await Task.detached { try? await socket.send(message) }.value }
                    }
                }
            }
        }
        let socket = try await client.webSocket("/")
        var counts: [Int: Int] = [:]
        while case .binary(let bytes) = try await socket.receive() {
            #expect(Set(bytes).count <= 1 && bytes.count == 50_000 * Int(bytes.first ?? 0))
            counts[bytes.count, default: 0] += 1
        }
        #expect(counts.values.allSatisfy { $0 == 2 } && counts.count == 8)
        #expect(socket.closed?.code == .normal)
    }

    @Test func `a task elsewhere can read, and is cancelled with its group`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                let reading = Task.detached { () throws -> WebSocketMessage? in
                    for try await message in socket { return message }
                    return nil
                }
                let message = try await reading.value
                let cancelled = Task.detached { () throws -> WebSocketMessage? in
                    for try await message in socket { return message }
                    return nil
                }
                cancelled.cancel()
                let isCancelled: Bool
                do { isCancelled = try await cancelled.value == nil } catch { isCancelled = error is CancellationError }
                await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { for try await _ in socket {} }
                    await Task.yield()
                    group.cancelAll()
                }
                try await socket.send("\(message?.text ?? "nothing") \(isCancelled)")
            }
        }
        let socket = try await client.webSocket("/")
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello true"))
    }

    /// Cancels the task that calls it.
    private static func cancelOwnTask() { withUnsafeCurrentTask { $0?.cancel() } }

    @Test func `a task that is cancelled before it reads does not cancel the handler, which reads next`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                // It has ended when the handler goes on, and the loop has done nothing else.
                let cancelled = Task.immediate(executorPreference: EventLoop.current) {
                    () async throws -> WebSocketMessage? in
                    Self.cancelOwnTask()
                    for try await message in socket { return message }
                    return nil
                }
                for try await message in socket {
                    guard case .failure(let error) = await cancelled.result else { return }
                    try await socket.send("\(message.text ?? "nothing") \(error is CancellationError)")
                }
            }
        }
        let socket = try await client.webSocket("/")
        for text in ["one", "two"] {
            try await socket.send(text)
            #expect(try await socket.receive() == .text("\(text) true"))
        }
        #expect(try await socket.close()?.code == .normal)
    }

    @Test func `a task that is cancelled before it reads does not cancel another, which is waiting`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                async let waiting: Void = { for try await message in socket { try await socket.send(message) } }()
                await Task.yield()
                let cancelled = Task.immediate(executorPreference: EventLoop.current) { () async throws in
                    Self.cancelOwnTask()
                    for try await _ in socket {}
                }
                guard case .failure = await cancelled.result else { return }
                try await socket.send("refused")
                try await waiting
            }
        }
        let socket = try await client.webSocket("/")
        #expect(try await socket.receive() == .text("refused"))
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
    }

    @Test func `a task that waits can be cancelled after another has tried to read`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                let waiting = Task.immediate(executorPreference: EventLoop.current) { () async throws in
                    for try await _ in socket {}
                }
                do {
                    for try await _ in socket {}
                } catch is WebSocketReadTwice {
                    waiting.cancel()
                }
                guard case .failure(let error) = await waiting.result else { return }
                try await socket.send("\(error is CancellationError)")
            }
        }
        #expect(try await client.webSocket("/").receive() == .text("true"))
    }

    @Test func `two tasks cannot read at once`() async throws {
        let client = try Probe.client { routes in
            routes.webSocket(Path("/")) { socket, _ in
                async let first: Void = { for try await message in socket { try await socket.send(message) } }()
                await Task.yield()
                do {
                    for try await _ in socket {}
                } catch is WebSocketReadTwice {
                    try await socket.send("twice")
                }
                try await first
            }
        }
        let socket = try await client.webSocket("/")
        #expect(try await socket.receive() == .text("twice"))
        try await socket.send("hello")
        #expect(try await socket.receive() == .text("hello"))
    }
}
