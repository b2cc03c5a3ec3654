import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// WebSockets on streams (RFC 8441).
@Suite("HTTP/2: WebSockets", .timeLimit(.minutes(5)))
struct HTTP2WebSocketTests {
    private typealias Frame = HTTP2Client.Frame

    /// A frame from a client, masked with zeros (RFC 6455 §5.2).
    private static func message(_ opcode: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 126
            ? [0x80 | UInt8(count)]
            : count < 65_536
                ? [0xFE] + HTTP2Client.bytes(UInt32(count)).suffix(2)
                : [0xFF, 0, 0, 0, 0] + HTTP2Client.bytes(UInt32(count))
        return [0x80 | opcode] + length + [0, 0, 0, 0] + content
    }

    /// The content of the frames that have come whole.
    private static func content(_ bytes: [UInt8]) -> [UInt8] {
        var (content, rest) = ([UInt8](), bytes[...])
        while rest.count >= 2 {
            let short = Int(rest[rest.startIndex + 1])
            let headSize = short < 126 ? 2 : short == 126 ? 4 : 10
            guard rest.count >= headSize else { break }
            let size = short < 126 ? short : rest.dropFirst(2).prefix(headSize - 2).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= headSize + size else { break }
            content += rest.dropFirst(headSize).prefix(size)
            rest = rest.dropFirst(headSize + size)
        }
        return content
    }

    private static let close = message(8, [0x03, 0xE8])

    /// Asks for a WebSocket, and reads the head of the response.
    private static func open(
        _ path: String, by client: HTTP2Client, _ fields: [(String, String)] = []
    ) async throws -> Int32 {
        let stream = client.nextStream()
        try await client.send(Frame(.headers, flags: 4, stream: stream, HTTP2Client.connect(path, fields)))
        while true {
            let frame = try #require(try await client.next())
            if frame.stream == stream, frame.isKind(.headers) { return stream }
        }
    }

