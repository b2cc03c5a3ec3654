import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// Heads and frames that are not as RFC 9113 or a limit wants them.
@Suite("HTTP/2: what is malformed", .timeLimit(.minutes(5)))
struct HTTP2MalformedTests {
    private typealias Frame = HTTP2Client.Frame
    private static let calm = HTTP2Client.calm

    // MARK: Heads

    private static let refused: [(String, [(String, String)], String)] = [
        ("the limit of bytes", (0..<40).map { ("x-\($0)", String(repeating: "a", count: 1000)) }, "431"),
        ("the limit of fields", (0..<101).map { ("x-\($0)", "a") }, "431"),
        ("a repeated name", (0..<101).map { _ in ("x", "a") }, "431"),
        ("crumbs of a cookie", (0..<900).map { _ in ("cookie", "") }, "431"),
        ("two hosts", [("host", "other")], "400"),
    ]

    @Test(arguments: refused.indices)
    func `a head that HTTP/1.1 would refuse is refused`(index: Int) async throws {
        let (name, fields, status) = Self.refused[index]
        let client = try await HTTP2Client(to: HTTP2Site.server())
        #expect(try await client.request("/", fields).status == status, "\(name)")
        #expect(try await client.request("/").text == "ok")
    }

    @Test(arguments: ["417", "431"])
    func `a HEAD that is refused gets no body`(status: String) async throws {
        let fields: [(String, String)] =
            status == "417" ? [("expect", "x")] : (0..<101).map { ("x-\($0)", "a") }
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let head = client.frames("HEAD", "/", fields)[0]
        try await client.send(head)
        var frame = try await client.next()
        while frame?.isKind(.headers) == false { frame = try await client.next() }
        #expect(frame?.flags == Frame.endHeaders | Frame.endStream)
        let response = try await client.response(head.stream)
        #expect(response.status == status && response.body.isEmpty)
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
        #expect(try await client.end(after: Array(frames.dropFirst())) == Self.calm)
    }

