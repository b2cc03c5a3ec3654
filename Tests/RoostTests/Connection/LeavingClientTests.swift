import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Clients that close their side, or everything, before they have their response, on a clock that the tests control.
@Suite("Clients that leave", .timeLimit(.minutes(5)))
struct LeavingClientTests {
    private let entered = Latch()
    private let latch = Latch()
    private let ended = Latch()
    private let server: InProcessServer
    private let kept = Kept()

    /// A request that is being kept.
    private final class Kept: Sendable {
        let request = Mutex<Request?>(nil)
    }

    init() async throws {
        let (entered, latch, ended, kept) = (entered, latch, ended, kept)
        let hold: @Sendable () async throws -> Void = {
            entered.open()
            defer { ended.open() }
            try await EventLoop.current?.sleep(for: .seconds(3600))
        }
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/events")) { _ in Response.events { _ in try await hold() } }
            routes.get(Path("/late-events")) { _ in
                entered.open()
                await latch.wait()
                return Response.events { _ in try await hold() }
            }
            routes.get(Path("/asks")) { request in
                request.cancelWhenClientLeaves()
                try await hold()
                return "nobody reads this"
            }
            routes.get(Path("/asks-late")) { request in
                entered.open()
                await latch.wait()
                request.cancelWhenClientLeaves()
                try await hold()
                return "nobody reads this"
            }
            routes.get(Path("/asks-elsewhere")) { request in
                await Task { request.cancelWhenClientLeaves() }.value
                try await hold()
                return "nobody reads this"
            }
            routes.get(Path("/asked-before")) { request in
                request.cancelWhenClientLeaves()
                await Task.yield()
                return "read"
            }
            routes.get(Path("/kept")) { request in
                kept.request.withLock { $0 = request }
                await Task.yield()
                return "kept"
            }
            routes.get(Path("/does-not-ask")) { _ in
                entered.open()
                await latch.wait()
                return "read"
            }
            routes.get(Path("/holds")) { _ in
                try await hold()
                return "nobody reads this"
            }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect(_ text: String) async throws -> HTTPConnection {
        let connection = HTTPConnection(
            descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
        try await connection.send(text)
        return connection
    }

    private func expectEnd() async throws {
        await ended.wait()
        #expect(await server.connectionCount() == 0)
    }

    @Test(arguments: ["events", "asks", "asks-elsewhere"])
    func `a client that closes its side ends an event stream, and a handler that asked`(path: String) async throws {
        let connection = try await connect(get("/\(path)"))
        await entered.wait()
        try connection.shutdownWrite()
        try await expectEnd()
    }

    @Test(arguments: ["late-events", "asks-late"])
    func `so does one that has closed it before`(path: String) async throws {
        let connection = try await connect(get("/\(path)"))
        await entered.wait()
        try connection.shutdownWrite()
        latch.open()
        while await server.connectionCount() > 0 { try await turn() }
        withExtendedLifetime(connection) {}
    }

    @Test func `any other client that closes its side gets its response, even after one that asked`() async throws {
        let connection = try await connect(get("/asked-before") + get("/does-not-ask") + get("/"))
        #expect(try await connection.readResponse().text == "read")
        await entered.wait()
        try connection.shutdownWrite()
        for _ in 0..<3 { await server.passSecond() }
        latch.open()
        #expect(try await connection.readResponse().text == "read")
        #expect(try await connection.readResponse().text == "ok")
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `a request that is over ends no other response`() async throws {
        let connection = try await connect(get("/kept") + get("/does-not-ask"))
        #expect(try await connection.readResponse().text == "kept")
        await entered.wait()
        kept.request.withLock { $0 }?.cancelWhenClientLeaves()
        try connection.shutdownWrite()
        for _ in 0..<3 { await server.passSecond() }
        latch.open()
        #expect(try await connection.readResponse().text == "read")
    }

    /// More than is kept while a request is being handled, so that the client's end comes after bytes that nobody
    /// reads.
    private static let ahead = String(
        repeating: "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 1_000))\r\n\r\n",
        count: requestsAhead)
    private static let requestsAhead = 100

    @Test(arguments: ["events", "asks"])
    func `an end that nobody reads is noticed within a second`(path: String) async throws {
        let connection = try await connect(get("/\(path)") + Self.ahead)
        await entered.wait()
        try connection.shutdownWrite()
        // Its bytes are read before those of later clients.
        #expect(try await connect(get("/")).readResponse().text == "ok")
        await server.passSecond()
        await ended.wait()
    }

    @Test func `a client that sends much ahead and closes its side gets its responses`() async throws {
        let connection = try await connect(get("/does-not-ask") + Self.ahead)
        await entered.wait()
        try connection.shutdownWrite()
        for _ in 0..<3 { await server.passSecond() }
        latch.open()
        #expect(try await connection.readResponse().text == "read")
        for _ in 0..<Self.requestsAhead { #expect(try await connection.readResponse().text == "ok") }
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a connection that is closed altogether ends any handler within a second`(sendsAhead: Bool) async throws {
        let connection = try await connect(get("/holds") + (sendsAhead ? Self.ahead : ""))
        await entered.wait()
        if !sendsAhead { try connection.shutdownWrite() }
        #expect(try await connect(get("/")).readResponse().text == "ok")
        connection.close()
        // Until a process that another test starts has dropped its copy of the socket, nothing is closed.
        while !ended.isOpen {
            await server.passSecond()
            try await turn()
        }
    }
}
