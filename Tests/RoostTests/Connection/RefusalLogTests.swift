import Logging
import RoostTesting
import Testing

@testable import Roost

/// A message that is refused before it is a request has no line from `RequestLog`, and gets another one.
@Suite("What the log says about refusals", .timeLimit(.minutes(5)))
struct RefusalLogTests {
    private let log = LogLines()

    private func client(_ level: Logger.Level = .info) throws -> TestClient {
        var logger = log.logger
        logger.logLevel = level
        var configuration = ServerConfiguration()
        configuration.headTimeout = .seconds(3)
        return TestClient(
            try Application(configuration: configuration, logger: logger, middleware: [], routes: Probe.routes)
        )
    }

    @Test(arguments: [
        ("secret\u{1B}[31m\r\n\r\n", "400", "The request line is malformed (RFC 9112 §3)."),
        ("GET / HTTP/1.1\r\nHost: a\r\nsecret\r\n\r\n", "400", "A header field line is malformed (RFC 9112 §5)."),
        ("GET /\(String(repeating: "secret", count: 2_000))", "414", "The request line is too long."),
        ("GET / HTTP/3.0\r\nHost: secret\r\n\r\n", "505", "Only HTTP/1.1 and HTTP/1.0 are supported"),
        (
            "GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "secret", count: 8_000))", "431",
            "The header fields are"
        ),
        ("GET / HTTP/1.1\r\nHost: a\r\nExpect: secret\r\n\r\n", "417", "The only expectation is 100-continue"),
    ])
    func `status and reason are one line at info, without any byte of the client's`(
        request: String,
        status: String,
        reason: String
    ) async throws {
        let connection = try await client().connection(sending: get("/") + request)
        #expect(try await connection.readResponse().status == .ok)
        #expect(try await "\(connection.readResponse().status.code)" == status)
        #expect(log.all.count == 1)
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("Refused 127.0.0.1: \(status), \(reason)"))
        #expect(!line.contains("secret"))
    }

    @Test func `behind a proxy, nobody is named for what somebody else may have sent`() async throws {
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let client = TestClient(
            try Application(
                configuration: configuration, logger: log.logger, middleware: [], routes: Probe.routes))
        let known = "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
        let connection = try await client.connection(sending: known)
        #expect(try await connection.readResponse().status == .ok)
        try await connection.send("GET /{ HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().status == .badRequest)
        #expect(log.all.count == 1 && log.all[0].hasPrefix("Refused 127.0.0.1: 400"), "\(log.all)")
    }

    @Test func `a head that does not end in time is one too`() async throws {
        let client = try client()
        let connection = try await client.connection(sending: "GET / HTTP/1.1\r\n")
        #expect(try await client.get("/").text == "ok")
        try await client.pass(.seconds(3))
        #expect(try await connection.readResponse().status == .requestTimeout)
        #expect(log.all == ["Refused 127.0.0.1: 408, The request took too long to arrive."])
    }

    @Test(arguments: [(Logger.Level.info, 0), (.debug, 1)])
    func `a client that connects and sends nothing, as browsers do, is logged only at debug`(
        level: Logger.Level,
        count: Int
    ) async throws {
        let client = try client(level)
        let connection = try await client.connect()
        try await client.pass(.seconds(3))
        #expect(try await connection.readResponse().status == .requestTimeout)
        #expect(log.all.count == count)
    }

    @Test func `at warning nothing is logged`() async throws {
        let connection = try await client(.warning).connection(sending: "nonsense\r\n\r\n")
        #expect(try await connection.readResponse().status == .badRequest)
        #expect(log.all.isEmpty)
    }

    /// The part of a body that arrives, and what the log says when nothing more follows, or something else.
    @Test(arguments: [
        ("Content-Length: 5", "hel", "The connection ended before the request did (RFC 9112 §8)."),
        ("Transfer-Encoding: chunked", "3\r\nhel\r\nsecret\r\n", "The chunked body is malformed (RFC 9112 §7.1)."),
    ])
    func `a body that is malformed while it is echoed is a line at info, too`(
        framing: String,
        body: String,
        reason: String
    ) async throws {
        let log = log
        let client = try TestClient(log: log) { routes in
            routes.on(.post)(Path("/echo"), body: .streamed) { Response(body: $0.body) }
        }
        let connection = try await client.connection(
            sending: "POST /echo HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n" + body
        )
        try connection.shutdownWrite()
        _ = try await connection.readToEnd()
        try await client.stop()
        #expect(log.allWithLevels == ["info 127.0.0.1 POST /echo: 400 Bad Request: \(reason)"])
    }
}