    /// A client that has been sent more than its window holds, and gives no more of that.
    private static func silent(on server: InProcessServer) async throws -> (client: HTTP2Client, stream: Int32) {
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 10))
        let stream = try await open("/chat", by: client)
        for _ in 0..<4 {
            try await client.send(
                Frame(.data, stream: stream, message(2, [UInt8](repeating: 0, count: 15_000))))
        }
        #expect(try await client.request("HEAD", "/").status == "200")
        return (client, stream)
    }

    /// Reads the bytes of a stream until there are as many.
    private static func read(_ count: Int, from stream: Int32, by client: HTTP2Client) async throws -> [UInt8] {
        while client.body(stream).count < count { _ = try #require(try await client.next()) }
        return client.body(stream)
    }

    @Test func `the server says that it has them`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let frame = try #require(try await client.next())
        #expect(frame.payload.suffix(6).elementsEqual(HTTP2Client.setting(8, 1)))
    }

    @Test func `messages pass both ways, beside requests`() async throws {
        let cancelled = Latch()
        let server = try await HTTP2Site.server(cancelled: cancelled)
        let client = try await HTTP2Client(to: server)
        let stream = try await Self.open("/chat", by: client, [("sec-websocket-protocol", "b, a")])
        #expect(server.budgets.webSockets.count == 1)
        try await client.send(Frame(.data, stream: stream, Self.message(1, Array("hi".utf8))))
        #expect(try await Self.read(4, from: stream, by: client) == [0x81, 2] + Array("hi".utf8))
        #expect(try await client.request("/").text == "ok")
        try await client.send(Frame(.data, stream: stream, Self.close))
        let response = try await client.response(stream)
        #expect(response.fields.map(\.name) == [":status", "sec-websocket-protocol", "date"])
        #expect(response.status == "200" && response["sec-websocket-protocol"] == "a")
        #expect(response.body.suffix(4) == [0x88, 2, 0x03, 0xE8])
        await cancelled.wait()
        #expect(try await client.request("/").text == "ok")
        #expect(server.budgets.webSockets.count == 0)
    }

    @Test func `large messages wait for the windows of both`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = try await Self.open("/chat", by: client)
        let content = (0..<400_000).map { UInt8(truncatingIfNeeded: ($0 &* 7) >> 3) }
        let bytes = Self.message(2, content)
        var (sent, allowed) = (0, 262_144)
        while Self.content(client.body(stream)).count < content.count {
            while sent < bytes.count, allowed > 0 {
                let count = min(bytes.count - sent, allowed, 16_384)
                try await client.send(Frame(.data, stream: stream, Array(bytes[sent..<(sent + count)])))
                (sent, allowed) = (sent + count, allowed - count)
            }
            let frame = try #require(try await client.next())
            if frame.isKind(.windowUpdate), frame.stream == stream { allowed += Int(frame.code) }
            guard frame.isKind(.data) else { continue }
            let more = HTTP2Client.bytes(UInt32(frame.payload.count))
            try await client.send(Frame(.windowUpdate, more), Frame(.windowUpdate, stream: stream, more))
        }
        let isWhole = Self.content(client.body(stream)) == content
        #expect(isWhole)
    }

    @Test(arguments: [
        ("/chat", "h2", "400"), ("/own", "websocket", "403"), ("/nothing", "websocket", "404"),
        ("/", "websocket", "501"),
    ])
    func `what is no WebSocket is an ordinary response`(path: String, name: String, status: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = client.nextStream()
        let block = HTTP2Client.connect(path, [("origin", "http://other")], protocol: name)
        try await client.send(Frame(.headers, flags: 4, stream: stream, block))
        let response = try await client.response(stream)
        #expect(response.status == status && response.reset == nil)
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a response that cannot be sent opens none`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let stream = try await Self.open("/wrong-chat", by: client)
        #expect(try await client.response(stream).status == "500")
        #expect(server.budgets.webSockets.count == 0)
    }

    @Test func `no more than the most are open`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumWebSockets = 1
        let client = try await HTTP2Client(to: HTTP2Site.server(configuration))
        _ = try await Self.open("/chat", by: client)
        let second = try await Self.open("/chat", by: client)
        #expect(try await client.response(second).status == "503")
    }

    @Test(arguments: [Frame(.reset, stream: 1, HTTP2Client.bytes(8)), Frame(.data, flags: 1, stream: 1)])
    private func `a stream that ends early ends its handler`(last: Frame) async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        _ = try await Self.open("/chat", by: client)
        try await client.send(last)
        while server.budgets.webSockets.count > 0 { try await Task.yieldOnce() }
        #expect(try await client.request("/").text == "ok")
        #expect(await server.connectionCount() == 1)
    }

    @Test func `a client that has finished is let go by a handler that never reads`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server)
        let stream = try await Self.open("/deaf", by: client)
        let message = Self.message(2, [UInt8](repeating: 0, count: 15_000))
        for number in 1...17 {
            try await client.send(Frame(.data, flags: number == 17 ? 1 : 0, stream: stream, message))
        }
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<3 { await server.passSecond() }
        #expect(server.budgets.webSockets.count == 0)
        latch.open()
    }

    @Test func `a connection that ends takes them along`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        for _ in 0..<3 { _ = try await Self.open("/chat", by: client) }
        #expect(await server.connectionCount() == 4)
        client.connection.close()
        while await server.connectionCount() > 0 || server.budgets.webSockets.count > 0 { try await Task.yieldOnce() }
    }

    @Test func `a client that is silent is asked, and then let go`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let stream = try await Self.open("/chat", by: client)
        for _ in 0..<120 where server.budgets.webSockets.count > 0 { await server.passSecond() }
        #expect(server.budgets.webSockets.count == 0)
        #expect(try await Self.read(2, from: stream, by: client).first == 0x89)
    }

    @Test func `a message that is not made whole in time ends its WebSocket, and no other`() async throws {
        var configuration = ServerConfiguration()
        configuration.bodyTimeout = .seconds(4)
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        let other = try await Self.open("/chat", by: client)
        let stream = try await Self.open("/chat", by: client)
        try await client.send(Frame(.data, stream: stream, [0x01, 0x81, 0, 0, 0, 0, 0x61]))
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<4 { await server.passSecond() }
        #expect(try await Self.read(4, from: stream, by: client).prefix(4).suffix(2) == [0x03, 0xF0])
        try await client.send(Frame(.data, stream: other, Self.message(1, Array("hi".utf8))))
        #expect(try await Self.read(4, from: other, by: client) == [0x81, 2] + Array("hi".utf8))
    }

    @Test func `a client that does not read is cut off`() async throws {
        let server = try await HTTP2Site.server()
        let (client, stream) = try await Self.silent(on: server)
        for _ in 0..<100 where server.budgets.webSockets.count > 0 { await server.passSecond() }
        #expect(server.budgets.webSockets.count == 0)
        for _ in 0..<40 { await server.passSecond() }
        #expect(try await client.response(stream).reset != nil)
        #expect(server.memory.count == 0)
    }

    @Test func `a key, which has no use here, is no mistake`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = client.nextStream()
        let block = HTTP2Client.connect("/chat", [("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")])
        try await client.send(
            Frame(.headers, flags: 4, stream: stream, block), Frame(.data, stream: stream, Self.close))
        #expect(try await client.response(stream).status == "200")
    }

    @Test func `a large message that becomes small by compression comes back`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = try await Self.open("/chat", by: client, [("sec-websocket-extensions", "permessage-deflate")])
        let message = Self.message(2, [UInt8](repeating: 0, count: 200_000))
        for start in stride(from: 0, to: message.count, by: 16_000) {
            let part = Array(message[start..<min(message.count, start + 16_000)])
            try await client.send(Frame(.data, stream: stream, part))
        }
        #expect(try await Self.read(2, from: stream, by: client).first.map { $0 & 0x4F } == 0x42)
    }

    @Test func `many small messages are no attack`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = try await Self.open("/chat", by: client)
        for number in 1...1_050 {
            try await client.send(Frame(.data, stream: stream, Self.message(1, [0x61])))
            _ = try await Self.read(3 * number, from: stream, by: client)
        }
        #expect(client.goaways.isEmpty)
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `one whose client does not read is not closed to make room, which would make none`() async throws {
        let server = try await HTTP2Site.server()
        let (client, _) = try await Self.silent(on: server)
        defer { withExtendedLifetime(client) {} }
        for _ in 0..<4 { await server.passSecond() }
        #expect(await server.unsentCount() == 1)
        #expect(await server.makeRoom() == 0)
        #expect(server.budgets.webSockets.count == 1)
    }

    @Test func `they end with the server`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let stream = try await Self.open("/chat", by: client)
        let drain = Task { await server.drain() }
        // "Going away" (RFC 6455 §7.4.1).
        #expect(try await Self.read(4, from: stream, by: client).prefix(4).suffix(2) == [0x03, 0xE9])
        try await client.send(Frame(.data, stream: stream, Self.close))
        _ = try await client.response(stream)
        await server.passSecond()
        await server.passSecond()
        #expect(try await client.end() == 0)
        client.connection.close()
        await drain.value
    }
}
