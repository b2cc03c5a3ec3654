import Glibc
import RoostTesting
import Testing

@testable import Roost

@Suite("The start of a service", .timeLimit(.minutes(5)))
struct ServiceStartTests {
    /// A service that starts when a test lets it.
    private struct Slow: Service {
        let gate = Latch()

        func start() async { await gate.wait() }
        func stop() async {}
    }

    @Test func `one that does not return is named in the log`() async throws {
        let (slow, log) = (Slow(), LogLines())
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.abandon() }
        let loop = loops.loops[0]
        let start = Task {
            try await RunningServices([slow], on: loop, patience: .milliseconds(1), logger: log.logger)
        }
        while log.all.isEmpty { try await turn() }
        slow.gate.open()
        let services = try await start.value
        await services.stop()
        #expect(log.all.count == 1)
        #expect(log.all.first?.hasPrefix("The service Slow has not started for 0.001 seconds: ") == true)
    }

    /// A service that blocks the loop until it is named.
    private struct Blocking: Service {
        let log: LogLines

        func start() { while log.all.isEmpty { sched_yield() } }
        func stop() async {}
    }

    @Test func `one that blocks the loop is named, too`() async throws {
        let log = LogLines()
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.abandon() }
        let services = try await RunningServices(
            [Blocking(log: log)], on: loops.loops[0], patience: .milliseconds(1), logger: log.logger)
        await services.stop()
        #expect(log.all.first?.hasPrefix("The service Blocking has not started for 0.001 seconds: ") == true)
    }
}
