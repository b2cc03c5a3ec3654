import Glibc
import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("Work that blocks", .timeLimit(.minutes(5)))
struct OffloadTests {
    private func configuration(threads: Int, queue: Int) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.offloadThreads = threads
        configuration.maximumOffloadQueue = queue
        return configuration
    }

    @Test func `it runs off the loop, and its caller resumes on it`() async throws {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ in
                let loop = EventLoop.current
                let isOnLoop = try await offload { EventLoop.current != nil }
                return "\(isOnLoop) \(loop != nil && EventLoop.current === loop)"
            }
        }
        #expect(try await client.get("/").text == "false true")
    }

    @Test func `what it throws is thrown`() async throws {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ in try await offload { () -> String in throw HTTPError(.conflict) } }
        }
        #expect(try await client.get("/").status == .conflict)
    }

    @Test func `the loop serves others meanwhile, and too much work is 503 with Retry-After`() async throws {
        let gate = Gate()
        let client = try Probe.client(configuration(threads: 1, queue: 1)) { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/work")) { _ in
                try await offload { gate.pass() }
                return "done"
            }
            // The server's own checks do not wait behind the application's work.
            routes.get(Path("/disk")) { _ in
                try await HealthCheck.diskSpace("/tmp", atLeast: 1).body()
                return "room"
            }
        }
        let connections = [try await client.connect(), try await client.connect()]
        for connection in connections { try await connection.send(get("/work")) }
        #expect(try await client.get("/").text == "ok")
        let refusal = try await client.get("/work")
        #expect(refusal.status == .serviceUnavailable)
        #expect(refusal.headers[.retryAfter] == "1")
        #expect(try await client.get("/disk").text == "room")
        gate.open()
        for connection in connections { #expect(try await connection.readResponse().text == "done") }
        #expect(try await client.get("/work").text == "done")
    }

    @Test func `work that nobody waits for any more never begins`() async throws {
        let gate = Gate()
        let pool = BlockingPool(threads: 1, queue: 5)
        let hasBegun = Latch()
        let first = Task { try await pool.run { gate.pass() } }
        await gate.isReached()
        let second = Task { try await pool.run { hasBegun.open() } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        try await first.value
        try await pool.run {}
        #expect(!hasBegun.isOpen)
        pool.stop()
    }

    @Test func `work for which no thread can be started fails, and the next work tries again`() async throws {
        let canStart = Latch()
        let pool = BlockingPool(threads: 2, queue: 5) { body throws(SystemError) in
            guard canStart.isOpen else { throw SystemError("pthread_create", code: EAGAIN) }
            try LoopThread(name: "test-offload", body).detach()
        }
        for _ in 0..<2 { await #expect(throws: SystemError.self) { try await pool.run {} } }
        canStart.open()
        #expect(try await pool.run { 1 } == 1)
        pool.stop()
    }

    @Test(.quietLog) func `a request for which no thread can be started may be tried again`() async throws {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ -> String in throw SystemError("pthread_create", code: EAGAIN) }
            routes.get(Path("/other")) { _ -> String in throw SystemError("eventfd", code: EMFILE) }
        }
        let refusal = try await client.get("/")
        #expect(refusal.status == .serviceUnavailable)
        #expect(refusal.headers[.retryAfter] == "1")
        #expect(try await client.get("/other").status == .internalServerError)
    }

    @Test func `if one thread works, another that cannot be started causes no error`() async throws {
        let gate = Gate()
        let hasStarted = Latch()
        let pool = BlockingPool(threads: 2, queue: 5) { body throws(SystemError) in
            guard !hasStarted.isOpen else { throw SystemError("pthread_create", code: EAGAIN) }
            hasStarted.open()
            try LoopThread(name: "test-offload", body).detach()
        }
        async let first: Void = pool.run { gate.pass() }
        await gate.isReached()
        async let second = pool.run { 2 }
        gate.open()
        try await first
        #expect(try await second == 2)
        pool.stop()
    }

    @Test func `more work than threads is all done`() async throws {
        let pool = BlockingPool(threads: 3, queue: 1000)
        let sum = try await withThrowingTaskGroup { group in
            for number in 1...1000 { group.addTask { try await pool.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 500_500)
        pool.stop()
    }
}
