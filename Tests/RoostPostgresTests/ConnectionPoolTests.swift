import Logging
import Processes
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostPostgres

/// The pool's rules, with fake connections and a clock that stands still.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionPoolTests {
    @Test func `no more are opened than allowed, and waiting callers are served in order`() async throws {
        let bench = PoolBench(connections: 2)
        let first = try await bench.take()
        let second = try await bench.take()
        #expect(bench.opened == 2)
        let order = LogLines(.trace)
        try await withThrowingTaskGroup { group in
            for number in 1...5 {
                group.addTask {
                    let entry = try await bench.take()
                    order.logger.info("\(number)")
                    bench.pool.giveBack(entry)
                }
                await bench.until { $0.waitingCount == number }
            }
            bench.pool.giveBack(first)
            try await group.waitForAll()
        }
        bench.pool.giveBack(second)
        #expect(order.all == ["1", "2", "3", "4", "5"])
        #expect(bench.opened == 2)
    }

    @Test func `as many as there can be may be allowed`() async throws {
        let configuration = PostgresConfiguration(maximumConnections: .max)
        let limits = ConnectionPool<PoolBench.Connection>.Limits(configuration)
        let bench = PoolBench(connections: limits.connections)
        bench.pool.giveBack(try await bench.take())
        #expect(bench.opened == 1)
    }

    @Test func `it tells how much of it is in use`() async throws {
        let bench = PoolBench(connections: 2)
        let first = try await bench.take()
        let second = try await bench.take()
        let third = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        #expect(bench.pool.use == SQLUse(busy: 2, idle: 0, limit: 2, waiting: 1))
        bench.pool.giveBack(first)
        bench.pool.giveBack(try await third.value)
        #expect(bench.pool.use == SQLUse(busy: 1, idle: 1, limit: 2, waiting: 0))
        bench.pool.giveBack(second)
    }

    @Test func `a caller that waits too long gets an error, and the next one does not`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let early = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 3)
        let late = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 2 }
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 3)
        let error = await #expect(throws: DatabaseError.self) { try await early.value }
        #expect(text(error).contains("all 1 connections stayed busy"))
        bench.pool.giveBack(entry)
        bench.pool.giveBack(try await late.value)
    }

    @Test func `a patient caller waits until its own deadline`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let end = bench.now + .seconds(30)
        let patient = Task { try await bench.pool.take(until: end, isPatient: true) }
        await bench.until { $0.waitingCount == 1 }
        let other = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 2 }
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 6)
        await #expect(throws: DatabaseError.self) { try await other.value }
        bench.pool.giveBack(entry)
        bench.pool.giveBack(try await patient.value)
    }

    @Test func `a caller that waits while none can be opened learns that`() async throws {
        let bench = PoolBench(connections: 2)
        bench.hold(true)
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 6)
        let error = await #expect(throws: DatabaseError.self) { try await task.value }
        #expect(text(error).contains("no connection could be opened for as long as a caller may wait"))
        bench.hold(false)
    }

    @Test func `a statement's own deadline ends the wait sooner`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let task = Task { try await bench.take(within: .seconds(1)) }
        await bench.until { $0.waitingCount == 1 }
        await bench.untilSomebodySleeps()
        bench.pass(seconds: 2)
        await #expect(throws: DatabaseError.self) { try await task.value }
        bench.pool.giveBack(entry)
    }

    @Test func `a caller beyond the limit is refused at once`() async throws {
        let bench = PoolBench(connections: 1, waiting: 1)
        let entry = try await bench.take()
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        let error = await #expect(throws: DatabaseError.self) { try await bench.take() }
        #expect(text(error).contains("1 callers are already waiting"))
        bench.pool.giveBack(entry)
        bench.pool.giveBack(try await task.value)
    }

    @Test func `a caller that is cancelled leaves the queue`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        bench.pool.giveBack(entry)
        #expect(bench.pool.state.withLock { $0.idleCount } == 1)
    }

    @Test func `one that comes back while somebody decides to wait is not waited for`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        bench.pool.giveBack(entry)
        let same = try await bench.pool.wait(until: bench.now + .seconds(1), bench.now)
        #expect(same.connection === entry.connection)
        bench.pool.giveBack(same)
        same.connection.dies()
        let other = try await bench.pool.wait(until: bench.now + .seconds(1), bench.now)
        #expect(other.connection !== entry.connection)
        bench.pool.giveBack(other)
    }

    @Test func `after a caller was cancelled before it waited, deadlines are still checked`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        bench.pass(seconds: 1)
        await bench.until { !$0.isSweeping }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await bench.take()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let late = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        let clock = bench.runClock()
        await #expect(throws: DatabaseError.self) { try await late.value }
        clock.cancel()
        bench.pool.giveBack(entry)
    }

    @Test func `a dead or old connection is replaced before anybody gets it`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        bench.pool.giveBack(entry)
        entry.connection.dies()
        let second = try await bench.take()
        #expect(second.connection !== entry.connection)
        bench.pool.giveBack(second)
        bench.pass(seconds: 1_000)
        let third = try await bench.take()
        #expect(third.connection !== second.connection)
        bench.pool.giveBack(third)
        #expect(bench.opened == 3)
    }

    @Test func `one that comes back old is not handed to a waiting caller`() async throws {
        let bench = PoolBench(connections: 1)
        let old = try await bench.take()
        bench.pass(seconds: 998)
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        bench.pass(seconds: 3)
        bench.pool.giveBack(old)
        let new = try await task.value
        #expect(new.connection !== old.connection)
        #expect(bench.opened == 2)
        bench.pool.giveBack(new)
    }

    @Test func `lifetimes differ by a tenth more or less`() async throws {
        for (dice, lifetime) in [(0.0, Int64(900)), (0.5, 1_000), (1.0, 1_100)] {
            let bench = PoolBench(connections: 1, dice: dice)
            let entry = try await bench.take()
            #expect((entry.expires - bench.now + .milliseconds(1)).components.seconds == lifetime)
            bench.pool.giveBack(entry)
        }
    }

    @Test func `one that comes back unclean is made clean, or closed`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        entry.connection.gets(dirty: true)
        await bench.pool.giveBackRecovered(entry)
        let again = try await bench.take()
        #expect(again.connection === entry.connection)
        again.connection.dies()
        bench.pool.giveBack(again)
        let other = try await bench.take()
        #expect(other.connection !== entry.connection)
        bench.pool.giveBack(other)
    }

    @Test func `connections that nobody uses for long are closed`() async throws {
        let bench = PoolBench(connections: 2)
        let entries = [try await bench.take(), try await bench.take()]
        for entry in entries { bench.pool.giveBack(entry) }
        bench.pass(seconds: 99)
        bench.pool.giveBack(try await bench.take())
        bench.pass(seconds: 2)
        bench.pool.reap()
        #expect(bench.pool.state.withLock { ($0.idleCount, $0.count) } == (1, 1))
    }

    @Test func `a closed pool refuses callers, including those that wait`() async throws {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let task = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        let closing = Task { await bench.pool.close() }
        await #expect(throws: DatabaseError.self) { try await task.value }
        bench.pool.giveBack(entry)
        let clock = bench.runClock()
        await closing.value
        clock.cancel()
        await #expect(throws: DatabaseError.self) { try await bench.take() }
        #expect(bench.pool.state.withLock { $0.count } == 0)
    }

    @Test func `opened again after the loop that checked deadlines has ended, it uses another one`()
        async throws
    {
        let bench = PoolBench(connections: 1)
        let entry = try await bench.take()
        let waiting = Task { try await bench.take() }
        while bench.sleeperCount == 0 { try await turn() }
        let lost = bench.loseSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        bench.pool.giveBack(entry)
        await bench.pool.close()
        bench.pool.reopen()
        let again = try await bench.take()
        let late = Task { try await bench.take() }
        await bench.until { $0.waitingCount == 1 }
        let clock = bench.runClock()
        await #expect(throws: DatabaseError.self) { try await late.value }
        clock.cancel()
        bench.pool.giveBack(again)
        for sleeper in lost { sleeper.resume() }
    }
}
