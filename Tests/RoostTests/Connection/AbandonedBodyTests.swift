import Glibc
import RoostTesting
import Synchronization
import Testing

@testable import Roost

/// Bodies that are read by a task that nobody waits for, or no longer.
@Suite("Bodies whose readers are left behind", .timeLimit(.minutes(5)))
struct AbandonedBodyTests {
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"

    private func server(_ declare: @escaping (Routes) -> Void) async throws -> InProcessServer {
        let application = try Application(middleware: [], routes: declare)
        return try await InProcessServer(application.configuration, application, logger: application.logger)
    }

    private func connect(to server: InProcessServer) async throws -> HTTPConnection {
        HTTPConnection(descriptor: try await server.connect(), host: "a", timeout: .seconds(60), server: server)
    }

    @Test func `a reader that is cancelled waits no longer`() async throws {
        let server = try await server { routes in
            routes.post(Path("/"), body: .streamed) { request -> String in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await request.body.collect(upTo: 100) }
                    await Task.yield()
                    throw HTTPError(.conflict)
                }
            }
        }
        let connection = try await connect(to: server)
        try await connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        #expect(try await connection.readResponse().status == .conflict)
    }

    @Test func `a reader is told when its request has had its response`() async throws {
        let ended = Latch()
        let server = try await server { routes in
            routes.post(Path("/"), body: .streamed) { request in
                Task(executorPreference: EventLoop.current) {
                    do { for try await _ in request.body.chunks {} } catch { ended.open() }
                }
                for _ in 0..<3 { await Task.yield() }
                return "done"
            }
        }
        let connection = try await connect(to: server)
        try await connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        #expect(try await connection.readResponse().text == "done")
        await ended.wait()
    }

    @Test func `a client that does not take the response has no more time because of a body`() async throws {
        let server = try await server { routes in
            routes.post(Path("/"), body: .streamed) { request in
                Task(executorPreference: EventLoop.current) { for try await _ in request.body.chunks {} }
                for _ in 0..<3 { await Task.yield() }
                return Response(
                    body: Body(
                        stream: AsyncThrowingStream<[UInt8], any Error> { [UInt8](repeating: 0x61, count: 65_536) }))
            }
        }
        let connection = try await connect(to: server)
        try await connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n")
        while await server.unsentCount() == 0 { try await turn() }
        for _ in 0..<31 { await server.passSecond() }
        #expect(await server.connectionCount() == 0)
    }

    @Test func `a client that goes before its handler first waits has it cancelled`() async throws {
        let gate = Gate()
        let answered = Latch()
        let wasCancelled = Mutex([Bool]())
        let server = try await server { routes in
            routes.get(Path("/gate")) { _ in
                gate.pass()
                return "open"
            }
            routes.post(Path("/"), body: .streamed) { request in
                do { for try await _ in request.body.chunks {} } catch {
                    // Otherwise, its error would be a mistake for the log.
                    wasCancelled.withLock { $0.append(Task.isCancelled) }
                    await Task.yield()
                    wasCancelled.withLock { $0.append(Task.isCancelled) }
                    answered.open()
                }
                return "nobody"
            }
        }
        let blocking = try await connect(to: server)
        let gone = try await connect(to: server)
        try await blocking.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        await gate.isReached()
        try await gone.send(Self.head)
        gone.close()
        gate.open()
        await answered.wait()
        #expect(wasCancelled.withLock { $0 } == [true, true])
    }
}
