import Engines
import FoundationEssentials
import Logging
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostJobs

/// What is done beside jobs: schedules, figures, and the end of what is of no use any more.
@Suite("What is done beside jobs", .timeLimit(.minutes(5)))
struct JobUpkeepTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Statements about schedules wait, or those about figures.
    @Test(arguments: Engine.allCases, ["job_schedules", "AS age"])
    func `a statement about it that waits keeps no job waiting`(engine: Engine, words: String) async throws {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver) { $0.contains(words) }
            let gate = WorkerTests.Gate()
            let jobs = Jobs(
                Database(driver, configuration: databases[0].configuration, logger: Self.silent),
                [WorkerTests.Slow.self, WorkerTests.Endless.self],
                schedules: [JobSchedule("@yearly", WorkerTests.Slow())], services: [gate], logger: Self.silent)
            let application = try Application(services: [jobs], middleware: []) { _ in }
            let server = try await InProcessServer(
                application.configuration, application, services: [jobs], logger: Self.silent)
            await driver.hasHung.wait()
            // Its deadline holds, and its end is written.
            try await jobs.add(WorkerTests.Endless())
            await gate.waitForCancellation()
            try await jobs.add(WorkerTests.Slow(number: 1))
            var begun = gate.begun.makeAsyncIterator()
            #expect(await begun.next() == 0)
            #expect(await begun.next() == 1)
            await server.stop()
            let names = try await databases[0].query(
                "SELECT name FROM queued_jobs WHERE attempt = 1 AND error IS NOT NULL", as: String.self)
            #expect(names == ["Endless"])
            #expect(try await databases[0].first("SELECT count(*) FROM queued_jobs", as: Int.self) == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `dead jobs are deleted a thousand at a time, until none is left`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver)
            let table = JobTable(Database(driver, configuration: databases[0].configuration, logger: Self.silent))
            try await databases[0].execute(
                """
                INSERT INTO queued_jobs (name, queue, priority, payload, added_at, error, failed_at)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2501)
                SELECT 'Sample', 'default', 1, '{}', 1, 'no mail', CASE WHEN n = 1 THEN 99999999999999 ELSE n END
                FROM numbers
                """)
            try await table.purge(.hours(1))
            let deletions = driver.statements.filter { $0.text.contains("queued_jobs") }
            #expect(deletions.map(\.changes) == [1000, 1000, 500])
            #expect(try await databases[0].first("SELECT count(*) FROM queued_jobs", as: Int.self) == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the deletion of dead jobs is told with their names`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(contentsOf: [Sample(text: "one"), Sample(text: "two")])
            try await queue.jobs.add(Forgotten())
            try await databases[0].execute("UPDATE queued_jobs SET due_at = NULL, failed_at = 1")
            #expect(try await queue.run() == 0)
            let text = "Dead jobs have been deleted, since their time (keepsDead) is over: 1 Forgotten, 2 Sample"
            #expect(queue.log.allWithLevels == ["warning " + text])
        }
    }

    struct Forgotten: Job {
        func run(_ context: JobContext) async throws {}
    }

    struct Gone: Job {
        func run(_ context: JobContext) async throws {}
    }

    /// The program's next version has lost the type.
    @Test(arguments: Engine.allCases)
    func `a job that no program knows is told apart, and is no reason for alarm`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            let table = queue.jobs.table
            let taker = JobTaker(table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
            let (figures, later) = (JobFigures(), ContinuousClock.now + .minutes(6))
            func look() async throws { try await figures.look(table, taker, .hours(1), queue.log.logger) }
            try await queue.jobs.add(Forgotten())
            queue.clock.advance(by: .minutes(10))
            for _ in 0..<2 { try await look() }
            try figures.check(at: later)
            let ages = try await table.ages(for: taker)
            #expect(ages.known == [:])
            #expect(ages.unknown["default", default: .zero] >= .minutes(10))
            #expect(queue.log.all.count == 1)
            #expect(queue.log.all.first?.hasPrefix("This program does not know the job Forgotten, ") == true)
            let metrics = PrometheusMetrics()
            figures.report(["default": 0], to: metrics)
            let lines = metrics.text().split(separator: "\n")
            #expect(lines.contains(#"roost_jobs_oldest_due_seconds{queue="default"} 0"#))
            let unknown = lines.filter { $0.hasPrefix(#"roost_jobs_unknown_due_seconds{queue="default"} "#) }
            #expect(unknown.count == 1 && unknown.allSatisfy { !$0.hasSuffix(" 0") })
            // One that is known still is.
            try await queue.jobs.add(Sample(text: "late"))
            queue.clock.advance(by: .minutes(6))
            try await look()
            #expect(throws: HealthFailure.self) { try figures.check(at: later) }
            try await databases[0].execute("DELETE FROM queued_jobs WHERE name = \(Forgotten.name)")
            #expect(try await table.ages(for: taker).unknown == [:])
            // Its name is told, though known ones have been due for longer.
            try await queue.jobs.add(Gone())
            queue.clock.advance(by: .minutes(2))
            try await look()
            #expect(queue.log.all.last?.hasPrefix("This program does not know the job Gone, ") == true)
        }
    }

    /// Somebody has a row open, by hand or in a backup.
    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `a due job that is locked is asked for less and less often`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let jobs = Jobs(databases[0], [Forgotten.self], logger: Self.silent)
            try await jobs.add(Forgotten(), at: Date(timeIntervalSince1970: 1))
            let worker = JobWorker(jobs, queues: ["default": 1], lease: .seconds(60))
            let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 10))
            defer { loops.stop() }
            let loop = loops.loops[0]
            let waits = try await databases[0].transaction { transaction in
                _ = try await transaction.first("SELECT id FROM queued_jobs FOR UPDATE", as: Int.self)
                return try await Task.detached {
                    var waits: [Duration?] = []
                    for _ in 0..<12 {
                        worker.wake()
                        waits.append(try await worker.turn(on: loop))
                    }
                    return waits
                }.value
            }
            let expected: [Duration?] = (0..<12).map { .milliseconds(1 << min($0, 10)) }
            #expect(waits == expected)
            worker.wake()
            #expect(try await worker.turn(on: loop) == nil)
            worker.state.withLock { #expect($0.misses == 0 && $0.lastRun == 1) }
        }
    }
}
