import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// Each limit of time, on a clock that stands still until the test advances it.
@Suite("How long a client may take", .timeLimit(.minutes(5)))
struct TimeLimitTests {
    static let configuration = {
        var configuration = ServerConfiguration()
        configuration.headTimeout = .seconds(3)
        configuration.bodyTimeout = .seconds(4)
        configuration.minimumBodyRate = 100
        configuration.idleTimeout = .seconds(7)
        configuration.sendTimeout = .seconds(5)
        configuration.lingerTimeout = .seconds(2)
        return configuration
    }()

    let client: TestClient

    init() throws { client = try Probe.client(Self.configuration) }

    private func answeredConnection() async throws -> HTTPConnection {
        let connection = try await client.connect()
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().status == .ok)
        return connection
    }

    @Test func `a client that sends nothing after connecting gets 408 and the end (RFC 9110 §15.5.9)`() async throws {
        let connection = try await client.connect()
        try await client.pass(.seconds(2))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        let refusal = try await connection.readResponse()
        #expect(refusal.status == .requestTimeout)
        #expect(refusal.headers[.connection] == "close")
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `a request that crosses such a 408 does not destroy it`() async throws {
        let connection = try await client.connect()
        try await client.pass(.seconds(3))
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().status == .requestTimeout)
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `a client that sends only empty lines gets the same`() async throws {
        let connection = try await client.connect()
        for _ in 0..<3 {
            try await connection.send("\r\n")
            _ = try await answeredConnection()  // the empty line has been read before this
            try await client.pass(.seconds(1))
        }
        #expect(try await connection.readResponse().status == .requestTimeout)
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `a head that does not end in time is 408 and the end (RFC 9110 §15.5.9)`() async throws {
        let connection = try await client.connect()
        for piece in ["GET / HT", "TP/1.1\r\n", "Host: a\r\n"] {
            try await connection.send(piece)
            _ = try await answeredConnection()
            try await client.pass(.seconds(1))
        }
        let refusal = try await connection.readResponse()
        #expect(refusal.status == .requestTimeout)
        #expect(refusal.headers[.connection] == "close")
        try await connection.waitForClose()
    }

    @Test func `a second head has its time from its first byte`() async throws {
        let connection = try await answeredConnection()
        try await client.pass(.seconds(6))
        try await connection.send("GET / HTTP/1.1\r\n")
        _ = try await answeredConnection()
        try await client.pass(.seconds(2))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        #expect(try await connection.readResponse().status == .requestTimeout)
    }

    @Test func `a carriage return now and then does not buy time`() async throws {
        let connection = try await answeredConnection()
        for second in 0..<3 {
            try await connection.send(second.isMultiple(of: 2) ? "\r" : "\n")
            _ = try await answeredConnection()
            try await client.pass(.seconds(1))
        }
        try await connection.waitForClose()
    }

    @Test func `a connection without a request is closed without a word`() async throws {
        let connection = try await answeredConnection()
        try await client.pass(.seconds(6))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test(arguments: ["/", "/stream"])
    func `a body without progress is 408 and the end (RFC 9110 §15.5.9)`(path: String) async throws {
        let connection = try await client.connect()
        try await connection.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n")
        _ = try await answeredConnection()
        try await client.pass(.seconds(3))
        try await connection.send(String(repeating: "x", count: 600))
        _ = try await answeredConnection()
        try await client.pass(.seconds(3))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        let refusal = try await connection.readResponse()
        #expect(refusal.status == .requestTimeout)
        #expect(refusal.headers[.connection] == "close")
        try await connection.waitForClose()
    }

    @Test func `a body that comes too slowly is 408 and the end`() async throws {
        let connection = try await client.connect()
        try await connection.send(post("Content-Length: 500\r\n"))
        // 50 bytes a second, where 100 are required: 4 s, and one more for each 100 bytes.
        for second in 0..<7 {
            try await connection.send(String(repeating: "x", count: 50))
            _ = try await answeredConnection()
            #expect(!connection.isClosedByPeer, "after \(second) s")
            try await client.pass(.seconds(1))
        }
        #expect(try await connection.readResponse().status == .requestTimeout)
    }

    @Test func `bytes that came fast at the beginning buy a body no time`() async throws {
        let connection = try await client.connect()
        try await connection.send(post("Content-Length: 900000\r\n", String(repeating: "x", count: 800_000)))
        // What the socket still holds is read 16 KiB per turn; each of these takes at least one turn.
        for _ in 0..<64 { _ = try await answeredConnection() }
        for second in 0..<4 {
            try await connection.send("x")
            _ = try await answeredConnection()
            #expect(!connection.isClosedByPeer, "after \(second) s")
            try await client.pass(.seconds(1))
        }
        try await client.pass(.seconds(1))
        #expect(try await connection.readResponse().status == .requestTimeout)
    }

    @Test func `a body that comes slowly, and fast enough, is read`() async throws {
        let connection = try await client.connect()
        try await connection.send(post("Content-Length: 1500\r\n"))
        for _ in 0..<15 {
            try await client.pass(.seconds(1))
            try await connection.send(String(repeating: "x", count: 100))
            _ = try await answeredConnection()
        }
        #expect(try await connection.readResponse().text == "1500")
    }

    @Test func `a client that does not read its response is closed`() async throws {
        let client = try Probe.client(Self.configuration) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/large")) { _ in
                Response(.ok, "text/plain", Body([UInt8](repeating: 65, count: 8_000_000)))
            }
        }
        let connection = try await client.connect()
        try await connection.send(get("/large") + get("/"))
        #expect(try await client.get("/").text == "ok")
        try await client.pass(.seconds(4))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        try await connection.waitForClose()
    }

    @Test func `asking for more does not buy time for a client that does not read`() async throws {
        let client = try Probe.client(Self.configuration) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/large")) { _ in
                Response(.ok, "text/plain", Body([UInt8](repeating: 65, count: 8_000_000)))
            }
        }
        let connection = try await client.connect()
        for _ in 0..<5 {
            try await connection.send(get("/large"))
            #expect(try await client.get("/").text == "ok")
            try await client.pass(.seconds(1))
        }
        try await connection.waitForClose()
    }

    @Test func `what a refused client still sends is read for a while`() async throws {
        let connection = try await client.connect()
        try await connection.send("GET / HTTP/3.0\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().status.code == 505)
        for _ in 0..<11 {
            try await client.pass(.seconds(1))
            try await connection.send("more")
            _ = try await answeredConnection()
        }
        try await client.pass(.seconds(1))
        try await refusal(of: connection)
    }

    @Test func `a refused client that sends nothing more is closed`() async throws {
        let connection = try await client.connect()
        try await connection.send("GET / HTTP/3.0\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().status.code == 505)
        try await client.pass(.seconds(2))
        try await refusal(of: connection)
    }

    /// Returns when nothing more can be sent. A process that another test has just started holds copies of all sockets
    /// until it runs its own program, so that may take a moment.
    private func refusal(of connection: HTTPConnection) async throws {
        while (try? await connection.send("more")) != nil { try await turn() }
    }
}
