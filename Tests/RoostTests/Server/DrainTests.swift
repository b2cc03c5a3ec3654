import Glibc
import RoostTesting
import Testing

@testable import Roost

/// A drain on a clock that the tests control.
@Suite("Draining", .timeLimit(.minutes(5)))
struct DrainTests {
    private let server: InProcessServer

    init() async throws {
        let application = try Probe.application { routes in
            routes.get(Path("/a")) { _ in "answer" }
            routes.post(Path("/mirror"), body: .streamed) { request in Response(body: request.body) }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    /// A connection that has had a response.
    private func busyConnection() async throws -> HTTPConnection {
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().headers[.connection] == nil)
        return connection
    }

    @Test func `a client that has just got a response may send another request`() async throws {
        let connection = try await busyConnection()
        async let drained: Void = server.drain(patience: .seconds(2))
        while await !server.isDraining() { try await turn() }
        await server.passSecond()
        try await connection.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().headers[.connection] == "close")
        connection.close()
        await drained
    }

    @Test func `so may one whose response had begun before, and told it nothing`() async throws {
        let (parts, part) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
        let application = try Probe.application { routes in
            routes.get(Path("/a")) { _ in "answer" }
            routes.get(Path("/long")) { _ in Response(body: Body(stream: parts, length: 10)) }
        }
        let server = try await InProcessServer(application.configuration, application, logger: application.logger)
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send(get("/long"))
        part.yield(Array("hello".utf8))
        var text = ""
        while !text.hasSuffix("hello") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        #expect(!text.contains("close"))
        async let drained: Void = server.drain(patience: .seconds(2))
        while await !server.isDraining() { try await turn() }
        part.yield(Array("world".utf8))
        part.finish()
        while !text.hasSuffix("world") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        await server.passSecond()
        try await connection.send(get("/a"))
        #expect(try await connection.readResponse().headers[.connection] == "close")
        connection.close()
        await drained
    }

    @Test func `a client that owes a body is not invited to send it after the head of its last response`() async throws
    {
        let connection = try await busyConnection()
        try await connection.send("POST /mirror HTTP/1.1\r\nHost: a\r\n")
        async let drained: Void = server.drain(patience: .seconds(2))
        while await !server.isDraining() { try await turn() }
        try await connection.send("Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        var text = String(decoding: try await connection.receive(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        try await connection.send("hello")
        while !text.hasSuffix("hello") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        #expect(!text.contains("100 Continue"))
        connection.close()
        await drained
    }

    /// A server whose loop does not run by itself, so that it reads when the test says so, and a client's end of it.
    private func standingGroup() throws -> (group: ConnectionGroup, client: Int32) {
        let application = try Application(middleware: []) { routes in routes.get(Path("/")) { _ in "ok" } }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        group.add(ends[1], from: .local)
        return (group, ends[0])
    }

    private func received(by client: Int32) -> String {
        String(
            decoding: [UInt8](unsafeUninitializedCapacity: 1000) { $1 = max(0, read(client, $0.baseAddress, 1000)) },
            as: UTF8.self)
    }

    @Test func `a request that has arrived before the drain gets its response`() throws {
        let (group, client) = try standingGroup()
        defer { close(client) }
        let request = get("/")
        #expect(write(client, request, request.utf8.count) == request.utf8.count)
        group.drain(patience: 0) {}
        let answer = received(by: client)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
    }

    @Test func `so does one that has arrived behind a response that its client has not taken yet`() throws {
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/large")) { _ in String(repeating: "l", count: 40_000) }
        }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        let client = try StandingClient(in: group, socketTakes: 4096)
        group.add(client.connection)
        client.ask(get("/large"))
        group.output.turnEnded()
        try #require(client.connection.unsent != nil)
        client.send(get("/"))
        group.drain(patience: 0) {}
        var text = ""
        while case let more = received(by: client.descriptor), !more.isEmpty {
            text += more
            client.connection.ready(.writable)
        }
        #expect(text.contains("lHTTP/1.1 200 OK\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\nok"))
    }

    @Test func `a request that has arrived in part is waited for`() throws {
        let (group, client) = try standingGroup()
        defer { close(client) }
        let request = get("/")
        #expect(write(client, request, 10) == 10)
        group.drain(patience: 0) {}
        #expect(group.count == 1)
        let rest = String(request.dropFirst(10))
        #expect(write(client, rest, rest.utf8.count) == rest.utf8.count)
        for connection in group.connections.values { connection.ready(.readable) }
        let answer = received(by: client)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
    }

    @Test func `a request has the whole time, of which a second that is due at once is none`() throws {
        let application = try Application(middleware: []) { routes in routes.get(Path("/")) { _ in "ok" } }
        let configuration = application.configuration
        let worker = Worker(
            try EventLoop(), application, configuration, application.logger, configuration.memoryBudget,
            configuration.clientBudgets())
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        worker.group.add(ends[1], from: .local)
        #expect(write(ends[0], "GET /", 5) == 5)
        worker.drain(timeout: .seconds(2), patience: .zero) {}
        for _ in 0..<2 { worker.tick() }
        #expect(worker.group.count == 1)
        worker.tick()
        #expect(worker.group.count == 0)
    }

    @Test func `one that does not is let go when the patience is over`() async throws {
        let connection = try await busyConnection()
        async let drained: Void = server.drain(patience: .seconds(2))
        while await !server.isDraining() { try await turn() }
        await server.passSecond()
        #expect(await server.connectionCount() == 1)
        for _ in 0..<3 { await server.passSecond() }
        try await connection.waitForClose()
        await drained
    }

    @Test func `one that has been idle for longer is let go at once`() async throws {
        let connection = try await busyConnection()
        await server.passSecond()
        await server.passSecond()
        await server.drain(patience: .seconds(2))
        try await connection.waitForClose()
    }

    @Test func `a refused client that is still listened to is let go soon`() async throws {
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send("GET / HTTP/3.0\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().status.code == 505)
        async let drained: Void = server.drain()
        defer { connection.close() }
        while await !server.isDraining() { try await turn() }
        await server.passSecond()
        #expect(await server.connectionCount() == 0)
        connection.close()
        await drained
    }

    @Test func `an event stream that begins only now ends at once`() async throws {
        let latch = Latch()
        let (events, event) = AsyncThrowingStream<ServerSentEvent, any Error>.makeStream()
        let application = try Probe.application { routes in
            routes.get(Path("/")) { _ in
                await latch.wait()
                return Response.events(events)
            }
        }
        let server = try await InProcessServer(application.configuration, application, logger: application.logger)
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send(get("/"))
        async let drained: Void = server.drain()
        defer {
            event.finish()
            connection.close()
        }
        while await !server.isDraining() { try await turn() }
        latch.open()
        let response = try await connection.readResponse()
        #expect(response.headers[.connection] == "close")
        #expect(response.text.hasPrefix("retry: "))
        connection.close()
        await drained
    }
}
