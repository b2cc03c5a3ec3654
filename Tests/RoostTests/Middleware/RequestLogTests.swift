import CLibevent
import Glibc
import Logging
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("The log of requests", .timeLimit(.minutes(5)))
struct RequestLogTests {
    /// A clock that advances by the same time whenever it is read.
    private final class SteppingClock: Clock {
        private let time = Mutex(ContinuousClock.now)
        private let step: Duration

        init(_ step: Duration) { self.step = step }

        var now: ContinuousClock.Instant {
            time.withLock { time in
                time += step
                return time
            }
        }

        let minimumResolution = Duration.zero

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }

    private static func client(
        _ logger: Logger,
        step: Duration = .milliseconds(1),
        ids: [any Middleware] = []
    ) throws -> TestClient {
        let log = withClock(SteppingClock(step)) { RequestLog(logger) }
        return try TestClient(middleware: ids + [log, ErrorPages(logger: logger)]) { routes in
            routes.get(Path("/hello/{name}", String.self)) { _, _ in "hello" }
            routes.get(Path("/stream")) { _ in
                Response(body: Body(stream: AsyncThrowingStream<[UInt8], any Error> { $0.finish() }))
            }
            routes.delete(Path("/gone")) { _ in HTTPResponse.Status.noContent }
        }
    }

    @Test(arguments: [
        ("GET", "/hello/a?b=c%0a", "127.0.0.1 GET /hello/a 200 5 B 1.00 ms"),
        ("GET", "/hello/%0AGET%1b", "127.0.0.1 GET /hello/%0AGET%1b 200 5 B 1.00 ms"),
        ("HEAD", "/hello/a", "127.0.0.1 HEAD /hello/a 200 0 B 1.00 ms"),
        ("GET", "/stream", "127.0.0.1 GET /stream 200 stream 1.00 ms"),
        ("DELETE", "/gone", "127.0.0.1 DELETE /gone 204 0 B 1.00 ms"),
        ("POST", "/hello/a", "127.0.0.1 POST /hello/a 405"),
        ("GET", "/nowhere", "127.0.0.1 GET /nowhere 404"),
        ("BREW", "/nowhere", "127.0.0.1 BREW /nowhere 404"),
    ])
    func `a request is one line`(method: String, target: String, line: String) async throws {
        let log = LogLines()
        _ = try await Self.client(log.logger).request(try #require(HTTPRequest.Method(method)), target)
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasPrefix(line) ?? false, "\(log.all)")
    }

