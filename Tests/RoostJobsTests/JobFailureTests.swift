import Engines
import FoundationEssentials
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostJobs

/// What becomes of a job whose failure the table cannot keep as it is.
@Suite("Failures of jobs", .timeLimit(.minutes(5)))
struct JobFailureTests {
    private struct Row: Decodable, Sendable, Equatable {
        let error: String?
        let isHeld, isDue: Bool
    }

    private static func rows(_ database: Database) async throws -> [Row] {
        let sql: SQL = """
            SELECT error, holder IS NOT NULL AS "isHeld", due_at IS NOT NULL AS "isDue" FROM queued_jobs ORDER BY id
            """
        return try await database.query(sql, as: Row.self)
    }

    @Test(arguments: Engine.allCases)
    func `a database without a character of an error keeps it escaped, and holds up no other job`(engine: Engine)
        async throws
    {
        try await engine.jobs { (databases) async throws in
            let database = Database(NarrowDriver(databases[0].driver))
            let (queue, table) = (try ByHand(database), JobTable(database))
            let samples = ["one", "two", "three"].map { Sample(text: $0) }
            try await queue.jobs.add(contentsOf: samples, at: Date(timeIntervalSince1970: 1))
            let taker = JobTaker(table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
            let ids = try await table.exchange([], for: taker, rooms: [3]).map(\.id).sorted()
            #expect(ids.count == 3)
            let ends: [JobEnd] = [.retry(after: .hours(1), "can’t reach ü"), .dead("gone"), .givenBack]
            try await table.settle(Array(zip(ids, ends)), taker.holder)
            let expected = [
                Row(error: #"can\u{2019}t reach \u{fc}"#, isHeld: false, isDue: true),
                Row(error: "gone", isHeld: false, isDue: false), Row(error: nil, isHeld: false, isDue: true),
            ]
            #expect(try await Self.rows(databases[0]) == expected)
        }
    }

    @Test(arguments: Engine.allCases)
    func `what a database refuses for another reason is told`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            try await databases[0].execute("DROP TABLE queued_jobs")
            let table = JobTable(databases[0])
            let error = await #expect(throws: DatabaseError.self) { try await table.settle([(1, .dead("gone"))], 1) }
            #expect(error?.isUnavailability == false)
        }
    }

    /// As Python adds it: `json.dumps(job).encode()`.
    @Test func `a job that another program has added as bytes runs, and holds up no other`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "bytes"))
            try await databases[0].execute("UPDATE queued_jobs SET payload = CAST(payload AS BLOB)")
            try await queue.jobs.add(Sample(text: "text"))
            #expect(try await queue.run() == 2)
            #expect(queue.notes.all.sorted() == ["bytes", "text"])
        }
    }

    /// A job that a server has told when to come back.
    private struct Patient: Job {
        func run(_ context: JobContext) async throws {
            try context.service(Notes.self).add("\(context.attempt)")
            if context.attempt == 1 { throw JobFailure.retry(after: .seconds(Int64.max), "Too many requests.") }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job is tried again within a year`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [Patient.self])
            try await queue.jobs.add(Patient())
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            queue.clock.advance(by: .hours(364 * 24))
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .hours(24) + .seconds(1))
            #expect(try await queue.run() == 1)
            #expect(queue.notes.all == ["1", "2"])
        }
    }
}
