import Roost
import RoostTesting
import Synchronization
import Testing

@Suite("Periodic jobs", .timeLimit(.minutes(5)))
struct PeriodicTests {
    private let clock = TestClock()
    private let log = LogLines()
    private let runs: AsyncStream<Duration>
    private let run: AsyncStream<Duration>.Continuation

    init() { (runs, run) = AsyncStream.makeStream() }

    /// A client of an application with one job; the job runs when the application starts.
    private func serve(_ job: Periodic) async throws -> TestClient {
        let client = TestClient(try Application(services: [job], middleware: []) { $0.get(Path("/")) { _ in "ok" } })
        #expect(try await client.get("/").text == "ok")
        return client
    }

    private func job(
        every interval: Duration = .minutes(1), runsAtStart: Bool = false,
        _ work: @escaping @Sendable () async throws -> Void = {}
    ) -> Periodic {
        let (clock, run) = (clock, run)
        return Periodic("test", every: interval, runsAtStart: runsAtStart, clock: clock, logger: log.logger) {
            run.yield(clock.now.offset)
            try await work()
        }
    }

    @Test func `it goes by the clock of its application`() async throws {
        let run = run
        let job = withClock(clock) { Periodic("test", every: .minutes(1), logger: log.logger) { run.yield(.zero) } }
        let client = try await serve(job)
        var times = runs.makeAsyncIterator()
        await clock.waitForSleepers()
        clock.advance(by: .minutes(1))
        #expect(await times.next() == .zero)
        try await client.stop()
    }

    @Test func `it runs at multiples of the interval`() async throws {
        let client = try await serve(job())
        var times = runs.makeAsyncIterator()
        for minute in 1...3 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(59))
            clock.advance(by: .seconds(1))
            #expect(await times.next() == .minutes(minute))
        }
        try await client.stop()
        #expect(log.all == [])
    }

    @Test func `runs do not overlap, and times that pass during one are left out`() async throws {
        let latch = Latch()
        let client = try await serve(job(runsAtStart: true) { await latch.wait() })
        var times = runs.makeAsyncIterator()
        #expect(await times.next() == .zero)
        clock.advance(by: .seconds(150))
        latch.open()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(await times.next() == .seconds(180))
        try await client.stop()
    }

    private struct Failure: Error, CustomStringConvertible { let description = "no disk\nleft" }

    @Test func `a failure is logged on one line, and the next run comes`() async throws {
        let client = try await serve(job { throw Failure() })
        var times = runs.makeAsyncIterator()
        for minute in 1...2 {
            await clock.waitForSleepers()
            clock.advance(by: .minutes(1))
            #expect(await times.next() == .minutes(minute))
        }
        await clock.waitForSleepers()
        try await client.stop()
        #expect(log.allWithLevels == Array(repeating: "error The job test failed: no disk\\u{a}left", count: 2))
    }

    @Test func `stopping cancels a run, and waits for it`() async throws {
        let ended = Atomic(false)
        let client = try await serve(
            job(runsAtStart: true) {
                defer { ended.store(true, ordering: .relaxed) }
                try await EventLoop.current?.sleep(for: .hours(1))
            })
        var times = runs.makeAsyncIterator()
        #expect(await times.next() == .zero)
        try await client.stop()
        let hasEnded = ended.load(ordering: .relaxed)
        #expect(hasEnded)
        #expect(log.all == [])
    }

    @Test func `stopping ends the wait`() async throws {
        let client = try await serve(job(every: .hours(24)))
        await clock.waitForSleepers()
        try await client.stop()
        #expect(log.all == [])
    }

    @Test func `it runs on the first event loop`() async throws {
        let (loops, loop) = AsyncStream<Bool>.makeStream()
        let client = try await serve(job(runsAtStart: true) { loop.yield(EventLoop.current != nil) })
        var there = loops.makeAsyncIterator()
        #expect(await there.next() == true)
        try await client.stop()
    }

    @Test func `no interval stops the start`() async throws {
        let client = TestClient(try Application(services: [job(every: .zero)], middleware: []) { _ in })
        let error = await #expect(throws: StartError.self) { try await client.get("/") }
        #expect("\(error as Any)".contains("The job test runs every 0.0 seconds: let it be at least a millisecond."))
    }
}
