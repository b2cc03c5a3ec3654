import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// Requests and responses on streams, with the bytes of RFC 9113.
@Suite("HTTP/2", .timeLimit(.minutes(5)))
struct HTTP2Tests {
    private func client(_ server: InProcessServer? = nil, settings: [UInt8] = []) async throws -> HTTP2Client {
        let own = if let server { server } else { try await HTTP2Site.server() }
        return try await HTTP2Client(to: own, settings: settings)
    }

    @Test(arguments: ["/long", "/long/text"])
    func `a response whose head is too large for a frame ends its stream`(path: String) async throws {
        let log = LogLines()
        let client = try await HTTP2Client(to: HTTP2Site.server(logger: log.logger))
        #expect(try await client.request(path).reset == 2)
        #expect(log.all == ["A response could not be sent over HTTP/2: its header fields are too large."])
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a request gets its response`() async throws {
        let client = try await client()
        let response = try await client.request("/")
        #expect(response.text == "ok" && response.reset == nil)
        #expect(response.fields.map(\.name) == [":status", "content-type", "date", "content-length"])
        #expect(response.status == "200" && response["content-length"] == "2")
    }

    @Test(arguments: [1, 3, 16, 17, 24, 40])
    func `the preface may come in parts`(count: Int) async throws {
        let server = try await HTTP2Site.server()
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        let bytes =
            HTTP2Client.preface + HTTP2Client.Frame(.settings).bytes + HTTP2Client.Frame(.ping, [UInt8](0..<8)).bytes
        try await connection.send(Array(bytes[..<count]))
        for _ in 0..<3 { _ = await server.connectionCount() }
        try await connection.send(Array(bytes[count...]))
        let pong = HTTP2Client.Frame(.ping, flags: 1, [UInt8](0..<8)).bytes
        var received: [UInt8] = []
        while received.firstRange(of: pong) == nil { received += try await connection.receive() }
    }

    @Test func `a server without HTTP/2 refuses it as ever, and so does a connection that has spoken HTTP/1.1`()
        async throws
    {
        let application = try Application(middleware: []) { routes in routes.get(Path("/")) { _ in "ok" } }
        let plain = try await InProcessServer(application.configuration, application, logger: application.logger)
        for (server, before) in [(plain, ""), (try await HTTP2Site.server(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n")] {
            let connection = HTTPConnection(
                descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
            try await connection.send(before + "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
            if !before.isEmpty { #expect(try await connection.readResponse().text == "ok") }
            #expect(try await connection.readResponse().status.code == 505)
        }
    }

    @Test func `what the handler sees is what HTTP/1.1 would show it`() async throws {
        let client = try await client()
        let fields = try await client.request(
            "/fields", [("cookie", "a=1"), ("x-one", "1"), ("cookie", "b=2"), ("x-one", "2"), ("te", "trailers")])
        #expect(fields.text == "host: localhost\nx-one: 1\nx-one: 2\nte: trailers\ncookie: a=1; b=2\n")
        #expect(try await client.request("/a/../path?q=%20").text == "localhost /path q=%20 /a/../path?q=%20")
    }

    @Test func `fields about the connection are left out, and names are in lower case`() async throws {
        let response = try await client().request("/connection")
        #expect(response.fields.map(\.name) == [":status", "x-mixed", "date", "content-length"])
    }

    /// RFC 9113 §8.2.1: clients drop a field with them.
    @Test func `blanks around a value are left out`() async throws {
        let response = try await client().request("/blanks")
        #expect(response["x-text"] == "a b" && response["x-nothing"] == "")
        #expect(response.text == "ok")
    }

    @Test func `a response to HEAD has no body`() async throws {
        let response = try await client().request("HEAD", "/large")
        #expect(response["content-length"] == "300000" && response.body.isEmpty)
    }

    @Test(arguments: [("/fails", "409"), ("/wrong", "500"), ("/interim", "500"), ("/nothing", "404")])
    func `errors are responses`(path: String, status: String) async throws {
        #expect(try await client().request(path).status == status)
    }

    @Test func `bodies of any length come whole`() async throws {
        let client = try await client()
        for count in [0, 1, 5_000, 200_000] {
            let body = [UInt8](repeating: 7, count: count)
            try await client.send(.init(.windowUpdate, HTTP2Client.bytes(1_000_000)))
            #expect(try await client.request("POST", "/count", body: body).text == "\(count)")
            #expect(try await client.request("POST", "/sum", body: body).text == "\(count)")
        }
    }

    @Test func `a client may send as much as the handler has read`() async throws {
        let latch = Latch()
        let entered = Latch()
        let server = try await HTTP2Site.server(latch: latch, entered: entered)
        let client = try await client(server)
        #expect(try await client.request("/").text == "ok")
        let stream = client.nextStream()
        try await client.send(.init(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/ignores")))
        await entered.wait()
        // Not read: the stream's window stays shut, but that of the connection opens for others.
        for _ in 0..<16 { try await client.send(.init(.data, stream: stream, [UInt8](repeating: 0, count: 16_000))) }
        #expect(try await client.request("POST", "/sum", body: [UInt8](repeating: 0, count: 200_000)).text == "200000")
        latch.open()
        let response = try await client.response(stream)
        #expect(response.text == "ignored", "\(response)")
    }

    @Test func `a large response waits for the client's windows`() async throws {
        let client = try await client(settings: HTTP2Client.setting(4, 1))
        let stream = client.nextStream()
        try await client.send(
            .init(.headers, flags: 5, stream: stream, HTTP2Client.head("GET", "/large")))
        var frame = try await client.next()
        while !(frame?.isKind(.data) ?? true) { frame = try await client.next() }
        #expect(frame?.payload.count == 1)
        try await client.send(.init(.windowUpdate, stream: stream, HTTP2Client.bytes(1)))
        frame = try await client.next()
        #expect(frame?.isKind(.data) ?? false && frame?.payload.count == 1)
        // Others are not delayed by it.
        try await client.send(.init(.settings, HTTP2Client.setting(4, 3)))
        #expect(try await client.request("/").text == "ok")
        try await client.send(
            .init(.windowUpdate, HTTP2Client.bytes(1_000_000)),
            .init(.windowUpdate, stream: stream, HTTP2Client.bytes(1_000_000)))
        #expect(try await client.response(stream).body.count == 300_000)
    }

