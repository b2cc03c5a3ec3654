import RoostTLS
import RoostTesting
import Testing

@testable import Roost

/// The end of a connection, by either side.
@Suite("HTTP/2: the end", .timeLimit(.minutes(5)))
struct HTTP2EndingTests {
    private typealias Frame = HTTP2Client.Frame

    @Test func `the server ends in two steps, and responds to what is on its way`() async throws {
        let latch = Latch()
        let entered = Latch()
        let server = try await HTTP2Site.server(latch: latch, entered: entered)
        let client = try await HTTP2Client(to: server)
        let waiting = client.frames("GET", "/waits")[0]
        try await client.send(waiting)
        await entered.wait()
        let drain = Task { await server.drain() }
        while client.goaways.isEmpty { _ = try #require(try await client.next()) }
        #expect(client.goaways[0].last == 0x7fff_ffff && client.goaways[0].code == 0)
        #expect(try await client.request("/").text == "ok")
        await server.passSecond()
        await server.passSecond()
        while client.goaways.count < 2 { _ = try #require(try await client.next()) }
        #expect(client.goaways[1].last == 3 && client.goaways[1].code == 0)
        // This one is for another server.
        try await client.send(client.frames("GET", "/"))
        latch.open()
        #expect(try await client.response(waiting.stream).text == "waited")
        #expect(try await client.end() == 0)
        client.connection.close()
        await drain.value
    }

    @Test func `a request is answered for a whole second after the first step of the end`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        let drain = Task { await server.drain() }
        while client.goaways.isEmpty { _ = try #require(try await client.next()) }
        // The clock counts whole seconds, so its next one may begin at once.
        await server.passSecond()
        #expect(try await client.request("/").text == "ok")
        #expect(client.goaways.count == 1)
        await server.passSecond()
        #expect(try await client.end() == 0)
        client.connection.close()
        await drain.value
    }

    @Test func `an idle connection ends with the server`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        let drain = Task { await server.drain() }
        while client.goaways.isEmpty { _ = try #require(try await client.next()) }
        await server.passSecond()
        await server.passSecond()
        #expect(try await client.end() == 0)
        client.connection.close()
        await drain.value
    }

    @Test func `a connection ends after the most requests that it may have`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumRequestsPerConnection = 3
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        for _ in 0..<2 { try await client.request("/") }
        #expect(client.goaways.isEmpty)
        #expect(try await client.request("/").text == "ok")
        await server.passSecond()
        await server.passSecond()
        #expect(try await client.end() == 0)
        #expect(client.goaways.map(\.last) == [0x7fff_ffff, 5])
    }

    @Test func `an old connection ends, although all its requests are answered between two seconds`() async throws {
        var configuration = ServerConfiguration()
        configuration.maximumConnectionAge = .seconds(5)
        let server = try await HTTP2Site.server(configuration)
        let client = try await HTTP2Client(to: server)
        for _ in 0..<5 {
            #expect(try await client.request("/").text == "ok")
            await server.passSecond()
        }
        #expect(client.goaways.isEmpty)
        // The response to the second one is behind the notice, whose place beside the first one is nghttp2's affair.
        for _ in 0..<2 { #expect(try await client.request("/").text == "ok") }
        try #require(client.goaways.map(\.last) == [0x7fff_ffff])
        await server.passSecond()
        await server.passSecond()
        #expect(try await client.end() == 0)
        #expect(client.goaways.map(\.last) == [0x7fff_ffff, 13])
    }

    @Test func `an event stream ends with the server`() async throws {
        let entered = Latch()
        let server = try await HTTP2Site.server(entered: entered)
        let client = try await HTTP2Client(to: server)
        let frame = client.frames("GET", "/events")[0]
        try await client.send(frame)
        await entered.wait()
        let drain = Task { await server.drain() }
        let response = try await client.response(frame.stream)
        #expect(response.text.hasPrefix("data: first\n\n") && response.reset == nil)
        await server.passSecond()
        await server.passSecond()
        #expect(try await client.end() == 0)
        client.connection.close()
        await drain.value
        while server.budgets.streams.count > 0 { try await Task.yieldOnce() }
    }

    @Test func `an event stream shows signs of life`() async throws {
        let entered = Latch()
        let server = try await HTTP2Site.server(entered: entered)
        let client = try await HTTP2Client(to: server)
        try await client.send(client.frames("GET", "/events"))
        await entered.wait()
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<16 { await server.passSecond() }
        while true {
            let frame = try #require(try await client.next())
            if frame.isKind(.data), frame.payload.first == UInt8(ascii: ":") { break }
        }
    }

    @Test func `an idle connection is closed in its time, and an unused one earlier`() async throws {
        let server = try await HTTP2Site.server()
        let unused = try await HTTP2Client(to: server)
        let idle = try await HTTP2Client(to: server)
        #expect(try await idle.request("/").text == "ok")
        try await unused.send(.init(.ping, [UInt8](repeating: 0, count: 8)))
        while unused.pongs == 0 { _ = try #require(try await unused.next()) }
        for _ in 0..<11 { await server.passSecond() }
        #expect(try await unused.end() == 0)
        for _ in 0..<45 { await server.passSecond() }
        #expect(try await idle.request("/").text == "ok")
        for _ in 0..<61 { await server.passSecond() }
        #expect(try await idle.end() == 0)
    }

    @Test func `an idle connection makes room for others`() async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        await server.passSecond()
        #expect(await server.makeRoom() == 1)
    }

    @Test(arguments: [Frame.endHeaders, 0])
    func `so does one whose requests do not come`(flags: UInt8) async throws {
        let server = try await HTTP2Site.server()
        let client = try await HTTP2Client(to: server)
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<2 {
            let head = HTTP2Client.head("POST", "/count", [("content-length", "90000")])
            try await client.send(Frame(.headers, flags: Frame.endHeaders, stream: client.nextStream(), head))
        }
        let last = HTTP2Client.head("POST", "/count")
        try await client.send(Frame(.headers, flags: flags, stream: client.nextStream(), last))
        _ = await server.connectionCount()
        for _ in 0..<2 { await server.passSecond() }
        #expect(await server.makeRoom() == 0)
        await server.passSecond()
        #expect(await server.makeRoom() == 1)
        #expect(await server.connectionCount() == 0)
    }

    @Test func `one that sends fast enough stays, and so does one with a handler at work`() async throws {
        let latch = Latch()
        let server = try await HTTP2Site.server(latch: latch)
        let steady = try await HTTP2Client(to: server)
        let stream = steady.nextStream()
        try await steady.send(Frame(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/count")))
        let mixed = try await HTTP2Client(to: server)
        let held = mixed.frames("GET", "/waits")[0]
        try await mixed.send(
            held, Frame(.headers, flags: 4, stream: mixed.nextStream(), HTTP2Client.head("POST", "/count")))
        for _ in 0..<10 {
            try await steady.send(Frame(.data, stream: stream, [UInt8](repeating: 0, count: 600)))
            _ = await server.connectionCount()
            await server.passSecond()
            #expect(await server.makeRoom() == 0)
        }
        latch.open()
        try await steady.send(Frame(.data, flags: 1, stream: stream))
        #expect(try await steady.response(stream).text == "6000")
        #expect(try await mixed.response(held.stream).text == "waited")
    }

    @Test func `a handler that takes too long is cancelled, and its client told`() async throws {
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(3)
        configuration.trustedProxies = try #require(TrustedProxies("local"))
        let (cancelled, log) = (Latch(), LogLines())
        let server = try await HTTP2Site.server(configuration, cancelled: cancelled, logger: log.logger)
        let client = try await HTTP2Client(to: server)
        let frame = client.frames("GET", "/sleeps", [("x-forwarded-for", "192.0.2.7")])[0]
        try await client.send(frame)
        #expect(try await client.request("/").text == "ok")
        for _ in 0..<4 { await server.passSecond() }
        #expect(try await client.response(frame.stream).status == "503")
        #expect(log.all == ["192.0.2.7 GET /sleeps: its handler took too long and was cancelled."])
        await cancelled.wait()
        #expect(try await client.request("/").text == "ok")
    }

    @Test func `a client that has had its response is told that the rest of its request is not wanted`() async throws {
        let latch = Latch()
        latch.open()
        let server = try await HTTP2Site.server(latch: latch)
        let client = try await HTTP2Client(to: server)
        let stream = client.nextStream()
        try await client.send(.init(.headers, flags: 4, stream: stream, HTTP2Client.head("POST", "/ignores")))
        #expect(try await client.response(stream).text == "ignored")
        await server.passSecond()
        while true {
            let frame = try #require(try await client.next())
            if frame.isKind(.reset) {
                #expect(frame.code == 0)
                break
            }
        }
    }
}
