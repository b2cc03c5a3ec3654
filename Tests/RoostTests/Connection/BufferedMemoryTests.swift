import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// The memory that all clients of a server share, with a limit that a few of them reach.
@Suite("Memory that clients share", .timeLimit(.minutes(5)))
struct BufferedMemoryTests {
    private let latch = Latch()
    private let log = LogLines()

    private func server(_ limit: Int) async throws -> InProcessServer {
        var configuration = ServerConfiguration()
        configuration.maximumBufferedSize = limit
        let latch = latch
        let application = try Application(
            configuration: configuration, logger: log.logger, middleware: []
        ) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.post(Path("/")) { request in
                await latch.wait()
                return "\(try request.body.bytes.count)"
            }
            routes.get(Path("/bytes/{id}", Int.self)) { _, count in
                Response(body: Body([UInt8](repeating: 97, count: count)))
            }
            routes.post(Path("/bytes/{id}", Int.self)) { _, count async in
                Response(body: Body([UInt8](repeating: 97, count: count)))
            }
        }
        return try await InProcessServer(configuration, application, logger: application.logger)
    }

    private func connect(to server: InProcessServer, _ text: String) async throws -> HTTPConnection {
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(text)
        return connection
    }

    private func post(_ count: Int, to path: String = "/") -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "a", count: count)
    }

    private func expectRefusal(_ connection: HTTPConnection) async throws {
        let refusal = try await connection.readResponse()
        #expect(refusal.status == .serviceUnavailable)
        #expect(refusal.headers[.retryAfter] == "1")
    }

    @Test func `a body for which there is no room is 503 with Retry-After, a smaller one is read`() async throws {
        let server = try await server(1_000_000)
        let first = [try await connect(to: server, post(300_000)), try await connect(to: server, post(300_000))]
        while server.memory.count < 600_000 { try await turn() }
        try await expectRefusal(try await connect(to: server, post(300_000)))
        let small = try await connect(to: server, post(100_000))
        let tiny = try await connect(to: server, get("/"))
        #expect(try await tiny.readResponse().text == "ok")
        while server.memory.count < 700_000 { try await turn() }
        latch.open()
        for connection in first { #expect(try await connection.readResponse().text == "300000") }
        #expect(try await small.readResponse().text == "100000")
        while server.memory.count > 0 { try await turn() }
        #expect(try await connect(to: server, post(300_000)).readResponse().text == "300000")
    }

    @Test func `so is one whose first bytes do not fit: the client is not cut off, and the log tells`() async throws {
        let server = try await server(1_000_000)
        let taken = MemoryLease(980_000, of: server.memory)
        for _ in 0..<3 {
            try await expectRefusal(try await connect(to: server, post(200_000)))
            let chunk = "20000\r\n" + String(repeating: "a", count: 0x20000) + "\r\n0\r\n\r\n"
            let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await expectRefusal(try await connect(to: server, head + chunk))
        }
        #expect(log.all.allSatisfy { $0 == "Refused a body from local: clients hold too much memory." })
        #expect(log.all.count == 6)
        withExtendedLifetime(taken) {}
    }

    @Test func `who has sent requests ahead is cut off where there is no room for them`() async throws {
        let server = try await server(1_000_000)
        let taken = MemoryLease(995_000, of: server.memory)
        let ahead = String(repeating: get("/"), count: 300)
        try await connect(to: server, post(10) + ahead).waitForClose()
        #expect(log.all.count { $0.contains("sent requests faster than they were handled") } == 1)
        withExtendedLifetime(taken) {}
    }

    @Test func `a large response for which there is no room is 503 with Retry-After`() async throws {
        let server = try await server(3_000_000)
        var slow: [HTTPConnection] = []
        for number in 1...2 {
            slow.append(try await connect(to: server, get("/bytes/900000")))
            while server.memory.count < number * 900_000 { try await turn() }
        }
        let other = try await connect(to: server, get("/bytes/900000") + get("/bytes/60000") + get("/"))
        try await expectRefusal(other)
        #expect(try await other.readResponse().body.count == 60_000)
        #expect(try await other.readResponse().text == "ok")
        for connection in slow { #expect(try await connection.readResponse().body.count == 900_000) }
        while server.memory.count > 0 { try await turn() }
        try await other.send(get("/bytes/900000"))
        #expect(try await other.readResponse().body.count == 900_000)
    }

    @Test func `the body of a request is released with its response`() async throws {
        let server = try await server(10_000_000)
        let slow = try await connect(to: server, post(500_000, to: "/bytes/2000000"))
        while server.memory.count < 2_000_000 { try await turn() }
        #expect(server.memory.count < 2_200_000)
        #expect(try await slow.readResponse().body.count == 2_000_000)
    }

    @Test func `a client that goes gives everything back`() async throws {
        let server = try await server(10_000_000)
        let slow = try await connect(to: server, post(500_000, to: "/bytes/2000000"))
        while server.memory.count < 2_000_000 { try await turn() }
        slow.close()
        while server.memory.count > 0 { try await turn() }
    }

    @Test func `a client that does not take small responses is cut off when there is no room for them`() async throws {
        let server = try await server(20_000)
        let slow = try await connect(to: server, String(repeating: get("/bytes/60000"), count: 200))
        try await slow.waitForClose()
        let other = try await connect(to: server, get("/"))
        #expect(try await other.readResponse().text == "ok")
    }

    @Test func `a head that does not end is 503 when there is no room for it`() async throws {
        let server = try await server(100_000)
        let head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 17_000)
        var connections: [HTTPConnection] = []
        for _ in 0..<4 {
            connections.append(try await connect(to: server, head))
            #expect(try await connect(to: server, get("/")).readResponse().text == "ok")
        }
        try await expectRefusal(try #require(connections.last))
        try await connections[0].send("\r\n\r\n")
        #expect(try await connections[0].readResponse().text == "ok")
    }

    /// Clients on a loop that does not run by itself: they send requests again and again, and read nothing.
    @Test(arguments: ["/", "/bytes/3000", "/waits"])
    func `clients that pipeline and do not read never have more than the limit`(path: String) throws {
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/bytes/{id}", Int.self)) { _, count in String(repeating: "a", count: count) }
            routes.get(Path("/waits")) { _ in
                try await EventLoop.current?.sleep(for: .seconds(3600))
                return "nobody reads this"
            }
        }
        let limit = 300_000
        let group = ConnectionGroup(of: application, on: try EventLoop(), memory: MemoryBudget(limit))
        let clients = try (0..<60).map { _ in try StandingClient(in: group, socketTakes: 4096) }
        let requests = Array(String(repeating: get(path), count: 350).utf8)
        for client in clients { client.connection.start() }
        let kept = Mutex<[Int]>([])
        let send: @Sendable () -> Void = { for client in clients { client.sendSome(requests) } }
        let look: @Sendable () -> Void = { kept.withLock { $0.append(clients.reduce(0) { $0 + $1.keptCount }) } }
        group.loop.run(send, look, send, look, send, look, send, look) {
            for client in clients { client.connection.close() }
        }
        #expect(kept.withLock { $0 }.allSatisfy { $0 <= limit }, "\(kept.withLock { $0 })")
        #expect(group.memory.count == 0)
    }
}

extension StandingClient {
    /// Sends as much as fits into the socket.
    fileprivate func sendSome(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// The bytes that the server keeps for the connection, apart from those that it need not count.
    fileprivate var keptCount: Int {
        let input = connection.input.bytes?.capacity ?? 0
        return (connection.unsent?.capacity ?? 0) + (input > 4096 ? input : 0)
    }
}
