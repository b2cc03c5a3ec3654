import Glibc
import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// What all streams of a connection, and all connections of a loop, have together.
@Suite("HTTP/2: many streams and connections", .timeLimit(.minutes(5)))
struct HTTP2SharingTests {
    private typealias Frame = HTTP2Client.Frame

    /// As a browser does whose user leaves a page before it has come.
    @Test func `a client may cancel all that it was offered at once, and goes on`() async throws {
        let latch = Latch()
        let client = try await HTTP2Client(to: HTTP2Site.server(latch: latch))
        // All but one: those whose handlers are about to end count as well.
        let heads = (0..<99).map { _ in client.frames("GET", "/waits")[0] }
        let next = client.frames("GET", "/")[0]
        let resets = heads.map { Frame(.reset, stream: $0.stream, HTTP2Client.bytes(8)) }
        try await client.send(heads)
        try await client.send(resets + [next])
        #expect(try await client.response(next.stream).text == "ok")
        #expect(client.goaways.isEmpty)
        latch.open()
    }

    /// More than nghttp2 takes by itself, too.
    @Test func `what one client of a trusted proxy does, does not end the requests of the others`() async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("local"))
        let client = try await HTTP2Client(to: HTTP2Site.server(configuration))
        let frames = (0..<2000).flatMap { _ in
            let head = client.frames("GET", "/")[0]
            return [head, Frame(.reset, stream: head.stream, HTTP2Client.bytes(8))]
        }
        try await client.send(frames)
        #expect(try await client.request("/").text == "ok")
        #expect(client.goaways.isEmpty)
    }

    /// nghttp2 ends it: the responses make up for the resets, so that it costs no patience.
    @Test func `a client that cancels requests without end is cut off, however many it takes`() async throws {
        let client = try await HTTP2Client(to: HTTP2Site.server())
        for _ in 0..<200 where client.goaways.isEmpty {
            var last: Int32 = 0
            var frames: [Frame] = []
            for _ in 0..<25 {
                let cancelled = client.frames("GET", "/")[0]
                frames += [cancelled, Frame(.reset, stream: cancelled.stream, HTTP2Client.bytes(8))]
                for _ in 0..<2 {
                    frames += client.frames("GET", "/")
                    last = frames[frames.count - 1].stream
                }
            }
            try? await client.send(frames)
            _ = try? await client.response(last)
        }
        #expect(client.goaways.first?.code == 2)
    }

    /// As clients in Go do, also when a response has been sent to its end.
    @Test func `a client may allow 4 KiB at a time, on the connection and on streams`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server, settings: HTTP2Client.setting(4, 4 << 20))
        let waiting = client.frames("GET", "/waits")[0]
        try await client.send(Frame(.windowUpdate, HTTP2Client.bytes(1 << 30)), waiting)
        for _ in 0..<40 {
            let large = client.frames("GET", "/large")[0]
            try await client.send(large)
            #expect(try await client.response(large.stream).body.count == 300_000)
            let steps = [0, waiting.stream, large.stream].map {
                Frame(.windowUpdate, stream: $0, HTTP2Client.bytes(4096))
            }
            try await client.send((0..<74).flatMap { _ in steps })
        }
        latch.open()
        #expect(try await client.response(waiting.stream).text == "waited")
        #expect(client.goaways.isEmpty)
    }

    /// One of them would not count.
    @Test func `many small heads of a connection count in the memory of all clients`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 1 << 20
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        let field = [("x-large", String(repeating: "a", count: 3500))]
        for _ in 0..<100 { try await client.send(client.frames("POST", "/sum", field, body: [])[0]) }
        try await client.send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
        while client.pongs < 1 { _ = try #require(try await client.next()) }
        #expect(server.memory.count >= 90 * 3500)
        client.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    /// One of them would not count.
    @Test func `many small bodies of a connection count in the memory of all clients`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = 1 << 20
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        let body = [UInt8](repeating: 1, count: 4000)
        for _ in 0..<100 { try await client.send(client.frames("POST", "/ignores", body: body)) }
        try await client.send(Frame(.ping, [UInt8](repeating: 0, count: 8)))
        while client.pongs < 1 { _ = try #require(try await client.next()) }
        #expect(server.memory.count >= 90 * 4000)
        client.connection.close()
        while server.memory.count > 0 { try await Task.yieldOnce() }
    }

    /// Its clock has gone on, and some connections have not been looked at yet, when frames come on all.
    @Test func `a second counts for a connection that is used while others are looked at`() throws {
        let application = try Application(middleware: []) { routes in routes.get(Path("/")) { _ in "ok" } }
        var configuration = ServerConfiguration()
        configuration.sendTimeout = .seconds(1)
        let loop = try EventLoop()
        let group = ConnectionGroup(
            loop: loop, responder: application, limits: configuration.connectionLimits,
            logger: application.logger, http2: try TLS(TLSSettings()).makeHTTP2())
        var ends: [Int32] = []
        defer { for end in ends { close(end) } }
        for _ in 0...ConnectionRound.size {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
            ends.append(pair[0])
            group.add(pair[1], from: .local)
        }
        let send = { (bytes: [UInt8]) in
            for end in ends { #expect(write(end, bytes, bytes.count) == bytes.count) }
            for connection in Array(group.connections.values) { connection.ready(.readable) }
        }
        let untaken = { group.connections.values.count { $0.session?.work == .requests } }
        // The client's windows are shut.
        let head = Frame(.headers, flags: 5, stream: 1, HTTP2Client.head("GET", "/"))
        send(HTTP2Client.preface + Frame(.settings, HTTP2Client.setting(4, 0)).bytes + head.bytes)
        #expect(untaken() == ConnectionRound.size + 1)
        group.tick(0)
        #expect(untaken() == 1)
        send(Frame(.ping, [UInt8](repeating: 0, count: 8)).bytes)
        loop.execute { loop.execute { loop.stop() } }
        loop.run()
        #expect(untaken() == 0)
        _ = group.closeAll()
    }
}
