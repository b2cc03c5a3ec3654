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
