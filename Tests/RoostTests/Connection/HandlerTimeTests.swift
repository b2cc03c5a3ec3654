import CoreMetrics
import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// The time of a handler, on a clock that the tests control.
@Suite("How long a handler may take", .timeLimit(.minutes(5)))
struct HandlerTimeTests {
    private let client: TestClient
    private let log = LogLines()
    private let latch = Latch()
    private let isCancelled = Latch()

    init() throws {
        let (latch, isCancelled) = (latch, isCancelled)
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(5)
        client = try TestClient(log: log, configuration: configuration) { routes in
            Probe.routes(routes)
            routes.get(Path("/later")) { _ in
                await Task.yield()
                return "ok"
            }
            routes.get(Path("/stubborn")) { _ in
                await withTaskCancellationHandler {
                    // This wait does not end when the handler is cancelled.
                    await Task { await latch.wait() }.value
                } onCancel: {
                    isCancelled.open()
                }
                return "too late"
            }
            routes.get(Path("/events")) { _ in
                await Task.yield()
                let (chunks, chunk) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
                Task {
                    chunk.yield([97])
                    await latch.wait()
                    chunk.yield([98])
                    chunk.finish()
                }
                return Response(body: Body(stream: chunks))
            }
        }
    }

    @Test func `a HEAD that is given up gets the head alone`() async throws {
        let connection = try await client.connection(sending: "HEAD /stubborn HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.get("/").text == "ok")  // the request has been read before this
        try await client.pass(.seconds(5))
        let text = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 503 ") && text.hasSuffix("\r\n\r\n"))
        latch.open()
    }

    @Test func `a handler that is given up and then reads its body asks for nothing more`() async throws {
        let (latch, entered, done) = (Latch(), Latch(), Latch())
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(5)
        let client = try TestClient(log: log, configuration: configuration) { routes in
            routes.post(Path("/"), body: .streamed) { request in
                entered.open()
                await Task { await latch.wait() }.value
                _ = try? await request.body.collect(upTo: 10)
                done.open()
                return "too late"
            }
        }
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
        let connection = try await client.connection(sending: head)
        await entered.wait()
        try await client.pass(.seconds(5))
        #expect(try await connection.readResponse().status == .serviceUnavailable)
        latch.open()
        await done.wait()
        #expect(try await connection.readToEnd().isEmpty)
    }

    @Test func `one that takes too long is cancelled, and its client gets 503 whether or not it heeds that`()
        async throws
    {
        let connection = try await client.connection(sending: get("/stubborn") + get("/"))
        #expect(try await client.get("/").text == "ok")  // the request has been read before this
        try await client.pass(.seconds(4))
        #expect(!connection.isClosedByPeer)
        try await client.pass(.seconds(1))
        let response = try await connection.readResponse()
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.connection] == "close")
        await isCancelled.wait()
        latch.open()
        #expect(try await connection.readToEnd().isEmpty)
        #expect(log.all.contains { $0.hasSuffix(" GET /stubborn: its handler took too long and was cancelled.") })
    }

    @Test(.quietLog) func `one that was given up is counted once, by its response`() async throws {
        let metrics = PrometheusMetrics()
        let (latch, returned) = (latch, Latch())
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(5)
        let client = try withMetricsFactory(metrics) {
            try TestClient(configuration: configuration) { routes in
                routes.get(Path("/")) { _ in "ok" }
                routes.get(Path("/stubborn")) { _ in
                    await Task { await latch.wait() }.value
                    returned.open()
                    return "too late"
                }
            }
        }
        let connection = try await client.connection(sending: get("/stubborn"))
        #expect(try await client.get("/").text == "ok")  // the request has been read before this
        try await client.pass(.seconds(5))
        #expect(try await connection.readResponse().status == .serviceUnavailable)
        connection.close()
        try await client.pass(.seconds(60))
        latch.open()
        await returned.wait()
        #expect(try await client.get("/").text == "ok")
        let lines = metrics.text().split(separator: "\n")
        let labels = #"http_request_method="GET",http_response_status_code="503",http_route="/stubborn""#
        #expect(lines.contains("http_server_request_duration_seconds_count{\(labels)} 1"))
        #expect(lines.contains("roost_abandoned_requests_total 0"))
    }

    @Test(arguments: ["/stubborn", "/heeding"])
    func `one that was given up has one line in the log, with the status that its client got`(path: String)
        async throws
    {
        let (latch, log) = (latch, log)
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(5)
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let middleware: [any Middleware] = [
            RequestIDs(), RequestLog(log.logger), ErrorPages(logger: log.logger),
        ]
        let client = try TestClient(log: log, configuration: configuration, middleware: middleware) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/stubborn")) { _ in
                await Task { await latch.wait() }.value
                return "too late"
            }
            routes.get(Path("/heeding")) { _ in
                await latch.wait()
                try Task.checkCancellation()
                return "too late"
            }
        }
        let head = "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: nest-7\r\n\r\n"
        let connection = try await client.connection(sending: head)
        #expect(try await client.get("/").text == "ok")  // the request has been read before this
        try await client.pass(.seconds(5))
        #expect(try await connection.readResponse().status == .serviceUnavailable)
        latch.open()
        var lines: [String] = []
        while lines.isEmpty {
            try await turn()
            lines = log.all.filter { $0.contains(" GET \(path) ") }
        }
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("127.0.0.1 GET \(path) 503 0 B ") && lines[0].hasSuffix(" nest-7"), "\(lines)")
    }

    @Test func `it never has less than its time, whenever a second ends`() throws {
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(5)
        let application = try Probe.application()
        let worker = Worker(
            try EventLoop(), application, configuration, application.logger, configuration.memoryBudget,
            configuration.clientBudgets())
        // Time stands still: a second passes when a test says so, and is a whole one.
        #expect(worker.group.handlerTicks == 5)
        worker.startClock()
        #expect(worker.group.handlerTicks == 6)
        worker.abandon()
    }

    @Test func `the longest time that there is can be counted from any second`() throws {
        var configuration = ServerConfiguration()
        configuration.handlerTimeout = .seconds(Int.max)
        let application = try Probe.application()
        let worker = Worker(
            try EventLoop(), application, configuration, application.logger, configuration.memoryBudget,
            configuration.clientBudgets())
        #expect(worker.group.handlerTicks == Int(Int32.max))
        worker.abandon()
    }

    @Test func `each has its own time`() async throws {
        let connection = try await client.connection(sending: get("/later"))
        for _ in 0..<3 {
            #expect(try await connection.readResponse().text == "ok")
            try await client.pass(.seconds(9))
            try await connection.send(get("/later"))
        }
        #expect(try await connection.readResponse().text == "ok")
    }

    @Test func `the time that a client takes to send a body is not the handler's`() async throws {
        let connection = try await client.connection(
            sending: "POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
        )
        for _ in 0..<10 {
            #expect(try await client.get("/").text == "ok")
            try await client.pass(.seconds(4))
            try await connection.send(String(repeating: "x", count: 10_000))
        }
        #expect(try await connection.readResponse().text == "100000")
    }

    @Test func `a response that has begun has no limit`() async throws {
        let connection = try await client.connection(sending: get("/events"))
        var text = ""
        while !text.hasSuffix("a\r\n") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
        try await client.pass(.seconds(100))
        latch.open()
        text += String(decoding: try await connection.receive(), as: UTF8.self)
        #expect(text.contains("1\r\nb\r\n"))
    }

    @Test func `without a limit it may take any time`() async throws {
        let latch = latch
        let client = try Probe.client { routes in
            routes.get(Path("/ok")) { _ in "ok" }
            routes.get(Path("/")) { _ in
                await latch.wait()
                return "at last"
            }
        }
        let connection = try await client.connection(sending: get("/"))
        #expect(try await client.get("/ok").text == "ok")
        try await client.pass(.seconds(1000))
        latch.open()
        #expect(try await connection.readResponse().text == "at last")
    }
}
