import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// Requests that cost a server more than their client, and bytes that are not HTTP.
@Suite("HTTP/2: abuse", .timeLimit(.minutes(5)))
struct HTTP2AbuseTests {
    private typealias Frame = HTTP2Client.Frame
    private static let calm = HTTP2Client.calm

    // MARK: Floods end with ENHANCE_YOUR_CALM

    @Test func `requests that are reset at once`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server)
        var frames: [Frame] = []
        for _ in 0..<300 {
            let head = client.frames("GET", "/waits")[0]
            frames += [head, Frame(.reset, stream: head.stream, HTTP2Client.bytes(8))]
        }
        #expect(try await client.end(after: frames) == Self.calm)
        latch.open()
    }

    @Test func `requests that make the server reset them`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server)
        var frames: [Frame] = []
        for _ in 0..<300 {
            let head = client.frames("GET", "/waits")[0]
            frames += [head, Frame(.windowUpdate, stream: head.stream, HTTP2Client.bytes(.max >> 1))]
        }
        #expect(try await client.end(after: frames) == Self.calm)
        latch.open()
    }

    /// The handlers of reset streams may run on: they count as long as they do.
    @Test func `no more than a hundred handlers run for a connection`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server)
        for _ in 0..<90 { try await client.send(client.frames("GET", "/waits")) }
        let waiting = (0..<10).map { _ in client.frames("GET", "/stays")[0] }
        try await client.send(waiting)
        for count in 1...2 {
            try await client.send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
            while client.pongs < count { _ = try #require(try await client.next()) }
        }
        for head in waiting { try await client.send(Frame(.reset, stream: head.stream, HTTP2Client.bytes(8))) }
        #expect(try await client.request("/").reset == 7)
        latch.open()
        #expect(try await client.response(1).text == "waited")
    }

    @Test(arguments: [
        Frame(.ping, [UInt8](repeating: 0, count: 8)), Frame(.settings, HTTP2Client.setting(4, 70_000)),
        Frame(.priority, stream: 1, [0, 0, 0, 0, 1]), Frame(.windowUpdate, HTTP2Client.bytes(1)),
    ])
    private func `frames that say nothing`(frame: Frame) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let frames = Array(repeating: frame, count: 1100)
        #expect(try await client.end(after: frames) == Self.calm)
    }

    @Test(arguments: [Frame(.data, stream: 1), Frame(.data, flags: 8, stream: 1, [3, 0, 0, 0])])
    private func `parts of a body that are empty, or only padding`(part: Frame) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let head = Frame(.headers, flags: 4, stream: client.nextStream(), HTTP2Client.head("POST", "/sum"))
        let frames = [head] + Array(repeating: part, count: 1000)
        #expect(try await client.end(after: frames) == Self.calm)
    }

    @Test func `heads on a stream that is closed`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let head = client.frames("GET", "/large")[0]
        let frames = [head, Frame(.reset, stream: 1, HTTP2Client.bytes(8))] + Array(repeating: head, count: 600)
        #expect(try await client.end(after: frames) == Self.calm)
    }

    @Test func `heads that are refused`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let fields = (0..<101).map { ("x-\($0)", "") }
        let frames = (0..<300).flatMap { _ in client.frames("GET", "/", fields) }
        #expect(try await client.end(after: frames) == Self.calm)
    }

    /// Compressed, each may be a few bytes.
    @Test(arguments: ["/sum", "/a/../sum"])
    func `heads whose bodies do not come count in the memory of all clients`(path: String) async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 1 << 20
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        let large = [("x-large", String(repeating: "a", count: 30_000))]
        for _ in 0..<20 { try await client.send(Array(client.frames("POST", path, large, body: [1]).dropLast())) }
        try await client.send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
        while client.pongs < 1 { _ = try #require(try await client.next()) }
        #expect(server.memory.count >= 20 * 30_000)
        for _ in 0..<20 { try await client.send(Array(client.frames("POST", path, large, body: [1]).dropLast())) }
        let refused = try await client.request("/sum", large)
        #expect(refused.status == "503")
        #expect(refused.text.contains("Too much data is being sent here at the moment."))
        client.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    @Test func `a head in parts without end`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = client.nextStream()
        let head = Frame(.headers, stream: stream, HTTP2Client.head("GET", "/"))
        let part = Frame(.continuation, stream: stream, HTTP2Client.field("a", "b"))
        #expect(try await client.end(after: [head] + Array(repeating: part, count: 100)) == Self.calm)
    }

    @Test func `requests whose bodies never come are no more than a hundred`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let frames = (0..<10_000).map { _ in
            Frame(.headers, flags: 4, stream: client.nextStream(), HTTP2Client.head("POST", "/sum"))
        }
        #expect(try await client.end(after: frames) == Self.calm)
        client.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    /// A response a byte at a time, each of which the client has to allow.
    @Test func `a window of one byte`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server(), settings: HTTP2Client.setting(4, 1))
        try await client.send(client.frames("GET", "/large"))
        let frames = Array(repeating: Frame(.windowUpdate, stream: 1, HTTP2Client.bytes(1)), count: 1100)
        #expect(try await client.end(after: frames) == Self.calm)
    }

    /// nghttp2 passes over these without a word.
    @Test func `a window of a stream that has ended`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let head = client.frames("GET", "/")[0]
        try await client.send(head)
        #expect(try await client.response(head.stream).text == "ok")
        let frames = Array(repeating: Frame(.windowUpdate, stream: head.stream, HTTP2Client.bytes(4096)), count: 1100)
        #expect(try await client.end(after: frames) == Self.calm)
    }

    @Test func `responses that are asked for and not taken`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 1 << 20))
        // The connection's window lets 64 KiB through, and then stays shut.
        let heads = (0..<100).map { _ in client.frames("GET", "/large")[0] }
        try await client.send(heads)
        while server.memory.count < 20 << 20 { try await Task.yieldOnce() }
        for _ in 0..<31 { await server.passSecond() }
        #expect(try await client.end() == Self.calm)
        #expect(server.memory.count == 0)
    }

    @Test func `a head that does not end`() async throws {
        let log = LogLines()
        let server = try await HTTP2Site.server(logger: log.logger)
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        try await client.send(Frame(.headers, stream: client.nextStream(), HTTP2Client.head("GET", "/")))
        try await client.send(Frame(.continuation, stream: 3, []))
        for _ in 0..<100 { _ = await server.connectionCount() }
        for _ in 0..<11 { await server.passSecond() }
        #expect(try await client.end() == Self.calm)
        #expect(log.all == ["Refused local: 408, The request took too long to arrive."])
    }

    @Test func `whoever does this now and then is served`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        for _ in 0..<30 {
            for _ in 0..<5 {
                let head = client.frames("GET", "/")[0]
                try await client.send(
                    head, Frame(.reset, stream: head.stream, HTTP2Client.bytes(8)),
                    Frame(.ping, [UInt8](repeating: 0, count: 8)), Frame(.settings))
            }
            #expect(try await client.request("/").text == "ok")
            await server.passSecond()
        }
        #expect(client.goaways.isEmpty)
    }

    // MARK: Memory

    @Test func `what a client does not take counts in the memory of all`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 4 << 20
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 0))
        let heads = (0..<20).map { _ in client.frames("GET", "/large")[0] }
        try await client.send(heads)
        #expect(try await client.request("HEAD", "/").status == "200")
        #expect(server.memory.count > 1 << 20 && server.memory.count <= 4 << 20)
        client.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    @Test func `a window that stays shut ends its stream`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 0))
        let head = client.frames("GET", "/large")[0]
        try await client.send(head)
        #expect(try await client.request("HEAD", "/").status == "200")
        for _ in 0..<31 { await server.passSecond() }
        #expect(try await client.response(head.stream).reset != nil)
        #expect(server.memory.count == 0)
    }

    @Test func `a client that reads nothing is cut off`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 1 << 30))
        try await client.send(Frame(.windowUpdate, HTTP2Client.bytes(1 << 30)))
        for _ in 0..<20 { try await client.send(client.frames("GET", "/large")) }
        while await server.unsentCount() == 0 { try await Task.yieldOnce() }
        for _ in 0..<32 { await server.passSecond() }
        #expect(await server.connectionCount() == 0)
    }

    /// What others have is out of the same memory.
    @Test func `a response for which there is no memory is reset when its client reads, and the loop goes on`()
        async throws
    {
        let (latch, entered, left) = (Latch(), Latch(), Latch())
        let server = try await HTTP2Site.server(latch: latch, entered: entered, left: left)
        let other = try await HTTP2Client(to: server)
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 1 << 30))
        let waiting = client.frames("GET", "/waits")[0]
        try await client.send(Frame(.windowUpdate, HTTP2Client.bytes(1 << 30)), waiting)
        await entered.wait()
        for _ in 0..<20 { try await client.send(client.frames("GET", "/large")) }
        while await server.unsentCount() == 0 { try await Task.yieldOnce() }
        let rest = MemoryLease(server.memory.limit - server.memory.count, of: server.memory)
        latch.open()
        await left.wait()
        #expect(try await other.request("/").text == "ok")
        await server.passSecond()
        #expect(await server.connectionCount() == 2)
        rest.shrink(to: 0)
        #expect(try await client.response(waiting.stream).reset == 2)
    }

    @Test func `a body that does not come gets 408`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let stream = client.nextStream()
        try await client.send(Frame(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/sum")))
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<31 { await server.passSecond() }
        #expect(try await client.response(stream).status == "408")
    }

    @Test func `a handler is given up in time, also while its client does not take another response`() async throws {
        var configuration = ServerConfiguration()
        configuration.sendTimeout = .seconds(3600)
        configuration.handlerTimeout = .seconds(5)
        let (entered, latch) = (Latch(), Latch())
        let server = try await HTTP2Site.server(configuration, latch: latch, entered: entered)
        let client = try await HTTP2Client(to: server)
        try await client.send(
            Frame(.settings, HTTP2Client.setting(4, 1 << 30)), Frame(.windowUpdate, HTTP2Client.bytes(1 << 30)))
        let handler = client.nextStream()
        try await client.send(Frame(.headers, flags: 5, stream: handler, HTTP2Client.head("GET", "/waits")))
        await entered.wait()
        for _ in 0..<40 { try await client.send(client.frames("GET", "/large")) }
        while await server.unsentCount() == 0 { try await Task.yieldOnce() }
        for _ in 0..<10 { await server.passSecond() }
        #expect(try await client.response(handler).status == "503")
        latch.open()
    }
}

extension HTTP2Client {
    /// The code of the last GOAWAY after frames that the server need not read to their end.
    func end(after frames: [Frame]) async throws -> UInt32? {
        try? await send(frames)
        _ = try? await end()
        return goaways.last?.code
    }
}

extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run; a test whose time limit has passed ends here.
    static func yieldOnce() async throws {
        try checkCancellation()
        await yield()
    }
}
