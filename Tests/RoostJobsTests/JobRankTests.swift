import Engines
import FoundationEssentials
import RoostSQL
import Testing

@testable import RoostJobs

/// The order in which jobs begin that are taken together.
@Suite("Ranks of jobs", .timeLimit(.minutes(5)))
struct JobRankTests {
    @Test(arguments: Engine.allCases)
    func `of jobs that are taken together, those of a higher rank begin first`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let jobs = try ByHand(databases[0]).jobs
            func add(_ priority: JobPriority) async throws -> Int {
                let id = try await jobs.add(
                    Sample(text: "x"), at: Date(timeIntervalSince1970: 1), priority: priority)
                return try #require(id)
            }
            let (low, first, second) = (try await add(.low), try await add(.normal), try await add(.normal))
            let high = try await add(.high)
            let table = JobTable(databases[0])
            let taker = JobTaker(table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
            let claimed = try await table.exchange([], for: taker, rooms: [4])
            #expect(claimed.map(\.id) == [high, first, second, low])
        }
    }
}
