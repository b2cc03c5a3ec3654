import Glibc
import HTTPTypes
import Logging
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Health", .timeLimit(.minutes(5)))
struct HealthTests {
    private struct Broken: Error, CustomStringConvertible { let description = "the secret reason" }

    private func client(_ checks: [HealthCheck], services: [any Service] = []) throws -> TestClient {
        TestClient(try Application(services: services, healthChecks: checks) { _ in })
    }

    @Test(.quietLog) func `a server that serves is live and ready`() async throws {
        let client = try client([])
        for path in ["/health/live", "/health/ready"] {
            let response = try await client.get(path)
            #expect(response.status == .ok)
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(response.headers[.contentType] == "application/json")
        }
        #expect(try await client.get("/health/live").text == #"{"status":"live"}"#)
        #expect(try await client.get("/health/ready").text == #"{"checks":{},"status":"ready"}"#)
        #expect(try await client.head("/health/ready").status == .ok)
        #expect(try await client.post("/health/ready").status == .methodNotAllowed)
        #expect(try await client.get("/health/readx").status == .notFound)
        #expect(try await client.get("/health/lives").status == .notFound)
    }

    @Test(.quietLog) func `an application that is asked in the process responds, too`() async throws {
        let request = try Request(.get, "/health/live")
        #expect(try await Application { _ in }.respond(to: request).status == .ok)
    }

    @Test(.quietLog) func `a check that fails makes it unready, but not dead`() async throws {
        let client = try client([HealthCheck("database") { throw Broken() }, HealthCheck("disk") {}])
        let response = try await client.get("/health/ready")
        #expect(response.status == .serviceUnavailable)
        #expect(
            response.text == #"{"checks":{"database":"failed","disk":"ok"},"#
                + #""errors":{"database":"the secret reason"},"status":"unavailable"}"#)
        #expect(try await client.get("/health/live").status == .ok)
    }

    @Test(.quietLog, arguments: [[false, true], [true, false]])
    func `of two checks with one name, the one that fails counts`(works: [Bool]) async throws {
        let checks = works.map { works in HealthCheck("database") { if !works { throw Broken() } } }
        let monitor = HealthMonitor(checks, explains: false, logger: .current)
        monitor.serverChanged(to: .serving)
        let report = await monitor.report()
        #expect(report.status == .unavailable && report.checks == ["database": .failed])
    }

    @Test(.quietLog) func `production does not say why`() async throws {
        let monitor = HealthMonitor([HealthCheck("x") { throw Broken() }], explains: false, logger: .current)
        monitor.serverChanged(to: .serving)
        let report = await monitor.report()
        #expect(report.status == .unavailable && report.errors == nil)
    }

    /// A check that waits until it is let go.
    @Test(.quietLog) func `those who ask while a run is under way share it, and its report is good for a second`()
        async throws
    {
        let runs = Atomic(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let time = Mutex(ContinuousClock.now)
        let check = HealthCheck("slow") {
            runs.add(1, ordering: .relaxed)
            for await _ in gate { break }
        }
        let monitor = HealthMonitor(
            [check], explains: true, logger: .current, now: { time.withLock { $0 } },
            sleep: { _ in await Self.forever() })
        monitor.serverChanged(to: .serving)
        async let first = monitor.report()
        async let second = monitor.report()
        open.yield()
        #expect(await first.status == .ready)
        #expect(await second.status == .ready)
        #expect(runs.load(ordering: .relaxed) == 1)
        #expect(await monitor.report().status == .ready)
        #expect(runs.load(ordering: .relaxed) == 1)
        time.withLock { $0 += .seconds(1) }
        #expect(monitor.reportNow() == nil)
        open.yield()
        #expect(await monitor.report().status == .ready)
        #expect(runs.load(ordering: .relaxed) == 2)
    }

    /// Returns only when its task is cancelled.
    private static func forever() async {
        let (never, source) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        withExtendedLifetime(source) {}
    }

    @Test(.quietLog) func `a check that takes too long is late, and does not begin again beside itself`() async throws {
        let runs = Atomic(0)
        let begun = Latch()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let check = HealthCheck("hangs", timeout: .seconds(3)) {
            runs.add(1, ordering: .relaxed)
            begun.open()
            // Deaf to being cancelled.
            await Task.detached { for await _ in gate { break } }.value
        }
        let run = HealthRun(
            check,
            sleep: {
                #expect($0 == .seconds(3))
                await begun.wait()
            })
        #expect(await run.result().state == .late)
        #expect(await run.result().error == "It still hangs.")
        #expect(runs.load(ordering: .relaxed) == 1)
        open.yield()
    }

    @Test(.quietLog) func `a server that starts or drains is not ready`() async throws {
        let app = try Application { _ in }
        let client = TestClient(app)
        let request = { try await app.respondEitherWay(to: Request(.get, "/health/ready")) }
        #expect(try await request().status == .serviceUnavailable)
        let connection = try await client.connect()
        defer { connection.close() }
        #expect(try await client.get("/health/ready").status == .ok)
        app.serverChanged(to: .draining)
        let response = try await client.get("/health/ready")
        #expect(response.status == .serviceUnavailable)
        #expect(response.text == #"{"checks":{},"status":"draining"}"#)
        #expect(try await client.get("/health/live").status == .ok)
    }

    private struct Pool: HealthReporting {
        var healthChecks: [HealthCheck] { [HealthCheck("pool") {}] }
        func start() async throws {}
        func stop() async {}
    }

    @Test(.quietLog) func `services bring their checks`() async throws {
        let client = try client([HealthCheck("mail") {}], services: [Pool()])
        #expect(
            try await client.get("/health/ready").text == #"{"checks":{"mail":"ok","pool":"ok"},"status":"ready"}"#)
    }

    @Test(.quietLog) func `probes pass the host allow-list`() async throws {
        let app = try Application(middleware: [AllowedHosts(["example.com"])]) { routes in
            routes.get(Path("/")) { _ in "home" }
        }
        let client = TestClient(app, host: "elsewhere.example")
        #expect(try await client.get("/").status == .misdirectedRequest)
        #expect(try await client.get("/health/ready").status == .ok)
    }

    @Test(.quietLog) func `an application's own route has precedence`() async throws {
        let app = try Application { routes in routes.get(Path("/health/live")) { _ in "mine" } }
        #expect(try await TestClient(app).get("/health/live").text == "mine")
    }

    @Test(.quietLog) func `free space of a folder`() async throws {
        try await HealthCheck.diskSpace("/", atLeast: 1).body()
        await #expect(throws: HealthFailure.self) { try await HealthCheck.diskSpace("/", atLeast: .max).body() }
        await #expect(throws: HealthFailure.self) { try await HealthCheck.diskSpace("/no/such/folder").body() }
    }

    @Test(arguments: [(UInt64(0), UInt64(0), true), (40, 1, true), (40, 0, false)])
    func `a disk needs room for files, where it tells of their number`(most: UInt64, left: UInt64, isEnough: Bool) {
        var facts = statvfs()
        facts.f_frsize = 4096
        facts.f_bavail = 100
        facts.f_files = fsfilcnt_t(most)
        facts.f_favail = fsfilcnt_t(left)
        #expect((HealthCheck.lack(facts, atLeast: 4096) == nil) == isEnough)
        #expect(HealthCheck.lack(facts, atLeast: 1 << 30) == "409600 bytes left, below 1073741824")
    }
}
