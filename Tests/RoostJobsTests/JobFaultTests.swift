import Engines
import FoundationEssentials
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostJobs

/// Faults that must neither lose a job, nor run it again, nor end the program.
@Suite("Faults around jobs", .timeLimit(.minutes(5)))
struct JobFaultTests {
    @Test(arguments: Engine.allCases)
    func `what an instance that is gone has held can be discarded and retried`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            let records = JobRecords(databases[0])
            let ids = try await queue.jobs.add(contentsOf: [Sample(text: "one"), Sample(text: "two")])
            try await databases[0].execute("UPDATE queued_jobs SET holder = 1, due_at = 1")
            #expect(try await records.list("waiting", limit: 10).count == 2)
            #expect(try await records.discard([ids[0]]) == 1)
            #expect(try await records.retry([ids[1]]) == 1)
            try await databases[0].execute("UPDATE queued_jobs SET holder = 1, due_at = 99999999999999")
            #expect(try await records.list("running", limit: 10).count == 1)
            #expect(try await records.discard([ids[1]]) == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job that was done after its lease is not taken again`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            let table = JobTable(databases[0])
            let taker = JobTaker(table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
            try await queue.jobs.add(Sample(text: "x"), at: Date(timeIntervalSince1970: 1))
            let claimed = try await table.exchange([], for: taker, rooms: [1])
            #expect(claimed.count == 1)
            try await databases[0].execute("UPDATE queued_jobs SET due_at = 1")
            #expect(try await table.exchange(claimed.map(\.id), for: taker, rooms: [1]).isEmpty)
            #expect(try await databases[0].first("SELECT count(*) FROM queued_jobs", as: Int.self) == 0)
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300])
    func `a date that no calendar has ends nothing`(seconds: Double) async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "x"), at: Date(timeIntervalSince1970: seconds))
            #expect(try await queue.run() == (seconds > 0 ? 0 : 1))
        }
    }

    /// A job that says how much it has.
    private struct Import: Job {
        var rows: [[Int]] = []
        var words: [String: Int] = [:]

        func run(_ context: JobContext) async throws {
            try context.service(Notes.self).add("\(rows.joined().count) \(words.count)")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job with more than a client may send, under any name, is run`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [Import.self])
            try await queue.jobs.add(Import(rows: [[Int](repeating: 1, count: 200_000)]))
            try await queue.jobs.add(
                Import(words: Dictionary(uniqueKeysWithValues: (0...10_000).map { ("\($0)", $0) })))
            try await queue.jobs.add(Import(words: ["e" + String(repeating: "\u{301}", count: 31): 1]))
            #expect(try await queue.run() == 3)
            #expect(queue.notes.all.sorted() == ["0 1", "0 10001", "200000 0"])
        }
    }

    /// The program's next version has lowered `maximumTries`, or the last instances were killed.
    @Test(arguments: Engine.allCases, ["no mail", nil] as [String?])
    func `one that has been tried too often already is dead with its own error`(engine: Engine, error: String?)
        async throws
    {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "x"))
            try await databases[0].execute("UPDATE queued_jobs SET attempt = 5, error = \(error)")
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            let sql: SQL = "SELECT error FROM queued_jobs WHERE due_at IS NULL"
            let text = try await databases[0].first(sql, as: String.self)
            #expect(text == error ?? "It was tried 5 times, and the last instance ended without a word.")
            #expect(queue.notes.all == [])
        }
    }

    /// The program's next version has given the type another queue.
    @Test(arguments: Engine.allCases)
    func `a queue that no place is for is named once`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(contentsOf: [Sample(text: "new"), Sample(text: "stays"), Sample(text: "stays")])
            try await databases[0].execute(
                "UPDATE queued_jobs SET queue = 'old', due_at = 1 WHERE payload LIKE '%stays%'")
            #expect(try await queue.run() == 1)
            #expect(queue.log.all.count { $0.contains("does not take from the queue old") } == 1)
        }
    }

    @Test(arguments: [true, false])
    func `jobs that are added in a process that has started none are told once`(isService: Bool) async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let log = LogLines()
            let (jobs, adder) = JobStarts.$current.withValue(JobStarts()) {
                (
                    Jobs(databases[0], [Sample.self], queues: ["default": 1], logger: log.logger),
                    Jobs(databases[0], [], logger: log.logger)
                )
            }
            let client = TestClient(
                try Application(services: isService ? [jobs] : [], middleware: []) { routes in
                    routes.get(Path("/")) { _ in
                        for queue in [jobs, adder, adder] { try await queue.add(Sample(text: "x")) }
                        return "added"
                    }
                })
            #expect(try await client.get("/").text == "added")
            let count = log.all.count { $0.hasPrefix("A job is added, but no Jobs have started") }
            #expect(count == (isService ? 0 : 1))
            try await client.stop()
        }
    }

    @Test func `a program without types only adds`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [])
            #expect(try await queue.run() == 0)
        }
    }
}
