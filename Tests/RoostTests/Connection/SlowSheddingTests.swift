import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Which connections are closed when there is no room for more and none is idle, on a clock that the tests control.
@Suite("Closing slow connections", .timeLimit(.minutes(5)))
struct SlowSheddingTests {
    private static let body = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n"

    private let server: InProcessServer
    private let latch = Latch()

    init() async throws {
        let latch = latch
        let application = try Probe.application { routes in
            Probe.routes(routes)
            routes.get(Path("/held")) { _ in
                await latch.wait()
                return "held"
            }
            routes.get(Path("/events")) { _ in
                Response.events { events in
                    try await events.send(ServerSentEvent("1"))
                    try await EventLoop.current?.sleep(for: .seconds(3600))
                }
            }
            routes.get(Path("/huge")) { _ in String(repeating: "a", count: 8_000_000) }
            routes.get(Path("/file")) { _ -> Response in
                // The tests' own program is a file that is large enough.
                let entry = try OpenFile.entry(open("/proc/self/exe", O_RDONLY), in: FileBudget(4))
                return Response(body: Body(FilePart(try #require(entry?.file))))
            }
        }
        server = try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    /// A connection on which these bytes have been sent, and read by the server.
    private func connect(sending text: String = "") async throws -> HTTPConnection {
        let connection = HTTPConnection(
            descriptor: try await server.connect(),
            host: "a",
            timeout: .seconds(60),
            server: server
        )
        if !text.isEmpty { try await connection.send(text) }
        _ = await server.connectionCount()
        return connection
    }

    private func pass(seconds: Int) async {
        for _ in 0..<seconds { await server.passSecond() }
    }

    @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", body, body + "some of it"])
    func `a client whose request does not come is closed after three seconds`(text: String) async throws {
        let connection = try await connect(sending: text)
        await pass(seconds: 2)
        #expect(await server.makeRoom() == 0)
        await pass(seconds: 1)
        #expect(await server.makeRoom() == 1)
        try await connection.waitForClose()
        #expect(await server.connectionCount() == 0)
    }

    @Test func `so is a client that does not take its response`() async throws {
        let connection = try await connect(sending: get("/huge"))
        try await serverWaitsForClient()
        await pass(seconds: 2)
        #expect(await server.makeRoom() == 0)
        await pass(seconds: 1)
        #expect(await server.makeRoom() == 1)
        try await connection.waitForClose()
        #expect(await server.connectionCount() == 0)
    }

    @Test func `a client that does not take a file does not keep another one's place`() async throws {
        let file = try await connect(sending: get("/file"))
        try await serverWaitsForClient()
        await pass(seconds: 2)
        let slow = try await connect(sending: Self.body)
        await pass(seconds: 4)
        #expect(await server.makeRoom() == 1)
        try await slow.waitForClose()
        file.close()
    }

    /// Requests a long response, and returns the socket too. Taking a small part of what the socket holds is not enough
    /// for the system to call the server's end writable.
    private func slowReader(of text: String) async throws -> (HTTPConnection, Int32) {
        let socket = try await server.connect()
        let connection = HTTPConnection(descriptor: socket, host: "a", timeout: .seconds(60), server: server)
        try await connection.send(text)
        try await serverWaitsForClient()
        return (connection, socket)
    }

    /// Waits until the server waits for a client to take its response: the time counts from then.
    private func serverWaitsForClient() async throws {
        while await server.unsentCount() == 0 { try await turn() }
    }

    private func takeSome(from socket: Int32) {
        _ = [UInt8](unsafeUninitializedCapacity: 70_000) { $1 = max(0, read(socket, $0.baseAddress, 70_000)) }
    }

    @Test(arguments: [get("/huge"), get("/file")])
    func `one that has taken some, which the loop does not know yet, stays`(text: String) async throws {
        let (connection, socket) = try await slowReader(of: text)
        for _ in 0..<5 {
            await pass(seconds: 3)
            takeSome(from: socket)
            _ = await server.makeRoom()
            #expect(await server.connectionCount() == 1)
        }
        // A file is only given up when its client's whole time is over, in which its task tries once: that it has taken
        // some before gives it that time again.
        await pass(seconds: text == get("/file") ? 60 : 3)
        #expect(await server.makeRoom() == (text == get("/file") ? 0 : 1))
        try await connection.waitForClose()
    }

    @Test(arguments: [get("/huge"), get("/file")])
    func `one that has taken some in its last second has as long again`(text: String) async throws {
        let (connection, socket) = try await slowReader(of: text)
        for _ in 0..<3 {
            await pass(seconds: 29)
            takeSome(from: socket)
            await pass(seconds: 1)
            #expect(await server.connectionCount() == 1)
        }
        await pass(seconds: 30)
        try await connection.waitForClose()
    }

    @Test func `so is one that has had its last response and goes on`() async throws {
        let connection = try await connect(sending: "GET / HTTP/3.0\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().status.code == 505)
        for _ in 0..<3 {
            #expect(await server.makeRoom() == 0)
            try await connection.send("more")
            await pass(seconds: 1)
        }
        #expect(await server.makeRoom() == 1)
        #expect(await server.connectionCount() == 0)
    }

    @Test func `the slowest goes first, and an idle one before it`() async throws {
        var connections: [HTTPConnection] = []
        for _ in 0..<3 {
            connections.append(try await connect(sending: Self.body))
            await pass(seconds: 1)
        }
        let idle = try await connect(sending: get("/"))
        #expect(try await idle.readResponse().text == "ok")
        await pass(seconds: 3)
        #expect(await server.makeRoom() == 1)
        try await idle.waitForClose()
        for connection in connections {
            #expect(!connection.isClosedByPeer)
            #expect(await server.makeRoom() == 1)
            try await connection.waitForClose()
        }
        #expect(await server.makeRoom() == 0)
    }

    @Test func `one that sends fast enough stays, and so does one that has sent meanwhile`() async throws {
        let steady = try await connect(sending: Self.body)
        for _ in 0..<10 {
            try await steady.send(String(repeating: "x", count: 600))
            await pass(seconds: 1)
            #expect(await server.makeRoom() == 0)
        }
        await pass(seconds: 3)
        try await steady.send(String(repeating: "x", count: 83_999))
        #expect(await server.makeRoom() == 0)
        try await steady.send("x")
        #expect(try await steady.readResponse().text == "90000")
    }

    @Test func `a client is not blamed for a handler at work, nor for a quiet event stream`()
        async throws
    {
        let held = try await connect(sending: get("/held"))
        let events = try await connect(sending: get("/events"))
        await pass(seconds: 100)
        #expect(await server.makeRoom() == 0)
        latch.open()
        #expect(try await held.readResponse().text == "held")
        #expect(!events.isClosedByPeer)
    }
}
