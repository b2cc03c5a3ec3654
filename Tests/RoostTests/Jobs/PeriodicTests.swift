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
        every interval: Duration = .minutes(1), lock: (any JobLock)? = nil, runsAtStart: Bool = false,
        _ work: @escaping @Sendable () async throws -> Void = {}
    ) -> Periodic {
        let (clock, run) = (clock, run)
        return Periodic(
            "test", every: interval, lock: lock, runsAtStart: runsAtStart, clock: clock, logger: log.logger
        ) {
            run.yield(clock.now.offset)
            try await work()
        }
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

    // MARK: With a lock

    /// A lock in memory that does as it is told.
    private final class Lock: JobLock {
        let lease = Duration.seconds(30)
        let claims: Mutex<[JobClaim]>
        /// The number of times that giving a claim back fails from now on.
        let failures = Atomic(0)
        let holds = Atomic(true)
        let calls: AsyncStream<String>
        private let call: AsyncStream<String>.Continuation

        init(_ claims: [JobClaim]) {
            self.claims = Mutex(claims)
            (calls, call) = AsyncStream.makeStream()
        }

        func claim(_ job: String, every interval: Duration) throws -> JobClaim {
            try claims.withLock { claims in
                guard !claims.isEmpty else { throw Failure() }
                return claims.removeFirst()
            }
        }

        func renew(_ lease: JobLease) -> Bool {
            call.yield("renew \(lease.token)")
            return holds.load(ordering: .relaxed)
        }

        func release(_ lease: JobLease) throws {
            let count = failures.load(ordering: .relaxed)
            if count > 0 {
                failures.store(count - 1, ordering: .relaxed)
                throw Failure()
            }
            call.yield("release \(lease.token)")
        }
    }

    private static func granted(_ token: String) -> JobClaim {
        .granted(JobLease(job: "test", token: token, interval: .minutes(1)))
    }

    @Test func `with a lock it runs when the lock says so`() async throws {
        let lock = Lock([.later(.seconds(20)), Self.granted("a"), .later(.seconds(40)), Self.granted("b")])
        let client = try await serve(job(lock: lock))
        var times = runs.makeAsyncIterator()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(20))
        #expect(await times.next() == .seconds(20))
        var calls = lock.calls.makeAsyncIterator()
        #expect(await calls.next() == "release a")
        await clock.waitForSleepers()
        clock.advance(by: .seconds(40))
        #expect(await times.next() == .seconds(60))
        #expect(await calls.next() == "release b")
        // The lock has nothing more to say, which is logged; the job asks again later.
        await clock.waitForSleepers()
        try await client.stop()
        #expect(log.all == ["The job test cannot be claimed: no disk\\u{a}left"])
    }

    @Test func `a claim that fails is made again soon, not after an interval`() async throws {
        let lock = Lock([.later(.hours(24))])
        let client = try await serve(job(every: .hours(24), lock: lock))
        var times = runs.makeAsyncIterator()
        await clock.waitForSleepers()
        clock.advance(by: .hours(24))
        var now = Duration.hours(24)
        for delay in [1, 2, 4, 8, 16, 32, 64, 64] {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(delay))
            now += .seconds(delay)
        }
        await clock.waitForSleepers()
        lock.claims.withLock { $0 = [Self.granted("a"), .later(.hours(24))] }
        clock.advance(by: .seconds(64))
        #expect(await times.next() == now + .seconds(64))
        try await client.stop()
        #expect(log.all.count == 9)
    }

    @Test func `a claim that cannot be given back is given back later, and the job is not run again`() async throws {
        let lock = Lock([Self.granted("a"), .later(.hours(24))])
        lock.failures.store(2, ordering: .relaxed)
        let client = try await serve(job(every: .hours(24), lock: lock))
        var times = runs.makeAsyncIterator()
        #expect(await times.next() == .zero)
        for delay in [1, 2] {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(delay))
        }
        var calls = lock.calls.makeAsyncIterator()
        #expect(await calls.next() == "release a")
        try await client.stop()
        #expect(
            log.all == Array(repeating: "The job test cannot give its claim back: no disk\\u{a}left", count: 2))
    }

    @Test func `it asks again within an interval`() async throws {
        let lock = Lock([.later(.hours(24)), Self.granted("a"), .later(.hours(24))])
        let client = try await serve(job(lock: lock))
        var times = runs.makeAsyncIterator()
        await clock.waitForSleepers()
        clock.advance(by: .minutes(1))
        #expect(await times.next() == .minutes(1))
        try await client.stop()
    }

    @Test func `a long run renews its claim, and is cancelled when that is lost`() async throws {
        let lock = Lock([Self.granted("a"), .later(.hours(1))])
        let latch = Latch()
        // A wait at a latch ends when its task is cancelled.
        let client = try await serve(job(lock: lock) { await latch.wait() })
        var calls = lock.calls.makeAsyncIterator()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(await calls.next() == "renew a")
        await clock.waitForSleepers()
        lock.holds.store(false, ordering: .relaxed)
        clock.advance(by: .seconds(10))
        #expect(await calls.next() == "renew a")
        #expect(await calls.next() == "release a")
        try await client.stop()
        #expect(
            log.all == ["The job test took so long that another instance may run it: it is cancelled."])
    }

    @Test func `when the application ends, the claim is given back`() async throws {
        let lock = Lock([Self.granted("a")])
        let client = try await serve(job(lock: lock) { try await EventLoop.current?.sleep(for: .hours(1)) })
        var times = runs.makeAsyncIterator()
        #expect(await times.next() == .zero)
        try await client.stop()
        var calls = lock.calls.makeAsyncIterator()
        #expect(await calls.next() == "release a")
        #expect(log.all == [])
    }
}
