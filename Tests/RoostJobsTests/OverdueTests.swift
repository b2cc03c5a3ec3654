import Engines
import Logging
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostJobs

@Suite("Jobs that do not end", .timeLimit(.minutes(5)))
struct OverdueTests {
    struct Deaf: Job {
        func run(_ context: JobContext) async throws {}
    }

    /// Its lease had ended, and then this instance has taken the job again: it must not be held for ever.
    @Test(arguments: Engine.allCases)
    func `one that was cancelled because its lease was lost is given up, too`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let log = LogLines()
            let jobs = Jobs(databases[0], [Deaf.self], logger: log.logger)
            try await jobs.add(Deaf())
            let worker = JobWorker(jobs, queues: ["default": 1], lease: .seconds(60))
            let claimed = try await jobs.table.exchange([], for: worker.taker, rooms: [1])
            var run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: .now - .seconds(60))
            run.cause = .lost
            worker.state.withLock { [run] in $0.runs[1] = run }
            for _ in 0..<2 { _ = worker.endOverdue() }
            #expect(worker.state.withLock { $0.runs[1]?.isGivenUp } == true)
            #expect(worker.state.withLock { $0.ends.count } == 1)
            #expect(log.all.count { $0.hasSuffix("does not end: it keeps its place.") } == 1)
        }
    }

    /// A job that keeps SQLite's writer to itself would else be given back, and taken again, for ever.
    @Test(arguments: Engine.allCases)
    func `a try that has outlived its lease counts`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let jobs = Jobs(databases[0], [Deaf.self])
            try await jobs.add(Deaf())
            let worker = JobWorker(jobs, queues: ["default": 1], lease: .seconds(60))
            let claimed = try await jobs.table.exchange([], for: worker.taker, rooms: [1])
            let job = try #require(claimed.first)
            let kind = JobKind(Deaf.self)
            #expect(worker.cancelled(.lost, job, kind).outcome == "failed")
            #expect(worker.cancelled(.lost, job, kind, hasBegun: false).outcome == "given_back")
            #expect(worker.cancelled(.drained, job, kind).outcome == "given_back")
            try await jobs.table.settle([(job.id, worker.cancelled(.lost, job, kind))], worker.taker.holder)
            let row: SQL = """
                SELECT count(*) FROM queued_jobs
                WHERE attempt = 1 AND error LIKE 'Its lease%' AND due_at > added_at AND holder IS NULL
                """
            #expect(try await databases[0].first(row, as: Int.self) == 1)
        }
    }

    /// The database is away, or a turn is slow: its end is there, but not yet in the table.
    @Test(arguments: Engine.allCases)
    func `one that has ended is not late, however long its end waits to be written`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let log = LogLines()
            let jobs = Jobs(databases[0], [Deaf.self], logger: log.logger)
            try await jobs.add(Deaf())
            let worker = JobWorker(jobs, queues: ["default": 1], lease: .seconds(60))
            let claimed = try await jobs.table.exchange([], for: worker.taker, rooms: [1])
            let run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: .now - .seconds(60))
            worker.state.withLock {
                $0.runs[1] = run
                $0.ends.append((1, .done, true))
            }
            for _ in 0..<2 { _ = worker.endOverdue() }
            worker.state.withLock { state in
                #expect(state.runs[1]?.cause == nil && state.runs[1]?.isGivenUp == false)
                #expect(state.ends.map(\.isOver) == [true])
            }
            #expect(log.all == [])
        }
    }
}
