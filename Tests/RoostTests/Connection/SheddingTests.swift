import Glibc
import RoostTesting
import Testing

@testable import Roost

/// Which connections are closed when there is no room for more, on a clock that the tests control.
@Suite("Closing idle connections", .timeLimit(.minutes(5)))
struct SheddingTests {
    private let server: InProcessServer
    private let latch = Latch()

    init() async throws {
        let latch = latch
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/held")) { _ in
                await latch.wait()
                return "held"
            }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect() async throws -> HTTPConnection {
        HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
    }

    /// A connection that has had a response.
    private func answered() async throws -> HTTPConnection {
        let connection = try await connect()
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().text == "ok")
        return connection
    }

    @Test func `those that have been idle for longest go first, an eighth of all at a time`() async throws {
        var connections: [HTTPConnection] = []
        for _ in 0..<16 { connections.append(try await answered()) }
        await server.passSecond()
        for _ in 0..<16 { connections.append(try await answered()) }
        await server.passSecond()
        // A request makes the first of them the one that has been idle for the shortest time.
        try await connections[0].send(get("/"))
        #expect(try await connections[0].readResponse().text == "ok")
        for left in [29, 26, 23, 21, 19, 17] {
            #expect(await server.makeRoom() > 0)
            #expect(await server.connectionCount() == left)
        }
        for connection in connections[1..<16] { try await connection.waitForClose() }
        #expect(!connections[0].isClosedByPeer)
        #expect(connections[16...].allSatisfy { !$0.isClosedByPeer })
    }

    @Test func `when few have been idle for longest, the next ones go with them`() async throws {
        let oldest = try await answered()
        await server.passSecond()
        var others: [HTTPConnection] = []
        for _ in 0..<31 { others.append(try await answered()) }
        await server.passSecond()
        #expect(await server.makeRoom() == 4)
        #expect(await server.connectionCount() == 28)
        try await oldest.waitForClose()
        var answering = 0
        for connection in others {
            // One that is closed may refuse to take the request, or end without a response.
            guard (try? await connection.send(get("/"))) != nil else { continue }
            if let response = try? await connection.readResponse(), response.text == "ok" { answering += 1 }
        }
        #expect(answering == 28)
    }

    @Test func `one that has no response yet, or has only just had one, stays`() async throws {
        let connections = [try await connect(), try await answered()]
        #expect(await server.makeRoom() == 0)
        #expect(connections.allSatisfy { !$0.isClosedByPeer })
        await server.passSecond()
        #expect(await server.makeRoom() == 1)
        #expect(await server.makeRoom() == 0)
        try await connections[1].waitForClose()
        #expect(!connections[0].isClosedByPeer)
    }

    @Test func `one whose request is handled, or is in the middle of a head, is not idle`() async throws {
        let held = try await connect()
        try await held.send(get("/held"))
        let begun = try await connect()
        try await begun.send("GET / HT")
        _ = try await answered()
        await server.passSecond()
        while await server.makeRoom() > 0 {}
        #expect(await server.connectionCount() == 2)
        latch.open()
        #expect(try await held.readResponse().text == "held")
        try await begun.send("TP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await begun.readResponse().text == "ok")
    }

    @Test func `a request that has already arrived is handled, and its connection stays`() throws {
        let application = try Application(middleware: []) { routes in routes.get(Path("/")) { _ in "ok" } }
        let group = ConnectionGroup(of: application, on: try EventLoop())
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        let connection = Connection(ends[1], from: .local, in: group)
        for round in 1...2 {
            let request = get("/")
            #expect(write(ends[0], request, request.utf8.count) == request.utf8.count)
            if round == 1 { connection.ready(.readable) } else { #expect(!connection.shed()) }
            group.output.turnEnded()
            let answer = String(
                decoding: [UInt8](unsafeUninitializedCapacity: 1000) {
                    $1 = max(0, read(ends[0], $0.baseAddress, 1000))
                },
                as: UTF8.self)
            #expect(answer.hasSuffix("ok"))
            #expect(connection.state.phase == .receiving)
            group.tick(round)
            #expect(connection.idleTime != nil)
        }
        #expect(connection.shed())
    }
}
