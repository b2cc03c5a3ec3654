import Engines
import Logging
import Roost
import RoostSQL
import Testing

@testable import RoostJobs

/// The deletion of what is of no use any more.
@Suite("Deletion of dead jobs and of keys", .timeLimit(.minutes(5)))
struct JobPurgeTests {
    private static func run(_ engine: Engine, _ body: (JobTable, HangingDriver, Database) async throws -> Void)
        async throws
    {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver)
            let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let database = Database(driver, configuration: databases[0].configuration, logger: silent)
            try await body(JobTable(database), driver, databases[0])
        }
    }

    @Test(arguments: Engine.allCases)
    func `the dead jobs that failed first are deleted first`(engine: Engine) async throws {
        try await Self.run(engine) { (table, driver, database) async throws in
            try await database.execute(
                """
                INSERT INTO queued_jobs (name, queue, priority, payload, added_at, error, failed_at)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1001)
                SELECT CASE WHEN n = 1 THEN 'Last' ELSE 'Sample' END, 'default', 1, '{}', 1, 'no mail', 1002 - n
                FROM numbers
                """)
            var told: [[String]] = []
            try await table.purge(.hours(1)) { told.append($0) }
            #expect(told.map(\.count) == [1000, 1])
            #expect(told.last == ["Last"])
            // Without it, PostgreSQL may read the whole table.
            let deletions = driver.statements.filter { $0.text.contains("DELETE FROM queued_jobs") }
            #expect(!deletions.isEmpty && deletions.allSatisfy { $0.text.contains("ORDER BY failed_at") })
        }
    }

    /// The first 1200 are held; all have seven digits, so their order is that of their numbers.
    @Test(arguments: Engine.allCases)
    func `keys are looked at once, a thousand at a time, and go when their time is over`(engine: Engine) async throws {
        try await Self.run(engine) { (table, driver, database) async throws in
            try await database.execute(
                """
                INSERT INTO job_keys (key, held_until)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2510)
                SELECT 'Sample ' || (1000000 + n), CASE WHEN n <= 1200 THEN 99999999999999 ELSE n END FROM numbers
                """)
            for changes in [[0, 800, 510], [0, 0]] {
                let before = driver.statements.count
                try await table.purge(.hours(1))
                let deletions = driver.statements.dropFirst(before).filter { $0.text.contains("DELETE FROM job_keys") }
                #expect(deletions.map(\.changes) == changes)
                #expect(try await database.first("SELECT count(*) FROM job_keys", as: Int.self) == 1200)
            }
        }
    }

    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `a key that a transaction takes keeps no deletion waiting`(engine: Engine) async throws {
        try await Self.run(engine) { (_, _, database) async throws in
            let table = JobTable(database)
            try await database.execute("INSERT INTO job_keys VALUES ('Sample a', 1), ('Sample b', 1)")
            try await database.transaction { transaction in
                #expect(try await table.take("Sample a", for: .hours(1), transaction))
                try await Task.detached { try await table.purge(.hours(1)) }.value
            }
            #expect(try await database.query("SELECT key FROM job_keys", as: String.self) == ["Sample a"])
        }
    }
}
