import Engines
import RoostSQL
import Testing

@testable import RoostJobs

/// There may be any number of dead jobs, and of long payloads.
@Suite("The plans of the statements for jobs in SQLite", .timeLimit(.minutes(5)))
struct JobQueryPlanTests {
    private struct Plan: Decodable, Sendable {
        let detail: String
    }

    private static func plan(_ statement: SQL, _ database: Database) async throws -> [String] {
        let explanation = SQL(unchecked: "EXPLAIN QUERY PLAN " + statement.text, bindings: statement.bindings)
        return try await database.query(explanation, as: Plan.self).map(\.detail)
    }

    @Test func `a look at what is due, and for how long, reads no dead jobs`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let table = JobTable(databases[0])
            let taker = JobTaker(
                table, names: [Sample.name, "other"], queues: ["default", "mail"], lease: .seconds(30))
            let bindings = table.bindings(taker, queues: taker.queues.map { .text($0) })
            for text in [taker.dueText, taker.agesText] {
                let plan = try await Self.plan(SQL(unchecked: text, bindings: bindings), databases[0])
                let looks = plan.filter { $0.contains("queued_jobs") }
                #expect(!looks.isEmpty && looks.allSatisfy { $0.contains("due_at>?") }, "\(plan)")
            }
        }
    }

    @Test func `a list reads no other jobs than those in it`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let plan = try await Self.plan(JobRecords(databases[0]).listing(nil, limit: 10), databases[0])
            let scans = plan.filter { $0.contains("SCAN") && $0.contains("queued_jobs") }
            #expect(!scans.isEmpty && scans.allSatisfy { $0.contains("COVERING INDEX") }, "\(plan)")
        }
    }
}
