import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// What a client does to cost a server more than itself, and what is not HTTP.
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
        #expect(try await Self.end(of: client, after: frames) == Self.calm)
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
        #expect(try await Self.end(of: client, after: frames) == Self.calm)
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
        #expect(try await Self.end(of: client, after: frames) == Self.calm)
    }

    @Test func `parts of a body that are empty`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = client.nextStream()
        let head = Frame(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/sum"))
        let frames = [head] + Array(repeating: Frame(.data, stream: stream), count: 1000)
        #expect(try await Self.end(of: client, after: frames) == Self.calm)
    }

    @Test func `a head in parts without end`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let stream = client.nextStream()
        let head = Frame(.headers, stream: stream, HTTP2Client.head("GET", "/"))
        let part = Frame(.continuation, stream: stream, HTTP2Client.field("a", "b"))
        #expect(try await Self.end(of: client, after: [head] + Array(repeating: part, count: 100)) != nil)
    }

    @Test func `a head that does not end`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        try await client.send(Frame(.headers, stream: client.nextStream(), HTTP2Client.head("GET", "/")))
        try await client.send(Frame(.continuation, stream: 3, []))
        for _ in 0..<100 { _ = await server.connectionCount() }
        for _ in 0..<11 { await server.passSecond() }
        #expect(try await client.end() == Self.calm)
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

    @Test func `a body that does not come gets 408`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        let stream = client.nextStream()
        try await client.send(Frame(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/sum")))
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<31 { await server.passSecond() }
        #expect(try await client.response(stream).status == "408")
    }

    // MARK: Heads

    private static let refused: [(String, [(String, String)], String)] = [
        ("the limit of bytes", (0..<40).map { ("x-\($0)", String(repeating: "a", count: 1000)) }, "431"),
        ("the limit of fields", (0..<101).map { ("x-\($0)", "a") }, "431"),
        ("a repeated name", (0..<101).map { _ in ("x", "a") }, "431"),
        ("two hosts", [("host", "other")], "400"),
    ]

    @Test(arguments: refused.indices)
    func `a head that HTTP/1.1 would refuse is refused`(index: Int) async throws {
        let (name, fields, status) = Self.refused[index]
        let client = try await HTTP2Client(to: HTTP2Site.server())
        #expect(try await client.request("/", fields).status == status, "\(name)")
        #expect(try await client.request("/").text == "ok")
    }

    @Test(arguments: [
        ("x", "a\rb"), ("x", "a\nb"), ("x", "a\u{0}b"), ("connection", "close"), ("proxy-connection", "keep-alive"),
        ("transfer-encoding", "chunked"), ("upgrade", "websocket"), ("keep-alive", "1"), ("X-Upper", "a"),
        ("x y", "a"), ("x:y", "a"), (":path", "/again"), (":unknown", "a"), ("te", "gzip"), ("content-length", "1"),
        ("content-length", "x"),
    ])
    func `a head that is malformed resets its stream`(name: String, value: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let response = try await client.request("/", [(name, value)])
        #expect(response.reset == 1 && response.status == nil)
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a head whose stream was reset is not waited for`() async throws {
        let (latch, entered) = (Latch(), Latch())
        let server = try await HTTP2Site.server(latch: latch, entered: entered)
        let client = try await HTTP2Client(to: server)
        let waiting = client.nextStream()
        try await client.send(Frame(.headers, flags: 5, stream: waiting, HTTP2Client.head("GET", "/waits")))
        await entered.wait()
        #expect(try await client.request("/", [("x", "a\rb")]).reset == 1)
        for _ in 0..<15 { await server.passSecond() }
        latch.open()
        #expect(try await client.response(waiting).text == "waited")
    }

    /// A field of 3,000 bytes, and then a byte for each time that it is meant again (RFC 7541 §6.1).
    @Test func `a head that means megabytes is reset, and ends the connection if it comes often`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let field = [0x40, 1, UInt8(ascii: "x"), 0x7F, 0xB9, 0x16] + [UInt8](repeating: UInt8(ascii: "a"), count: 3000)
        let block = HTTP2Client.head("GET", "/") + field + [UInt8](repeating: 0xBE, count: 5000)
        let frames = (0..<110).map { _ in Frame(.headers, flags: 5, stream: client.nextStream(), block) }
        try await client.send(frames[0])
        #expect(try await client.response(frames[0].stream).reset == 2)
        #expect(try await Self.end(of: client, after: Array(frames.dropFirst())) == Self.calm)
    }

    @Test(arguments: ["/a b", "/a\r\nb: c", "a", "", "http://other/", "/\u{7f}", "/%zz", "//x HTTP/1.1"])
    func `a path that is malformed is refused`(path: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let response = try await client.request(path)
        #expect(response.reset == 1 || response.status == "400", "\(response)")
        #expect(try await client.request("/").text == "ok")
    }

    @Test(arguments: ["2", "4"])
    func `a length that lies resets its stream`(length: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let response = try await client.request("POST", "/count", [("content-length", length)], body: [1, 2, 3])
        #expect(response.reset == 1)
        #expect(try await client.request("/").text == "ok")
    }

    // MARK: What is not HTTP/2 ends the connection

    @Test(arguments: [
        Frame(.windowUpdate, [0, 0, 0, 0]), Frame(.windowUpdate, [0]), Frame(.ping, [1]), Frame(.settings, [1]),
        Frame(.reset, stream: 1, [0]), Frame(.data, flags: 8, stream: 1, []), Frame(.headers, flags: 8, stream: 1, []),
        Frame(.headers, flags: 0x24, stream: 1, [0]), Frame(.headers, flags: 4, stream: 2, [0x82]),
        Frame(.headers, flags: 4, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        Frame(.continuation, stream: 1, []), Frame(.promise, flags: 4, stream: 1, [0, 0, 0, 2]),
        Frame(.data, stream: 0, [1]), Frame(.settings, stream: 1, []), Frame(.goaway, [0]),
    ])
    private func `frames that are malformed`(frame: Frame) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let code = try await Self.end(of: client, after: [frame])
        #expect(code != nil && code != 0)
    }

    @Test func `any bytes end the connection without harm`() async throws {
        let server = try await HTTP2Site.server()
        var generator = Numbers(state: 7)
        for _ in 0..<200 {
            let client = try await HTTP2Client(to: server)
            let bytes = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
                UInt8.random(in: 0...9, using: &generator)
            }
            try? await client.connection.send(bytes)
            try? client.connection.shutdownWrite()
            _ = try? await client.end()
        }
        #expect(try await HTTP2Client(to: server).request("/").text == "ok")
    }

    /// The code of the last GOAWAY after frames that the server need not read to their end.
    private static func end(of client: HTTP2Client, after frames: [Frame]) async throws -> UInt32? {
        try? await client.send(frames)
        _ = try? await client.end()
        return client.goaways.last?.code
    }
}

/// Numbers that are the same in each run.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}

extension Task where Success == Never, Failure == Never {
    /// Lets other tasks run; a test whose time limit has passed ends here.
    static func yieldOnce() async throws {
        try checkCancellation()
        await yield()
    }
}
