import Engines
import FoundationEssentials
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostJobs

/// The reply to a claim is lost with its connection: the table has what was taken, and nobody runs it.
@Suite("Claims whose reply is lost", .timeLimit(.minutes(5)))
struct LostClaimTests {
    struct Once: Job {
        static let maximumTries = 1

        func run(_ context: JobContext) async throws {}
    }

    private struct Row: Decodable, Sendable, Equatable {
        let attempt: Int
        let isHeld: Bool
    }

    private static let taken = Row(attempt: 1, isHeld: true)

    private static func rows(_ database: Database) async throws -> [Row] {
        let sql: SQL = "SELECT attempt, holder IS NOT NULL AS \"isHeld\" FROM queued_jobs ORDER BY id"
        return try await database.query(sql, as: Row.self)
    }

    /// A worker with one job that runs, and one that a claim has taken whose reply was lost, some times in a row.
    private static func worker(_ database: Database, on loop: EventLoop, times: Int = 1) async throws -> JobWorker {
        let driver = LossyDriver(database.driver)
        let log = LogLines()
        let lossy = Database(driver, configuration: database.configuration, logger: log.logger)
        let worker = JobWorker(Jobs(lossy, [Once.self], logger: log.logger), queues: ["default": 2], lease: .hours(1))
        try await worker.jobs.add(contentsOf: [Once(), Once()], at: Date(timeIntervalSince1970: 1))
        let claimed = try await worker.jobs.table.exchange([], for: worker.taker, rooms: [1])
        let run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: .now + .hours(1))
        worker.state.withLock { ($0.runs[1], $0.lastRun) = (run, 1) }
        for _ in 0..<times {
            driver.loseNext()
            await #expect(throws: DatabaseError.outcomeUnknown("no reply")) { _ = try await worker.turn(on: loop) }
        }
        #expect(try await rows(database) == [taken, taken])
        return worker
    }

    private static func withLoop(_ body: (EventLoop) async throws -> Void) async throws {
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 10))
        defer { loops.stop() }
        try await body(loops.loops[0])
    }

    @Test(arguments: Engine.allCases, [1, 3])
    func `what it has taken is run at once, and has lost no try`(engine: Engine, times: Int) async throws {
        try await engine.jobs { (databases) async throws in
            try await Self.withLoop { loop in
                let worker = try await Self.worker(databases[0], on: loop, times: times)
                worker.wake()
                _ = try await worker.turn(on: loop)
                #expect(worker.state.withLock { $0.runs.values.map(\.job.attempt) } == [1, 1])
                #expect(try await Self.rows(databases[0]) == [Self.taken, Self.taken])
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a program that ends gives back what it has taken`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            try await Self.withLoop { loop in
                let worker = try await Self.worker(databases[0], on: loop)
                await worker.giveBack()
                let free = Row(attempt: 0, isHeld: false)
                #expect(try await Self.rows(databases[0]) == [free, free])
            }
        }
    }

    /// Its only instance was killed.
    @Test(arguments: Engine.allCases)
    func `one that is dead has been tried as often as it has begun`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let (queue, table) = (try ByHand(databases[0], [Once.self]), JobTable(databases[0]))
            try await queue.jobs.add(Once(), at: Date(timeIntervalSince1970: 1))
            try await databases[0].execute("UPDATE queued_jobs SET holder = 1, attempt = 1")
            let taker = JobTaker(table, names: [Once.name], queues: ["default"], lease: .hours(1))
            let job = try #require(try await table.exchange([], for: taker, rooms: [1]).first)
            let end = await JobKind(Once.self).run(job, of: taker.holder, queue.jobs, queue.log.logger)
            queue.jobs.report(job, end, .zero)
            let text = "It was tried once, and the last instance ended without a word."
            #expect(queue.log.all == ["The job Once \(job.id) is dead, tried once: \(text)"])
        }
    }
}

/// A driver that loses the reply to a claim.
private final class LossyDriver: WrappingDriver {
    let driver: any SQLDriver
    private let loses = Mutex(false)

    /// Wraps a driver that has started.
    init(_ driver: any SQLDriver) { self.driver = driver }

    /// Loses the reply to the next claim.
    func loseNext() { loses.withLock { $0 = true } }

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let outcome = try await driver.run(statement, into: &state, each)
        guard statement.sql.text.contains("attempt = attempt + 1") else { return outcome }
        let isLost = loses.withLock { loses in
            defer { loses = false }
            return loses
        }
        if isLost { throw DatabaseError.outcomeUnknown("no reply") }
        return outcome
    }
}