    @Test func `streams are sent as they are made`() async throws {
        let client = try await client()
        #expect(try await client.request("/pieces").text == "43210")
        #expect(try await client.request("POST", "/echo", body: Array("hello".utf8)).text == "hello")
    }

    @Test(arguments: ["/short", "/broken", "/shrinks"])
    func `a stream that is not what was announced is reset`(path: String) async throws {
        let client = try await client()
        let response = try await client.request(path)
        #expect(response.status == "200" && response.reset == 2)
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a file that becomes shorter while it is sent is logged, as over HTTP/1.1`() async throws {
        let log = LogLines()
        let client = try await client(HTTP2Site.server(logger: log.logger))
        #expect(try await client.request("/shrinks").reset == 2)
        #expect(
            log.all == ["local GET /shrinks: A file could not be sent completely: it has become shorter."])
    }

    @Test func `many requests run at the same time, and each has its response when it is ready`() async throws {
        let latch = Latch()
        let client = try await client(HTTP2Site.server(latch: latch))
        let waiting = (0..<50).map { _ in client.frames("GET", "/waits")[0] }
        try await client.send(waiting)
        #expect(try await client.request("/").text == "ok")
        latch.open()
        for frame in waiting { #expect(try await client.response(frame.stream).text == "waited") }
    }

    @Test func `a request that is cancelled cancels its handler, and no other`() async throws {
        let entered = Latch()
        let cancelled = Latch()
        let client = try await client(HTTP2Site.server(entered: entered, cancelled: cancelled))
        let frame = client.frames("GET", "/sleeps")[0]
        try await client.send(frame)
        await entered.wait()
        try await client.send(.init(.reset, stream: frame.stream, HTTP2Client.bytes(8)))
        await cancelled.wait()
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a connection that ends cancels its handlers`() async throws {
        let entered = Latch()
        let cancelled = Latch()
        let client = try await client(HTTP2Site.server(entered: entered, cancelled: cancelled))
        try await client.send(client.frames("GET", "/sleeps"))
        await entered.wait()
        client.connection.close()
        await cancelled.wait()
    }

    @Test func `an event stream is a response that lasts`() async throws {
        let latch = Latch()
        let entered = Latch()
        let server = try await HTTP2Site.server(latch: latch, entered: entered)
        let client = try await client(server)
        let frame = client.frames("GET", "/events")[0]
        try await client.send(frame)
        await entered.wait()
        #expect(try await client.request("/").text == "ok")
        #expect(server.budgets.streams.count == 1)
        latch.open()
        #expect(try await client.response(frame.stream).text == "data: first\n\ndata: second\n\n")
    }

    @Test func `trailers end a request, and are dropped`() async throws {
        let client = try await client()
        let stream = client.nextStream()
        try await client.send(
            .init(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/sum")),
            .init(.data, stream: stream, [1, 2, 3]),
            .init(.headers, flags: 5, stream: stream, HTTP2Client.field("x-checksum", "3")))
        #expect(try await client.response(stream).text == "3")
    }

    @Test func `a client that waits for 100 gets it when its body is read`() async throws {
        let client = try await client()
        let stream = client.nextStream()
        try await client.send(
            .init(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/sum", [("expect", "100-continue")])))
        var frame = try await client.next()
        while !(frame?.isKind(.headers) ?? true) { frame = try await client.next() }
        try await client.send(.init(.data, flags: 1, stream: stream, [1, 2, 3]))
        let response = try await client.response(stream)
        #expect(response.fields.filter { $0.name == ":status" }.map(\.value) == ["100", "200"])
    }
}
