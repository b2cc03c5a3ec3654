import Engines
import FoundationEssentials
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Testing

/// The commands of those who run the program, on all engines.
@Suite("Jobs in the table", .timeLimit(.minutes(5)))
struct JobRecordsTests {
    @Test(arguments: Engine.allCases)
    func `jobs are listed, tried again and discarded`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let (queue, records) = (try ByHand(databases[0]), JobRecords(databases[0]))
            try await queue.jobs.add(Sample(text: "discard"))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            let later = try await queue.jobs.add(Sample(text: "later"), after: .hours(5))
            let list = try await records.list(nil, limit: 10)
            #expect(list.map(\.state) == ["dead", "waiting"] && list.map(\.attempt) == [1, 0])
            #expect(list[0].error == "It is of no use.")
            #expect(try await records.list("dead", limit: 10).count == 1)
            #expect(try await records.retry([later ?? 0]) == 1)
            #expect(try await records.retry([]) == 1)
            queue.clock.advance(by: .seconds(60))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            #expect(queue.notes.all.sorted() == ["discard", "discard", "later"])
            #expect(try await records.discard([]) == 1)
            #expect(try await records.list(nil, limit: 10).isEmpty)
        }
    }

    @Test(arguments: Engine.allCases)
    func `jobs are added and listed, however few rows a query may return`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let limited = Database(databases[0].driver, configuration: DatabaseConfiguration(maximumRows: 2))
            let queue = try ByHand(limited)
            let samples = ["1", "2", "3"].map { Sample(text: $0) }
            #expect(try await queue.jobs.add(contentsOf: samples).count == 3)
            try await limited.transaction { transaction in
                let ids = try await queue.jobs.add(contentsOf: samples, in: transaction)
                #expect(ids.count == 3)
            }
            #expect(try await JobRecords(limited).list(nil, limit: 10).count == 6)
            #expect(try await queue.run() == 6)
        }
    }

    @Test(arguments: Engine.allCases)
    func `no instance takes jobs of a queue that is paused`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let (queue, records) = (try ByHand(databases[0]), JobRecords(databases[0]))
            try await queue.jobs.add(Sample(text: "x"))
            try await records.pause("default")
            try await records.pause("default")
            #expect(try await queue.run() == 0)
            #expect(try await records.paused() == ["default"])
            #expect(try await records.resume("default"))
            #expect(try await !records.resume("default"))
            #expect(try await queue.run() == 1)
        }
    }

    /// Adds dead jobs, each with another time of its failure.
    private static func addDead(_ count: Int, _ database: Database) async throws {
        try await database.execute(
            """
            INSERT INTO queued_jobs (name, queue, priority, payload, added_at, error, failed_at)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            SELECT 'Sample', 'default', 1, '{}', 1, 'no mail', n FROM numbers
            """)
    }

    @Test(arguments: Engine.allCases)
    func `all dead jobs are tried again or discarded a thousand at a time`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver)
            let records = JobRecords(Database(driver, configuration: databases[0].configuration))
            for word in ["UPDATE", "DELETE"] {
                try await Self.addDead(2500, databases[0])
                #expect(try await (word == "UPDATE" ? records.retry([]) : records.discard([])) == 2500)
                let changes = driver.statements.filter { $0.text.hasPrefix("\(word) ") && $0.changes > 0 }
                #expect(changes.map(\.changes) == [1000, 1000, 500])
                // Without it, PostgreSQL may read the whole table.
                #expect(changes.allSatisfy { $0.text.contains("ORDER BY failed_at") })
            }
            #expect(try await records.list("dead", limit: 10).isEmpty)
            #expect(try await records.list("waiting", limit: 10_000).count == 2500)
        }
    }

    @Test func `jobs that die again meanwhile are not tried again for ever`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            try await Self.addDead(1500, databases[0])
            try await databases[0].execute(
                """
                CREATE TRIGGER deadly AFTER UPDATE OF due_at ON queued_jobs WHEN NEW.due_at IS NOT NULL BEGIN
                    UPDATE queued_jobs SET due_at = NULL, failed_at = NEW.due_at, attempt = NEW.attempt + 1
                        WHERE id = NEW.id;
                END
                """)
            #expect(try await JobRecords(databases[0]).retry([]) == 1500)
            let attempts: SQL = "SELECT DISTINCT attempt FROM queued_jobs"
            #expect(try await databases[0].query(attempts, as: Int.self) == [1])
        }
    }
}
