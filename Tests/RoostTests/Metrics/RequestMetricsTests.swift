import CoreMetrics
import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Metrics of requests", .timeLimit(.minutes(5)))
struct RequestMetricsTests {
    private let metrics = PrometheusMetrics()

    private func client() throws -> TestClient {
        try withMetricsFactory(metrics) {
            TestClient(
                try Application { routes in
                    routes.get(Path("/users/{id}", Int.self)) { _, id in "user \(id)" }
                    routes.post(Path("/users")) { _ async throws -> String in
                        await Task.yield()
                        throw HTTPError(.conflict)
                    }
                })
        }
    }

    private func value(_ series: String) -> String? {
        metrics.text().split(separator: "\n").first { $0.hasPrefix(series + " ") }
            .map { String($0.dropFirst(series.count + 1)) }
    }

    private func requests(_ method: String, _ route: String, _ status: Int) -> String? {
        value("http_server_request_duration_seconds_count{\(Self.labels(method, route, status))}")
    }

    private static func labels(_ method: String, _ route: String, _ status: Int) -> String {
        "http_request_method=\"\(method)\",http_response_status_code=\"\(status)\",http_route=\"\(route)\""
    }

    @Test(.quietLog) func `the route is its pattern, never the path`() async throws {
        let client = try client()
        for id in 1...3 { _ = try await client.get("/users/\(id)") }
        _ = try await client.get("/users/x")
        _ = try await client.head("/users/1")
        #expect(requests("GET", "/users/{id}", 200) == "3")
        #expect(requests("GET", "unmatched", 404) == "1")
        #expect(requests("HEAD", "/users/{id}", 200) == "1")
        #expect(!metrics.text().contains("/users/1"))
    }

    @Test(.quietLog) func `a handler that waits is counted under its route`() async throws {
        let client = try client()
        _ = try await client.post("/users", body: [])
        #expect(requests("POST", "/users", 409) == "1")
    }