    @Test(arguments: [
        (false, "/hello/a?token=secret", "/hello/a"), (false, "/hello/a?", "/hello/a"),
        (false, "http://b/hello/a?token=secret", "http://b/hello/a"), (true, "/hello/a?b=c%0a", "/hello/a?b=c%0a"),
        (true, "/hello/a", "/hello/a"),
    ])
    func `the query, which may hold secrets, is shown only on request`(
        showsQuery: Bool,
        target: String,
        shown: String
    ) async throws {
        let log = LogLines()
        let client = try TestClient(middleware: [RequestLog(log.logger, showsQuery: showsQuery)]) { routes in
            routes.get(Path("/hello/{name}", String.self)) { _, _ in "hello" }
        }
        #expect(try await client.get(target).status == .ok)
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasPrefix("127.0.0.1 GET \(shown) 200 5 B ") == true, "\(log.all)")
    }

    @Test(arguments: [
        (PeerAddress.tcp(IPAddress("192.0.2.7")!, port: 50_000), "192.0.2.7"),
        (.tcp(IPAddress("2001:db8::7")!, port: 50_000), "2001:db8::7"), (.local, "local"),
    ])
    func `every line about a request begins with its peer`(peer: PeerAddress, shown: String) async throws {
        let log = LogLines()
        let middleware: [any Middleware] = [RequestLog(log.logger), ErrorPages(logger: log.logger)]
        let application = try Application(logger: log.logger, middleware: middleware) { routes in
            routes.get(Path("/fails")) { _ -> Response in throw Fault() }
        }
        let client = TestClient(application, peer: peer)
        _ = try await client.get("/fails?token=secret")
        _ = try await client.connection(sending: "nonsense\r\n\r\n").readResponse()
        try await client.stop()
        #expect(log.all.count == 3)
        for (line, begin) in zip(
            log.all, ["\(shown) GET /fails: ", "\(shown) GET /fails 500 ", "Refused \(shown): 400"])
        {
            #expect(line.hasPrefix(begin), "\(line)")
        }
        #expect(log.all.allSatisfy { !$0.contains("secret") })
    }

    private struct Fault: Error {}

    @Test(arguments: [
        (Duration.nanoseconds(1), "0.00"),
        (.microseconds(10), "0.01"),
        (.microseconds(1239), "1.23"),
        (.milliseconds(100), "100.00"),
        (.seconds(75), "75000.00"),
    ])
    func `a duration is milliseconds with two decimals`(duration: Duration, text: String) async throws {
        let log = LogLines()
        _ = try await Self.client(log.logger, step: duration).get("/hello/a")
        #expect(log.all == ["127.0.0.1 GET /hello/a 200 5 B \(text) ms"])
    }

    @Test func `the line ends with the id that the response has`() async throws {
        let log = LogLines()
        let response = try await Self.client(log.logger, ids: [RequestIDs()]).get("/hello/a")
        #expect(log.all == ["127.0.0.1 GET /hello/a 200 5 B 1.00 ms \(response.headers[.requestID] ?? "?")"])
    }

    @Test func `a program reads a JSON object`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let writer = LogWriter(ends[1]) { timespec(tv_sec: 0, tv_nsec: 0) }
        let logger = Logger(label: "app") { RoostLogHandler(label: $0, format: .json, writer: writer) }
        let client = try Self.client(logger, ids: [RequestIDs()])
        let id = try await client.get("/hello/a%22b?token=secret").headers[.requestID] ?? "?"
        _ = try await client.get("/stream")
        writer.flush()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self)
        let begin =
            #"{"time":"1970-01-01T00:00:00.000Z","level":"info","label":"app","message":"request","#
            + #""peer":"127.0.0.1","method":"GET","path":"/hello/a%22b","route":"/hello/{name}","status":200,"#
        let rest = #""bytes":5,"duration_ms":1.00,"request_id":"\#(id)","trace_id":""#
        #expect(lines.hasPrefix(begin + rest), "\(lines)")
        #expect(lines.contains(#""path":"/stream","route":"/stream","status":200,"duration_ms":1.00,"#))
        let trace = lines.split(separator: "\"trace_id\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(Set(trace).count == 2 && trace.allSatisfy { $0.utf8.count == 32 })
    }

    @Test(arguments: [LogFormat.text, .json])
    func `a line has the logger's metadata, and those of its provider`(format: LogFormat) async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let writer = LogWriter(ends[1]) { timespec(tv_sec: 0, tv_nsec: 0) }
        var logger = Logger(label: "app") { RoostLogHandler(label: $0, format: format, writer: writer) }
        logger[metadataKey: "instance"] = "b\"2"
        logger.handler.metadataProvider = Logger.MetadataProvider { ["zone": "north"] }
        _ = try await Self.client(logger).get("/hello/a")
        writer.flush()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        let line = String(decoding: bytes.prefix(count), as: UTF8.self)
        let end =
            format == .json
            ? #","metadata":{"instance":"b\"2","zone":"north"}}"# : #" 1.00 ms instance=b"2 zone=north"#
        #expect(line.hasSuffix(end + "\n"), "\(line)")
    }

    /// What Roost's own handler writes.
    private static func text(_ format: LogFormat, of body: (Logger) async throws -> Void) async throws -> String {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let writer = LogWriter(ends[1]) { timespec(tv_sec: 0, tv_nsec: 0) }
        try await body(Logger(label: "app") { RoostLogHandler(label: $0, format: format, writer: writer) })
        writer.flush()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// What a tracer tells of the request's span.
    private struct Traced: Filter {
        let fields: [String: String]

        func before(_ request: inout Request) -> Response? {
            request = request.inTrace(fields)
            return nil
        }
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", true), ("nonsense", false), ("", false),
    ])
    func `the trace of a tracer is that of the log, and of the handler`(field: String, isKept: Bool) async throws {
        let text = try await Self.text(.json) { logger in
            let traced = Traced(fields: ["traceparent": field, "tracestate": "a=1"])
            let client = try TestClient(middleware: [traced, RequestLog(logger)]) { routes in
                routes.get(Path("/")) { request in
                    "\(request.traceContext.traceparent) \(request.traceContext.state ?? "none")"
                }
            }
            let seen = try await client.get("/").text
            #expect((seen == field + " a=1") == isKept, "\(seen)")
        }
        let isLogged = text.contains(#""trace_id":"0af7651916cd43dd8448eb211c80319c""#)
        #expect(isLogged == isKept, "\(text)")
    }

    private struct Refusal: ResponseError {
        let httpError: HTTPError?
    }

    @Test(arguments: [(409, false), (422, false), (503, true)])
    func `a line has an error of the server, and not a mistake of the client`(
        status: Int, hasError: Bool
    ) async throws {
        let text = try await Self.text(.json) { logger in
            let client = try TestClient(middleware: [RequestLog(logger), ErrorPages(logger: logger)]) { routes in
                routes.get(Path("/")) { _ -> Response in throw Refusal(httpError: HTTPError(.init(code: status))) }
            }
            #expect(try await client.get("/").status.code == status)
        }
        #expect(text.contains(#""message":"request""#) && text.contains("\"status\":\(status)"), "\(text)")
        #expect(text.contains(#""error":"Refusal("#) == hasError, "\(text)")
        #expect(text.contains(#""level":"error""#) == hasError, "\(text)")
    }

    @Test func `the lines about a broken template are lines of the log, so that the caret stands right`() async throws {
        let text = try await Self.text(.text) { logger in
            let templates = try Templates(sources: ["row": "<li title=x>{{nam}}</li>"])
            let pages = ErrorPages(logger: logger, explains: true)
            let client = try TestClient(templates: templates, middleware: [pages]) { routes in
                routes.get(Path("/row")) { _ in View("row", ["name": "Ann"]) }
            }
            #expect(try await client.get("/row").status == .internalServerError)
        }
        let begin = "1970-01-01T00:00:00.000Z error app: "
        let lines = text.split(separator: "\n")
        try #require(lines.count > 3 && lines.allSatisfy { $0.hasPrefix(begin) }, "\(text)")
        #expect(lines[0] == begin + "127.0.0.1 GET /row: a template has an error")
        #expect(lines[1].hasPrefix(begin + "row.mustache:1:13: "))
        #expect(lines[2] == begin + "    <li title=x>{{nam}}</li>")
        #expect(lines[3] == begin + "                ^")
    }

    @Test(arguments: [511, 512, 513, 4000])
    func `of a long path, the beginning is logged`(count: Int) async throws {
        let log = LogLines()
        let path = "/" + String(repeating: "a", count: count - 1)
        let client = try TestClient(middleware: [RequestLog(log.logger), ErrorPages(logger: log.logger)]) { routes in
            routes.get(Path("/{name}", String.self)) { _, _ -> Response in throw Fault() }
        }
        _ = try await client.get(path + "?token=secret")
        let shown = count > 512 ? path.prefix(512) + "…" : path[...]
        #expect(log.all.count == 2)
        #expect(log.all.first?.hasPrefix("127.0.0.1 GET \(shown): Fault") == true, "\(log.all)")
        #expect(log.all.last?.hasPrefix("127.0.0.1 GET \(shown) 500 ") == true, "\(log.all)")
    }

    @Test func `nothing is logged when nobody listens`() async throws {
        let log = LogLines()
        var logger = log.logger
        logger.logLevel = .warning
        #expect(try await Self.client(logger).get("/hello/a").status == .ok)
        #expect(log.all.isEmpty)
    }

    @Test(arguments: [
        ("plain ä 😀", "plain ä 😀"),
        ("a\nb", "a\\u{a}b"),
        ("a\r\nb", "a\\u{d}\\u{a}b"),
        ("\u{1B}[31m", "\\u{1b}[31m"),
        ("\0\u{7F}\u{80}\u{85}\u{9B}\u{9F}\u{A0}", "\\u{0}\\u{7f}\\u{80}\\u{85}\\u{9b}\\u{9f}\u{A0}"),
        ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"),
        ("\u{61C}\u{200E}\u{200F}", "\\u{61c}\\u{200e}\\u{200f}"),
        ("\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}", "\\u{202a}\\u{202b}\\u{202c}\\u{202d}\\u{202e}"),
        ("\u{2066}\u{2067}\u{2068}\u{2069}", "\\u{2066}\\u{2067}\\u{2068}\\u{2069}"),
        ("\u{2027}\u{202F}\u{2065}\u{206A}\u{200D}", "\u{2027}\u{202F}\u{2065}\u{206A}\u{200D}"),
    ])
    func `characters that forge lines, control a terminal or reverse text are escaped`(text: String, escaped: String) {
        #expect(LogText.escaped(text) == escaped)
    }
}
