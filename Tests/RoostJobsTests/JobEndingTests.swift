import Engines
import Logging
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostJobs

/// The end of a program whose database does not respond.
@Suite("The end of jobs", .timeLimit(.minutes(5)))
struct JobEndingTests {
    private typealias Deaf = OverdueTests.Deaf

    private static func worker(_ driver: HangingDriver, _ database: Database) -> JobWorker {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let hanging = Database(driver, configuration: database.configuration, logger: silent)
        return JobWorker(Jobs(hanging, [Deaf.self], logger: silent), queues: ["default": 1], lease: .seconds(60))
    }

    @Test func `a database that does not respond does not keep a program without jobs from ending`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let log = LogLines()
            let driver = HangingDriver(databases[0].driver) { _ in true }
            let configuration = DatabaseConfiguration(timeout: .milliseconds(1))
            let database = Database(driver, configuration: configuration, logger: log.logger)
            let jobs = Jobs(database, [Deaf.self], logger: log.logger)
            let application = try Application(services: [jobs], middleware: []) { _ in }
            let server = try await InProcessServer(
                application.configuration, application, services: [jobs], logger: log.logger)
            await driver.hasHung.wait()
            await server.stop()
            #expect(log.allWithLevels.filter { $0.hasPrefix("error") } == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `where nothing runs, nothing is given back`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver)
            await Self.worker(driver, databases[0]).giveBack()
            #expect(driver.statements.map(\.text) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `what runs is given back with a limit of its own`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let driver = HangingDriver(databases[0].driver)
            let worker = Self.worker(driver, databases[0])
            try await worker.jobs.add(Deaf())
            let claimed = try await worker.jobs.table.exchange([], for: worker.taker, rooms: [1])
            let run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: .now + .seconds(60))
            worker.state.withLock { $0.runs[1] = run }
            let count = driver.statements.count
            await worker.giveBack()
            let statements = driver.statements.dropFirst(count)
            #expect(!statements.isEmpty)
            let limit = databases[0].configuration.timeout / 12
            #expect(statements.allSatisfy { $0.deadline <= ContinuousClock.now + limit })
            let row: SQL = "SELECT count(*) FROM queued_jobs WHERE attempt = 0 AND holder IS NULL"
            #expect(try await databases[0].first(row, as: Int.self) == 1)
        }
    }

    @Test func `the end cancels what runs after the drain, although its worker may be held up`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let worker = Self.worker(HangingDriver(databases[0].driver), databases[0])
            try await worker.jobs.add(Deaf())
            let claimed = try await worker.jobs.table.exchange([], for: worker.taker, rooms: [1])
            let run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: .now + .seconds(3600))
            worker.state.withLock { $0.runs[1] = run }
            worker.drain(until: .now)
            await worker.stop(Task {})
            #expect(worker.state.withLock { $0.runs[1]?.cause } == .drained)
        }
    }

    @Test func `the end waits for the database, and for what runs as well`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let worker = Self.worker(HangingDriver(databases[0].driver), databases[0])
            let (start, patience) = (ContinuousClock.now, databases[0].configuration.timeout / 6)
            #expect(worker.lastMoment(start) == start + patience)
            try await worker.jobs.add(Deaf())
            let claimed = try await worker.jobs.table.exchange([], for: worker.taker, rooms: [1])
            let run = JobWorker.Run(job: try #require(claimed.first), queue: 0, deadline: start)
            worker.state.withLock { $0.runs[1] = run }
            worker.drain(until: start + .seconds(30))
            #expect(worker.lastMoment(start) == start + .seconds(30) + JobWorker.grace + patience)
        }
    }
}
