import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Event streams on connections, on a clock that the tests control.
@Suite("Event streams", .timeLimit(.minutes(5)))
struct EventStreamTests {
    private let entered = Latch()
    private let ended = Latch()
    private let log = LogLines()

    private func server(
        _ configuration: ServerConfiguration = ServerConfiguration(),
        declare: @escaping (Routes) -> Void
    ) async throws -> InProcessServer {
        let application = try Application(
            configuration: configuration, logger: log.logger, middleware: [], routes: declare)
        return try await InProcessServer(configuration, application, logger: log.logger)
    }

    private func open(
        _ server: InProcessServer,
        _ text: String = get("/events"),
        from peer: PeerAddress = .loopback
    ) async throws -> HTTPConnection {
        let connection = HTTPConnection(
            descriptor: try await server.connect(from: peer), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(text)
        return connection
    }

    /// Reads until what has come contains a text.
    private func read(_ connection: HTTPConnection, until end: String, _ text: inout String) async throws {
        while !text.contains(end) { text += String(decoding: try await connection.receive(), as: UTF8.self) }
    }

    /// A stream that is silent after its first event, until its task is cancelled.
    private func silence(_ routes: Routes) {
        let (entered, ended) = (entered, ended)
        routes.events(Path("/events")) { _, events in
            try await events.send(ServerSentEvent("first"))
            entered.open()
            defer { ended.open() }
            try await EventLoop.current?.sleep(for: .seconds(3600))
        }
        routes.get(Path("/")) { _ in "ok" }
    }

    @Test func `a stream has the fields that keep caches and proxies from holding it`() async throws {
        let connection = try await open(try await server(declare: silence))
        var text = ""
        try await read(connection, until: "first", &text)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(text.contains("\r\nCache-Control: no-store\r\n"))
        #expect(text.contains("\r\nX-Accel-Buffering: no\r\n"))
        #expect(text.hasSuffix("\r\n\r\nd\r\ndata: first\n\n\r\n"))
    }

    @Test func `a path's parameters are values, and a handler that returns ends the stream`() async throws {
        let server = try await server { routes in
            routes.events(Path("/rooms/{room}/{name}", Int.self, String.self)) { request, events, room, name in
                try await events.send(ServerSentEvent("\(room) \(name) \(request.lastEventID ?? "-")"))
            }
            routes.group(Path("/teams")) { teams in
                teams.events(Path("/{team}/{member}", Int.self, Int.self)) { _, events, team, member in
                    try await events.send(ServerSentEvent("\(team) \(member)"))
                }
            }
            routes.get(Path("/sequence")) { _ in
                Response.events(
                    AsyncStream { continuation in
                        for number in 1...3 { continuation.yield(ServerSentEvent("\(number)")) }
                        continuation.finish()
                    })
            }
        }
        let connection = try await open(server, get("/rooms/7/ada") + get("/teams/3/4") + get("/sequence"))
        #expect(try await connection.readResponse().text == "data: 7 ada -\n\n")
        #expect(try await connection.readResponse().text == "data: 3 4\n\n")
        #expect(try await connection.readResponse().text == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
        try await connection.send(get("/rooms/x/ada"))
        #expect(try await connection.readResponse().status == .notFound)
        #expect(server.budgets.streams.count == 0)
    }

    @Test(arguments: ["17", "a b", "ü", "../../etc/passwd", String(repeating: "9", count: 5000)])
    func `the last id is what the client has sent`(id: String) async throws {
        let server = try await server { routes in
            routes.events(Path("/events")) { request, events in
                try await events.send(ServerSentEvent(request.lastEventID ?? "-"))
            }
        }
        let connection = try await open(server, "GET /events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \(id)\r\n\r\n")
        #expect(try await connection.readResponse().text == "data: \(id)\n\n")
        try await connection.send("GET /events HTTP/1.1\r\nHost: a\r\nLast-Event-ID:\r\n\r\n")
        #expect(try await connection.readResponse().text == "data: -\n\n")
    }

    @Test func `a silent stream sends a comment every 15 seconds`() async throws {
        let server = try await server(declare: silence)
        let connection = try await open(server)
        var text = ""
        try await read(connection, until: "first\n\n\r\n", &text)
        for beat in 1...2 {
            text = ""
            for _ in 0..<14 { await server.passSecond() }
            #expect(await server.connectionCount() == 1)
            await server.passSecond()
            try await read(connection, until: ":\n\n", &text)
            #expect(text == "3\r\n:\n\n\r\n", "\(beat)")
        }
    }

    @Test func `the drain ends a stream, with the time after which to come back`() async throws {
        let server = try await server(declare: silence)
        let connection = try await open(server)
        await entered.wait()
        async let drained: Void = server.drain()
        let bytes = try await connection.readResponse().body
        var reader = EventStreamReader()
        reader.read(bytes)
        #expect(reader.events.map(\.data) == ["first"])
        #expect((1000...3000).contains(try #require(reader.retry)))
        #expect(try await connection.receive().isEmpty)
        connection.close()
        await ended.wait()
        await drained
        while server.budgets.streams.count > 0 { try await turn() }
    }

    @Test func `the drain ends a stream whose handler does not end`() async throws {
        let (entered, latch) = (entered, Latch())
        let server = try await server { routes in
            routes.events(Path("/events")) { _, events in
                entered.open()
                while true {
                    await latch.wait()
                    try await events.send(ServerSentEvent("too late"))
                }
            }
        }
        let connection = try await open(server)
        await entered.wait()
        async let drained: Void = server.drain()
        #expect(try await connection.readResponse().text.hasPrefix("retry: "))
        connection.close()
        await drained
        latch.open()
    }

    @Test func `many streams drain together`() async throws {
        let server = try await server(declare: silence)
        var connections: [HTTPConnection] = []
        for _ in 0..<200 { connections.append(try await open(server)) }
        for connection in connections {
            var text = ""
            try await read(connection, until: "first", &text)
        }
        #expect(server.budgets.streams.count == 200)
        async let drained: Void = server.drain()
        for connection in connections {
            #expect(String(decoding: try await connection.readToEnd(), as: UTF8.self).contains("retry: "))
            connection.close()
        }
        await drained
        while server.budgets.streams.count > 0 { try await turn() }
    }

    @Test(arguments: [true, false])
    func `a client that leaves ends its handler at once`(closesAll: Bool) async throws {
        let server = try await server(declare: silence)
        let connection = try await open(server)
        await entered.wait()
        if closesAll { connection.close() } else { try connection.shutdownWrite() }
        await ended.wait()
        #expect(await server.connectionCount() == 0)
        while server.budgets.streams.count > 0 { try await turn() }
        withExtendedLifetime(connection) {}
    }

    @Test func `HEAD gets the head alone, and opens no stream`() async throws {
        let server = try await server(declare: silence)
        let connection = try await open(server, "HEAD /events HTTP/1.1\r\nHost: a\r\n\r\n" + get("/"))
        let head = try await connection.readResponse(to: .head)
        #expect(head.status == .ok)
        #expect(head.headers[.contentType] == "text/event-stream")
        #expect(try await connection.readResponse().text == "ok")
        #expect(server.budgets.streams.count == 0)
    }

    @Test func `to HTTP 1.0, the end of the connection ends the stream`() async throws {
        let server = try await server { routes in
            routes.events(Path("/events")) { _, events in try await events.send(ServerSentEvent("one")) }
        }
        let connection = try await open(server, "GET /events HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix("\r\n\r\ndata: one\n\n"))
    }

    @Test func `a mistake of the handler is logged, and breaks the stream off`() async throws {
        let server = try await server { routes in
            routes.events(Path("/events")) { _, events in
                try await events.send(ServerSentEvent("one"))
                try await events.send(ServerSentEvent("two", id: "a\nb"))
            }
        }
        let connection = try await open(server)
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.hasSuffix("data: one\n\n\r\n"))
        #expect(log.all.contains { $0.contains("GET /events") && $0.contains("its id has a line break") })
    }

    @Test func `a slow reader stops its handler, and is ended`() async throws {
        let (sent, ended) = (Counter(), ended)
        let server = try await server { routes in
            routes.events(Path("/events")) { _, events in
                defer { ended.open() }
                let data = String(repeating: "x", count: 10_000)
                while true {
                    try await events.send(ServerSentEvent(data))
                    sent.add()
                }
            }
        }
        let connection = try await open(server)
        while await server.unsentCount() == 0 { try await turn() }
        let count = sent.value
        for _ in 0..<29 { await server.passSecond() }
        #expect(sent.value == count)
        #expect(count < 1000)
        for _ in 0..<3 { await server.passSecond() }
        await ended.wait()
        #expect(await server.connectionCount() == 0)
        withExtendedLifetime(connection) {}
    }

    @Test func `events are sent from any thread, and none after the end`() async throws {
        let box = Box()
        let server = try await server { routes in
            routes.events(Path("/events")) { _, events in
                box.writer.withLock { $0 = events }
                try await Task.detached { try await events.send(ServerSentEvent("elsewhere")) }.value
            }
        }
        let connection = try await open(server)
        #expect(try await connection.readResponse().text == "data: elsewhere\n\n")
        let writer = try #require(box.writer.withLock { $0 })
        try await connection.send(get("/events"))
        await #expect(throws: CancellationError.self) { try await writer.send(ServerSentEvent("late")) }
        #expect(try await connection.readResponse().text == "data: elsewhere\n\n")
    }

    private final class Box: Sendable {
        let writer = Mutex<EventWriter?>(nil)
    }

    @Test func `one address has a thousand streams, and all have ten thousand`() async throws {
        #expect(ServerConfiguration().maximumEventStreamsPerAddress == 1000)
        #expect(ServerConfiguration().maximumEventStreams == 10_000)
        #expect(ServerConfiguration().clientBudgets(connections: 1000).streams.limit == 10_000)
        var configuration = ServerConfiguration()
        configuration.maximumEventStreamsPerAddress = 3
        configuration.maximumEventStreams = 5
        let server = try await server(configuration, declare: silence)
        let other = PeerAddress.tcp(IPAddress(version4: 0x7F00_0002), port: 1)
        var connections: [HTTPConnection] = []
        func expect(_ status: HTTPResponse.Status, from peer: PeerAddress) async throws {
            let connection = try await open(server, from: peer)
            var text = ""
            try await read(connection, until: "\r\n\r\n", &text)
            #expect(text.hasPrefix("HTTP/1.1 \(status.code) "))
            if status == .serviceUnavailable { #expect(text.contains("\r\nRetry-After: 10\r\n")) }
            connections.append(connection)
        }
        for _ in 0..<3 { try await expect(.ok, from: .loopback) }
        try await expect(.serviceUnavailable, from: .loopback)
        for _ in 0..<2 { try await expect(.ok, from: other) }
        try await expect(.serviceUnavailable, from: other)
        #expect(server.budgets.streams.count == 5)
        // The connection with the refusal is as good as before.
        try await connections[3].send(get("/"))
        var text = ""
        try await read(connections[3], until: "ok", &text)
        connections[0].close()
        while server.budgets.streams.count == 5 { try await turn() }
        try await expect(.ok, from: .loopback)
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
