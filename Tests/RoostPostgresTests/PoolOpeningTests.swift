import Logging
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostPostgres

/// The opening of a pool's connections, with fake ones and a clock that stands still.
@Suite(.timeLimit(.minutes(5)))
struct PoolOpeningTests {
    @Test func `after a failure callers fail at once, and the next attempt comes in its time`()
        async throws
    {
        let log = LogLines(.trace)
        let bench = PoolBench(connections: 2, logger: log.logger)
        bench.refuse(true)
        for expected in [1, 1, 1] {
            let error = await #expect(throws: DatabaseError.self) { try await bench.take() }
            #expect(text(error).contains("refused"))
            #expect(bench.opened == expected)
        }
        let again = "the next attempt is possible in 0.075 seconds."
        #expect(log.all == ["The database cannot be reached: refused; \(again)"])
        bench.pass(seconds: 1)
        await #expect(throws: DatabaseError.self) { try await bench.take() }
        #expect(bench.opened == 2)
        bench.refuse(false)
        bench.pass(seconds: 1)
        bench.pool.giveBack(try await bench.take())
        #expect(log.all.last == "The database can be reached again.")
    }

    @Test func `a loop that is blocked holds up nobody who waits elsewhere`() async throws {
        let bench = PoolBench(connections: 1)
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(maximumThreads: 1, maximumQueue: 1))
        let (isBlocked, end) = (Latch(), CountingSemaphore())
        bench.hold(true)
        let first = Task(executorPreference: loops.loops[0]) { try await bench.take() }
        await bench.until { $0.opening == 1 }
        await bench.untilSomebodySleeps()
        let blocking = Task(executorPreference: loops.loops[0]) {
            isBlocked.open()
            end.wait()
        }
        await isBlocked.wait()
        let second = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 2 }
        bench.pass(seconds: 6)
        await #expect(throws: DatabaseError.self) { try await second.value }
        let third = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        bench.hold(false)
        bench.pool.giveBack(try await third.value)
        end.post()
        await #expect(throws: DatabaseError.self) { try await first.value }
        await blocking.value
        loops.stop()
    }

    @Test func `those that are lost again and again are opened anew no faster than ten a second`() async throws {
        let bench = PoolBench(connections: 1)
        for expected in 1...11 {
            let entry = try await bench.take()
            #expect(bench.opened == expected)
            entry.connection.dies()
            bench.pool.giveBack(entry)
        }
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        #expect(bench.opened == 11)
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 1)
        bench.pool.giveBack(try await task.value)
        #expect(bench.opened == 12)
    }

    @Test func `some are opened at once, then one in a tenth of a second, and rest adds up`() {
        var rate = OpeningRate()
        var now = ContinuousClock.now
        func taken(_ rate: inout OpeningRate) -> Int { (0..<100).filter { _ in rate.take(now, burst: 5) }.count }
        #expect(taken(&rate) == 5)
        now += .milliseconds(99)
        #expect(taken(&rate) == 0)
        now += .milliseconds(1)
        #expect(taken(&rate) == 1)
        now += .milliseconds(300)
        #expect(taken(&rate) == 3)
        now += .seconds(3600)
        #expect(taken(&rate) == 5)
    }

    @Test func `attempts that were made together fail together, and count as one`() {
        let timing = PoolTiming(random: { 0 })
        var state = PoolState<PoolBench.Connection>()
        var delays: [Duration] = []
        for attempts in [3, 1, 2] {
            state.opening = attempts
            for _ in 0..<attempts { delays.append(state.failed(.unavailable("refused"), timing)) }
        }
        #expect(delays == [100, 100, 100, 200, 200, 400].map { .milliseconds($0) })
    }

    @Test func `attempts wait longer and longer, up to ten seconds, and not all equally long`() {
        let delays = (1...10).map { Backoff.delay(failures: $0, random: 0) }
        #expect(delays.prefix(4) == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
        #expect(delays.last == .seconds(10))
        #expect(Backoff.delay(failures: .max, random: 0) == .seconds(10))
        #expect(Backoff.delay(failures: 2, random: 1) == .milliseconds(100))
    }
}
