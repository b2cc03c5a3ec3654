import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("A loop that is blocked", .timeLimit(.minutes(5)))
struct WatchdogTests {
    private let reports = Reports()

    private final class Reports: Sendable {
        let list = Mutex<[[String]]>([])

        var all: [[String]] { list.withLock { $0 } }

        /// How long a thread has waited for a processor.
        final class Delay: Sendable {
            let time = Mutex(Duration.seconds(7))
        }
    }

    private func server(_ declare: @escaping (Routes) -> Void) async throws -> (InProcessServer, LoopWatchdog) {
        try await server(running: Probe.application { declare($0) })
    }

    private func server(running application: Application) async throws -> (InProcessServer, LoopWatchdog) {
        let server = try await InProcessServer(application.configuration, application, logger: application.logger)
        let reports = reports
        let watchdog = server.makeWatchdog(threshold: .milliseconds(100)) { _, routes in
            reports.list.withLock { $0.append(RoutePattern.texts(at: routes)) }
        }
        return (server, watchdog)
    }

    @Test func `it is logged once with its route, after the threshold`() async throws {
        let gate = Gate()
        let (server, watchdog) = try await server { routes in
            routes.get(Path("/slow/{id}", Int.self)) { _, _ in
                gate.pass()
                return "done"
            }
        }
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send("GET /slow/1?secret=2 HTTP/1.1\r\nHost: a\r\n\r\n")
        await gate.isReached()
        watchdog.look(at: .milliseconds(1000))
        watchdog.look(at: .milliseconds(1099))
        #expect(reports.all.isEmpty)
        watchdog.look(at: .milliseconds(1100))
        #expect(reports.all == [["/slow/{id}"]])
        watchdog.look(at: .milliseconds(5000))
        #expect(reports.all.count == 1)
        gate.open()
        #expect(try await connection.readResponse().text == "done")
        try await connection.send("GET /slow/1 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await connection.readResponse().text == "done")
    }

    @Test func `many things in one turn, none of which takes long, are not one that blocks`() throws {
        let loop = try EventLoop()
        let reports = reports
        let watchdog = LoopWatchdog([loop], threshold: .milliseconds(100)) { _, routes in
            reports.list.withLock { $0.append(RoutePattern.texts(at: routes)) }
        }
        for number in 0..<100 {
            loop.activity.work()
            watchdog.look(at: .milliseconds(60 * number))
        }
        #expect(reports.all.isEmpty)
        watchdog.look(at: .milliseconds(60 * 99 + 100))
        #expect(reports.all.count == 1)
    }

    @Test func `the time in which its thread had no processor does not count`() throws {
        let loop = try EventLoop()
        let reports = reports
        let delay = Reports.Delay()
        let report: LoopWatchdog.Report = { _, _ in reports.list.withLock { $0.append([]) } }
        let watchdog = LoopWatchdog([loop], threshold: .milliseconds(100), report) { _ in delay.time.withLock { $0 } }
        loop.activity.work()
        watchdog.look(at: .milliseconds(0))
        delay.time.withLock { $0 = .milliseconds(7060) }
        watchdog.look(at: .milliseconds(100))
        watchdog.look(at: .milliseconds(159))
        #expect(reports.all.isEmpty)
        watchdog.look(at: .milliseconds(160))
        #expect(reports.all.count == 1)
    }

    @Test(.enabled(if: access("/proc/thread-self/schedstat", R_OK) == 0, "this kernel counts no waits for processors"))
    func `the system tells how long a loop's thread has waited for a processor`() async throws {
        let (server, _) = try await server { routes in
            routes.get(Path("/")) { _ in "\((EventLoop.current?.activity.runDelay ?? .seconds(-1)) >= .zero)" }
        }
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send(get("/"))
        #expect(try await connection.readResponse().text == "true")
        #expect(try EventLoop().activity.runDelay == nil)
    }

    @Test func `so is a handler that has waited before`() async throws {
        let gate = Gate()
        let (server, watchdog) = try await server { routes in
            routes.get(Path("/later")) { _ in
                await Task.yield()
                gate.pass()
                return "done"
            }
        }
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        for round in 1...2 {
            try await connection.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
            if round == 1 {
                await gate.isReached()
                watchdog.look(at: .milliseconds(0))
                watchdog.look(at: .milliseconds(100))
                #expect(reports.all == [["/later"]])
                gate.open()
            }
            #expect(try await connection.readResponse().text == "done")
        }
    }

    @Test func `a request that gets its response on the spot after one that waited is not remembered`() async throws {
        let gate = Gate()
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/later")) { _ in
                await Task.yield()
                return "later"
            }
            routes.get(Path("/now")) { _ in
                // Blocks the loop after this request has had its response.
                EventLoop.current?.execute { gate.pass() }
                return "now"
            }
        }
        let (server, watchdog) = try await server(running: application)
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send(get("/later") + get("/now"))
        await gate.isReached()
        watchdog.look(at: .milliseconds(0))
        watchdog.look(at: .milliseconds(100))
        #expect(reports.all == [[]])
        gate.open()
        #expect(try await connection.readResponse().text == "later")
        #expect(try await connection.readResponse().text == "now")
    }

    /// A route whose handler lets a closure block the loop after its own response.
    private func blockLater(_ routes: Routes, _ gate: Gate) {
        routes.get(Path("/now")) { _ in
            EventLoop.current?.execute { gate.pass() }
            return "now"
        }
    }

    private func expectNobody(_ connection: HTTPConnection, _ gate: Gate, _ watchdog: LoopWatchdog) async throws {
        try await connection.send(get("/now"))
        await gate.isReached()
        watchdog.look(at: .milliseconds(0))
        watchdog.look(at: .milliseconds(100))
        #expect(reports.all == [[]])
        gate.open()
        #expect(try await connection.readResponse().text == "now")
    }

    @Test func `a response that waited while it was sent is not remembered`() async throws {
        let gate = Gate()
        let application = try Application(middleware: []) { routes in
            routes.get(Path("/slowly")) { _ in
                let pieces = AsyncThrowingStream<[UInt8], any Error> { source in
                    Task {
                        for _ in 0..<3 {
                            source.yield([1])
                            await Task.yield()
                        }
                        source.finish()
                    }
                }
                return Response(body: Body(stream: pieces))
            }
            blockLater(routes, gate)
        }
        let (server, watchdog) = try await server(running: application)
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await connection.send(get("/slowly"))
        #expect(try await connection.readResponse().body == [1, 1, 1])
        try await expectNobody(connection, gate, watchdog)
    }

    @Test func `a WebSocket that has ended is not remembered`() async throws {
        let gate = Gate()
        let ended = Latch()
        let application = try Application(middleware: []) { routes in
            routes.webSocket(Path("/chat")) { socket, _ in
                defer { ended.open() }
                for try await _ in socket {}
            }
            blockLater(routes, gate)
        }
        let (server, watchdog) = try await server(running: application)
        let first = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        let socket = try await first.webSocket("/chat")
        _ = try await socket.close()
        await ended.wait()
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        try await expectNobody(connection, gate, watchdog)
    }

    @Test func `a loop that works a little and waits is not blocked`() async throws {
        let (server, watchdog) = try await server { routes in routes.get(Path("/")) { _ in "ok" } }
        let connection = HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60))
        for time in stride(from: 0, to: 1000, by: 100) {
            // It has waited between two checks, although each of them may find it at work.
            try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await connection.readResponse().text == "ok")
            watchdog.look(at: .milliseconds(time))
        }
        #expect(reports.all.isEmpty)
    }
}
