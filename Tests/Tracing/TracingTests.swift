import InMemoryTracing
import Instrumentation
import Roost
import RoostHTTPClient
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Synchronization
import Testing
import Tracing

/// The spans that a tracer sees. All tests share the tracer of the process, and so run one after the other.
@Suite("Spans", .serialized, .quietLog, .timeLimit(.minutes(5)))
struct TracingTests {
    static let tracer: InMemoryTracer = {
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(MultiplexInstrument([tracer, TraceParent()]))
        return tracer
    }()

    init() {
        Self.tracer.clearAll()
    }

    private func span(_ name: String) throws -> FinishedInMemorySpan {
        try #require(Self.tracer.finishedSpans.first { $0.operationName == name }, "\(name)")
    }

    @Test func `a request is a span, and its statement and its template are spans in it`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let client = TestClient(
            try Application(services: [database], templates: Templates(sources: ["nest": "<p>{{name}}</p>"])) {
                routes in
                routes.get(Path("/nests/{id}", Int.self)) { _, id in
                    let name = try await database.first("SELECT 'Nest ' || \(id)", as: String.self)
                    return View("nest", ["name": name ?? ""])
                }
            })
        #expect(try await client.get("/nests/7?token=hush").status == .ok)

        let request = try span("GET /nests/{id}")
        #expect(request.kind == .server && request.parentSpanID == nil)
        #expect(request.attributes.get("http.request.method") == "GET")
        #expect(request.attributes.get("url.path") == "/nests/7")
        #expect(request.attributes.get("http.route") == "/nests/{id}")
        #expect(request.attributes.get("http.response.status_code") == 200)
        let statement = try span("SELECT")
        #expect(statement.kind == .client && statement.parentSpanID == request.spanID)
        #expect(statement.attributes.get("db.system.name") == "sqlite")
        #expect(statement.attributes.get("db.query.text") == "SELECT 'Nest ' || $1")
        #expect(try span("template nest").parentSpanID == request.spanID)
        #expect(Self.tracer.activeSpans.isEmpty)
    }

    @Test func `a method that a client makes up is no name of a span`() async throws {
        let application = try Application { routes in routes.get(Path("/")) { _ in "Hello!" } }
        let evil = try #require(HTTPRequest.Method("EVIL"))
        _ = try await TestClient(application, host: "localhost:8080").request(evil, "/")
        let request = try #require(Self.tracer.finishedSpans.first { $0.kind == .server })
        #expect(!request.operationName.contains("EVIL") && request.operationName.hasPrefix("HTTP"))
        #expect(request.attributes.get("http.request.method") == "_OTHER")
        #expect(request.attributes.get("server.address") == "localhost")
        #expect(request.attributes.get("server.port") == 8080)
        Self.tracer.clearAll()
        _ = try await TestClient(application, host: "[::1]").get("/")
        let plain = try span("GET /")
        #expect(plain.attributes.get("server.address") == "::1" && plain.attributes.get("server.port") == nil)
    }

    @Test func `an error is told by its type`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let client = TestClient(
            try Application(services: [database]) { routes in
                routes.get(Path("/")) { _ in try await database.query("SELECT nothing", as: Int.self).description }
            })
        #expect(try await client.get("/").status == .internalServerError)
        #expect(try span("GET /").attributes.get("error.type") == "500")
        #expect(try span("SELECT").attributes.get("error.type") == "DatabaseError")
    }

    @Test func `the trace of a trusted proxy goes on, and any other begins`() async throws {
        let http = HTTPClient()
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let inner = try await TestHTTPServer { routes in
            routes.get(Path("/inner")) { request in request.headers["in-memory-trace-id"] ?? "none" }
        }
        let url = inner.url("/inner")
        let application = try Application(configuration: configuration) { routes in
            routes.get(Path("/")) { _ in try await http.get(url).text }
        }
        let headers: Headers = [
            HTTPField.Name("in-memory-trace-id") ?? .eTag: "outer",
            HTTPField.Name("in-memory-span-id") ?? .eTag: "caller",
        ]
        #expect(try await TestClient(application).get("/", headers: headers).text == "outer")
        #expect(try span("GET /").parentSpanID == "caller")
        let outgoing = try span("GET")
        #expect(outgoing.kind == .client && outgoing.traceID == "outer")
        #expect(outgoing.attributes.get("http.response.status_code") == 200)

        let stranger = TestClient(application, peer: .tcp(try #require(IPAddress("192.0.2.7")), port: 1))
        #expect(try await stranger.get("/", headers: headers).text != "outer")
        try await inner.stop()
    }

    @Test func `traceparent is read from a trusted proxy, and sent on`() async throws {
        let http = HTTPClient()
        var configuration = ServerConfiguration()
        configuration.trustedProxies = try #require(TrustedProxies("loopback"))
        let inner = try await TestHTTPServer { routes in
            routes.get(Path("/inner")) { request in request.headers[.traceparent] ?? "none" }
        }
        let url = inner.url("/inner")
        let application = try Application(configuration: configuration) { routes in
            routes.get(Path("/")) { _ in try await http.get(url).text }
        }
        let headers: Headers = [.traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"]
        #expect(try await TestClient(application).get("/", headers: headers).text == headers[.traceparent])
        let stranger = TestClient(application, peer: .tcp(try #require(IPAddress("192.0.2.7")), port: 1))
        #expect(try await stranger.get("/", headers: headers).text == "none")
        try await inner.stop()
    }

    @Test func `the trace of a request is its span's, although no proxy has sent one`() async throws {
        TraceParent.tellsSpans.store(true, ordering: .relaxed)
        defer { TraceParent.tellsSpans.store(false, ordering: .relaxed) }
        let http = HTTPClient()
        let client = TestClient(
            try Application { routes in
                routes.get(Path("/")) { request in
                    "\(request.traceContext.traceparent) \(http.continuing(request).headers[.traceparent] ?? "none")"
                }
            })
        let text = try await client.get("/").text
        let field = TraceParent.field(of: try span("GET /").spanContext)
        #expect(text == "\(field) \(field)")
    }

    @Test func `a job that runs is a span`() async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let jobs = Jobs(database, [Brooding.self])
        let migrator = Migrator(database, Jobs.migrations)
        let client = TestClient(
            try Application(services: [database, migrator, jobs]) { routes in
                routes.post(Path("/")) { _ in
                    try await jobs.add(Brooding())
                    return "added"
                }
            })
        #expect(try await client.post("/").status == .ok)
        #expect(try await client.runJobs() == 1)
        let run = try span("process \(Brooding.name)")
        #expect(run.kind == .consumer && run.attributes.get("messaging.destination.name") == "default")
    }

    private struct Brooding: Job {
        func run(_ context: JobContext) async throws {}
    }
}

/// The part of a tracer that carries W3C's field from the message that comes to those that go.
private struct TraceParent: Instrument {
    /// Whether the field tells of the current span where no message has come with one.
    static let tellsSpans = Atomic(false)

    private enum Key: ServiceContextKey { typealias Value = String }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context[Key.self] = extractor.extract(key: "traceparent", from: carrier)
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        if let value = context[Key.self] {
            injector.inject(value, forKey: "traceparent", into: &carrier)
        } else if Self.tellsSpans.load(ordering: .relaxed), let span = context.inMemorySpanContext {
            injector.inject(Self.field(of: span), forKey: "traceparent", into: &carrier)
        }
    }

    /// The field for a span: the numbers of its ids, such as `trace-7`.
    static func field(of span: InMemorySpanContext) -> String {
        "00-\(number(in: span.traceID, 32))-\(number(in: span.spanID, 16))-01"
    }

    private static func number(in id: String, _ digits: Int) -> String {
        let number = String(id.drop { $0 != "-" }.dropFirst())
        return String(repeating: "0", count: digits - number.count) + number
    }
}