    @Test(.quietLog) func `what nobody has declared has fixed labels`() async throws {
        let client = try client()
        for path in ["/a", "/b", "/c"] { #expect(try await client.get(path).status == .notFound) }
        let method = try #require(HTTPRequest.Method("BREW"))
        _ = try await client.on(method)("/a")
        _ = try await client.on(try #require(HTTPRequest.Method("BREW2")))("/a")
        #expect(requests("GET", "unmatched", 404) == "3")
        #expect(requests("_OTHER", "unmatched", 404) == "2")
    }

    @Test(.quietLog) func `probes are not counted`() async throws {
        let client = try client()
        _ = try await client.get("/health/live")
        _ = try await client.get("/health/ready")
        #expect(!metrics.text().contains("http_server_request_duration_seconds_count{"))
    }

    @Test(.quietLog) func `what is refused before it is a request has a counter of its own`() async throws {
        let client = try client()
        let connection = try await client.connect()
        defer { connection.close() }
        try await connection.send("GET / HTTP/1.1\r\n\r\n")
        #expect(try await connection.readResponse().status == .badRequest)
        #expect(value(#"roost_refused_messages_total{status="400"}"#) == "1")
        #expect(value(#"roost_refused_messages_total{status="431"}"#) == "0")
        #expect(!metrics.text().contains("http_server_request_duration_seconds_count{"))
    }

    /// Browsers connect before they know whether they will need it.
    @Test(.quietLog) func `a client that sends nothing has not been refused a message`() async throws {
        let client = try client()
        let connection = try await client.connect()
        defer { connection.close() }
        try await client.pass(.seconds(10))
        #expect(try await connection.readResponse().status == .requestTimeout)
        #expect(value(#"roost_refused_messages_total{status="408"}"#) == "0")
        let slow = try await client.connection(sending: "GET / HTTP/1.1\r\n")
        defer { slow.close() }
        #expect(try await client.get("/users/1").status == .ok)  // the line has been read before this
        try await client.pass(.seconds(10))
        #expect(try await slow.readResponse().status == .requestTimeout)
        #expect(value(#"roost_refused_messages_total{status="408"}"#) == "1")
    }

    /// So that an alert can see the first event.
    @Test(.quietLog) func `what has not happened yet is 0, not missing`() async throws {
        let client = try client()
        _ = try await client.get("/users/1")
        try await client.pass(.seconds(1))
        for status in [400, 408, 414, 417, 429, 431, 501, 503, 505] {
            #expect(value("roost_refused_messages_total{status=\"\(status)\"}") == "0")
        }
        #expect(value("roost_abandoned_requests_total") == "0")
        #expect(value("roost_failed_handshakes_total") == "0")
        #expect(value("roost_log_dropped_lines_total") == "0")
    }

    @Test(.quietLog) func `bytes and connections`() async throws {
        let client = try client()
        let connection = try await client.connect()
        defer { connection.close() }
        try await connection.send("GET /users/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try await connection.readResponse()
        try await client.pass(.seconds(1))
        #expect(value("roost_received_bytes_total") == "42")
        #expect(Int(try #require(value("roost_sent_bytes_total"))) ?? 0 > 100)
        #expect(value("roost_connections_opened_total") == "1")
        #expect(value(#"roost_connections{loop="0",state="idle"}"#) == "1")
        #expect(value(#"roost_connections{loop="0",state="handling"}"#) == "0")
        #expect(value("roost_websockets_open") == "0")
    }

    @Test(.quietLog) func `refusals of a rate limit, and those who follow a topic`() async throws {
        let topic = Topic<String>(history: 1)
        let client = try withMetricsFactory(metrics) {
            TestClient(
                try Application(middleware: [RateLimit(1, per: .seconds(60)), ErrorPages()]) { routes in
                    routes.get(Path("/")) { _ in "home" }
                })
        }
        #expect(try await client.get("/").status == .ok)
        #expect(try await client.get("/").status == .tooManyRequests)
        #expect(value("roost_rate_limit_refusals_total") == "1")
        let follower = withMetricsFactory(metrics) { topic.subscribe().makeAsyncIterator() }
        #expect(value("roost_topic_subscribers") == "1")
        withExtendedLifetime(follower) {}
    }

    /// The rules that `promtool check metrics` checks: https://prometheus.io/docs/practices/naming/.
    @Test(.quietLog) func `every series has a type and help, and a name that fits its type`() async throws {
        let client = try client()
        _ = try await client.get("/users/1")
        try await client.pass(.seconds(1))
        var (helped, kinds): (Set<Substring>, [Substring: Substring]) = ([], [:])
        for line in metrics.text().split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                #expect(helped.insert(words[2]).inserted && words.count == 4, "\(line)")
            } else if line.hasPrefix("# TYPE ") {
                #expect(kinds.updateValue(words[3], forKey: words[2]) == nil, "\(line)")
                #expect(helped.contains(words[2]), "\(line)")
                #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
                for part in ["_count", "_sum", "_bucket", "_info", "_milliseconds", "_kilobytes", "_\(words[3])"] {
                    #expect(!words[2].hasSuffix(part), "\(line)")
                }
            } else {
                let name = line.prefix { $0 != "{" && $0 != " " }
                let family = kinds[name] == nil ? name.prefix(upTo: name.lastIndex(of: "_") ?? name.endIndex) : name
                #expect(kinds[family] != nil, "\(line)")
                #expect(kinds[name] != nil || kinds[family] == "histogram", "\(line)")
                #expect(words.last.flatMap { Double($0) } != nil, "\(line)")
                #expect(!line.contains("=\"\"") && line.allSatisfy(\.isASCII), "\(line)")
            }
        }
        #expect(kinds.count > 15)
    }

    @Test(.quietLog) func `without a back end nothing is measured`() throws {
        #expect(try Application { _ in }.metrics == nil)
    }

    /// Any back end works.
    @Test(.quietLog) func `another back end gets the same`() async throws {
        let other = OtherMetrics()
        let client = try withMetricsFactory(other) {
            TestClient(try Application { routes in routes.get(Path("/")) { _ in "hello" } })
        }
        _ = try await client.get("/")
        #expect(other.counts.withLock { $0["http_server_request_duration_seconds GET / 200"] } == 1)
    }

    @Test(.quietLog) func `the admin port has the metrics, and nothing else`() async throws {
        var configuration = ServerConfiguration()
        (configuration.port, configuration.adminPort, configuration.workers) = (0, 0, 2)
        let app = try Application(configuration: configuration) { routes in routes.get(Path("/")) { _ in "home" } }
        let server = try await Server.listen(
            configuration, app, metrics: app.metrics, admin: app.admin, logger: app.logger)
        let running = Task { try await server.run() }
        let port = try #require(server.adminPort)
        #expect(try await WireClient(port: server.port).get("/").status == .ok)
        #expect(try await WireClient(port: server.port).get("/metrics").status == .notFound)
        let response = try await WireClient(port: port).get("/metrics")
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.text.contains("http_server_request_duration_seconds_count{\(Self.labels("GET", "/", 200))} 1"))
        // Scrapes are not counted.
        #expect(!response.text.contains(#"route="/metrics""#))
        #expect(try await WireClient(port: port).get("/").status == .notFound)
        let misled = try await HTTPConnection.connect(host: "127.0.0.1", port: port, hostField: "evil.example")
        defer { misled.close() }
        try await misled.send(.get, "/metrics")
        #expect(try await misled.readResponse(to: .get).status == .misdirectedRequest)
        server.shutdown()
        try await running.value
    }
}

/// A back end that counts calls.
private final class OtherMetrics: MetricsFactory {
    let counts = Mutex<[String: Int]>([:])

    private final class Handler: CounterHandler, TimerHandler, RecorderHandler, MeterHandler {
        let name: String
        let owner: OtherMetrics

        init(_ label: String, _ dimensions: [(String, String)], _ owner: OtherMetrics) {
            name = ([label] + dimensions.map(\.1)).joined(separator: " ")
            self.owner = owner
        }

        private func note() { owner.counts.withLock { $0[name, default: 0] += 1 } }
        func increment(by: Int64) { note() }
        func increment(by: Double) { note() }
        func decrement(by: Double) { note() }
        func reset() {}
        func recordNanoseconds(_: Int64) { note() }
        func record(_: Int64) { note() }
        func record(_: Double) { note() }
        func set(_: Int64) { note() }
        func set(_: Double) { note() }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(label, dimensions, self)
    }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Handler(label, dimensions, self)
    }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Handler(label, dimensions, self)
    }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Handler(label, dimensions, self)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