    @Test func `so is one of a field that nobody needs`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let name = Array("sec-websocket-key".utf8)
        let field = [0x40, UInt8(name.count)] + name + [0x7F, 0xB9, 0x16] + [UInt8](repeating: 0x61, count: 3000)
        let block = HTTP2Client.connect("/chat", []) + field + [UInt8](repeating: 0xBE, count: 5000)
        try await client.send(Frame(.headers, flags: 4, stream: client.nextStream(), block))
        #expect(try await client.response(1).reset == 2)
        #expect(try await client.request("/").text == "ok")
    }

    /// Names and values of three bytes, and then a byte for each time that they are meant again.
    @Test func `so is a head of very many fields`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let block = HTTP2Client.head("GET", "/") + [0x40, 1, 0x78, 1, 0x61] + [UInt8](repeating: 0xBE, count: 15_000)
        try await client.send(Frame(.headers, flags: 5, stream: client.nextStream(), block))
        #expect(try await client.response(1).reset == 2)
        #expect(try await client.request("/").text == "ok")
    }

    @Test(arguments: ["/a b", "/a\r\nb: c", "a", "", "http://other/", "/\u{7f}", "/%zz", "//x HTTP/1.1"])
    func `a path that is malformed is refused`(path: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let response = try await client.request(path)
        #expect(response.reset == 1 || response.status == "400", "\(response)")
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a target with a wrong escape gets problem details`() async throws {
        let response = try await HTTP2Client(to: HTTP2Site.server()).request("/%zz")
        #expect(response.status == "400")
        #expect(response["content-type"] == "application/problem+json")
        #expect(response.text.hasPrefix("{\"title\":\"Bad Request\",\"status\":400,\"detail\":"))
    }

    @Test(arguments: ["2", "4"])
    func `a length that lies resets its stream`(length: String) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let response = try await client.request("POST", "/count", [("content-length", length)], body: [1, 2, 3])
        #expect(response.reset == 1)
        #expect(try await client.request("/").text == "ok")
    }

    // MARK: What is refused is counted and logged

    @Test func `what is malformed is counted and logged, as over HTTP/1.1`() async throws {
        let (metrics, log) = (PrometheusMetrics(), LogLines())
        let client = try await HTTP2Client(to: HTTP2Site.server(logger: log.logger, metrics: metrics))
        let line = "Refused local: 400, Its HTTP/2 is malformed (RFC 9113 §5.4)."
        #expect(try await client.request("/", [("x", "a\rb")]).reset == 1)
        #expect(log.all == [line])
        #expect(metrics.text().contains("\nroost_refused_messages_total{status=\"400\"} 1\n"))
        #expect(try await client.end(after: [Frame(.ping, [1])]) == 6)
        #expect(log.all == [line, line])
        #expect(metrics.text().contains("\nroost_refused_messages_total{status=\"400\"} 2\n"))
    }

    @Test func `so is a head that means megabytes`() async throws {
        let (metrics, log) = (PrometheusMetrics(), LogLines())
        let client = try await HTTP2Client(to: HTTP2Site.server(logger: log.logger, metrics: metrics))
        let block = HTTP2Client.head("GET", "/") + [0x40, 1, 0x78, 1, 0x61] + [UInt8](repeating: 0xBE, count: 15_000)
        try await client.send(Frame(.headers, flags: 5, stream: client.nextStream(), block))
        #expect(try await client.response(1).reset == 2)
        #expect(log.all == ["Refused local: 431, The header fields are out of all proportion."])
        #expect(metrics.text().contains("\nroost_refused_messages_total{status=\"431\"} 1\n"))
    }

    @Test func `a client that takes back its request has not been refused`() async throws {
        let (metrics, log) = (PrometheusMetrics(), LogLines())
        let client = try await HTTP2Client(to: HTTP2Site.server(logger: log.logger, metrics: metrics))
        let head = client.frames("GET", "/waits")[0]
        try await client.send(head, Frame(.reset, stream: head.stream, HTTP2Client.bytes(8)))
        #expect(try await client.request("/").text == "ok")
        #expect(log.all.isEmpty)
        #expect(metrics.text().contains("\nroost_refused_messages_total{status=\"400\"} 0\n"))
    }

    /// As `curl` does: a status that says that the rest is not wanted ends its stream.
    @Test func `an upload that stops when it is refused is no fault`() async throws {
        let (metrics, log) = (PrometheusMetrics(), LogLines())
        let client = try await HTTP2Client(to: HTTP2Site.server(logger: log.logger, metrics: metrics))
        let head = HTTP2Client.head("POST", "/count", [("content-length", "2000000")])
        for _ in 0..<200 {
            let stream = client.nextStream()
            try await client.send(Frame(.headers, flags: Frame.endHeaders, stream: stream, head))
            #expect(try await client.response(stream).status == "413")
            try await client.send(Frame(.data, flags: Frame.endStream, stream: stream))
        }
        #expect(try await client.request("/").text == "ok")
        #expect(client.goaways.isEmpty && log.all.isEmpty)
        #expect(metrics.text().contains("\nroost_refused_messages_total{status=\"400\"} 0\n"))
    }

    // MARK: What is not HTTP/2 ends the connection

    @Test(arguments: [
        Frame(.windowUpdate, [0, 0, 0, 0]), Frame(.windowUpdate, [0]), Frame(.ping, [1]), Frame(.settings, [1]),
        Frame(.reset, stream: 1, [0]), Frame(.data, flags: 8, stream: 1, []), Frame(.headers, flags: 8, stream: 1, []),
        Frame(.headers, flags: 0x24, stream: 1, [0]), Frame(.headers, flags: 4, stream: 2, [0x82]),
        Frame(.headers, flags: 4, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        Frame(.continuation, stream: 1, []), Frame(.promise, flags: 4, stream: 1, [0, 0, 0, 2]),
        Frame(.data, stream: 0, [1]), Frame(.settings, stream: 1, []), Frame(.goaway, [0]),
        Frame(.settings, flags: 1, [0]), Frame(.settings, HTTP2Client.setting(2, 2)),
        Frame(.settings, HTTP2Client.setting(4, .max)), Frame(.settings, HTTP2Client.setting(5, 1)),
        Frame(.headers, stream: 1, []), Frame(.reset, stream: 3, HTTP2Client.bytes(8)),
        Frame(.windowUpdate, HTTP2Client.bytes(.max >> 1)), Frame(.data, flags: 8, stream: 1, [2, 0]),
    ])
    private func `frames that are malformed`(frame: Frame) async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        let code = try await client.end(after: [frame])
        #expect(code != nil && code != 0)
    }

    /// Frames that may not follow on a stream that a client has ended, or whose head it has begun.
    private static let late: [([Frame], UInt32)] = [
        ([Frame(.data, flags: 1, stream: 1, [1])], 5), ([Frame(.headers, flags: 5, stream: 1, [0x82])], 5),
        ([Frame(.windowUpdate, stream: 1, [0, 0, 0, 0])], 1), ([Frame(.priority, stream: 1, [0, 0, 0, 1, 1])], 1),
        ([Frame(.headers, stream: 3, [0x82]), Frame(.headers, flags: 5, stream: 5, [0x82])], 1),
        ([Frame(.headers, stream: 3, [0x82]), Frame(.data, flags: 1, stream: 3)], 1),
    ]

    @Test(arguments: late.indices)
    func `frames at the wrong time`(index: Int) async throws {
        let (frames, code) = Self.late[index]
        let latch = Latch()
        let client = try await HTTP2Client(to: HTTP2Site.server(latch: latch))
        #expect(try await client.end(after: client.frames("GET", "/waits") + frames) == code)
        latch.open()
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
}

/// Numbers that are the same in each run.
struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}
