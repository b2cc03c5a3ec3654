import Logging
import Processes
import Roost
import RoostPostgres
import RoostSQL
import RoostTesting
import Testing

@testable import RoostJobs

/// Jobs whose payloads together are larger than a result of PostgreSQL's driver may be.
@Suite(
    "Payloads of jobs",
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct JobPayloadTests {
    private func withDatabase(_ body: (Database) async throws -> Void) async throws {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let patience = Duration.seconds(3600)
        let configuration = PostgresConfiguration(
            maximumConnections: 2, waitTimeout: patience, connectTimeout: patience, maximumResultSize: 1 << 20)
        let url = try await PostgresServer.shared().makeDatabase()
        let driver = try PostgresDriver(url, configuration: configuration, logger: silent)
        let database = Database(driver, configuration: DatabaseConfiguration(timeout: patience), logger: silent)
        try await database.start()
        let result: Result<Void, any Error>
        do {
            try await Migrator(database, Jobs.migrations, logger: silent).run()
            result = .success(try await body(database))
        } catch {
            result = .failure(error)
        }
        await database.stop()
        try result.get()
    }

    private static let texts = ["a", "b", "c"].map { String(repeating: $0, count: 500 << 10) }

    @Test func `are taken together, and read by each run for itself`() async throws {
        try await withDatabase { database in
            let queue = try ByHand(database)
            try await queue.jobs.add(contentsOf: Self.texts.map { Sample(text: $0) } + [Sample(text: "small")])
            queue.clock.advance(by: .minutes(1))
            let table = queue.jobs.table
            let taker = JobTaker(table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
            let claimed = try await table.exchange([], for: taker, rooms: [4])
            #expect(claimed.sorted { $0.id < $1.id }.map { $0.payload == nil } == [true, true, true, false])
            for job in claimed {
                let end = await JobKind(Sample.self).run(job, of: taker.holder, queue.jobs, queue.log.logger)
                #expect(end.outcome == "done")
            }
            #expect(queue.notes.all.sorted() == Self.texts + ["small"])
            // Another instance has taken it over meanwhile.
            let lost = try #require(claimed.first { $0.payload == nil })
            let end = await JobKind(Sample.self).run(lost, of: taker.holder ^ 1, queue.jobs, queue.log.logger)
            #expect(end.outcome == "given_back" && queue.notes.all.count == 4)
        }
    }

    /// Takes a job from a database and runs it with its payload from another one. Returns its end.
    private static func endOfJob(of database: Database, fetchedFrom other: Database) async throws -> JobEnd {
        let queue = try ByHand(database)
        try await queue.jobs.add(Sample(text: texts[0]))
        queue.clock.advance(by: .minutes(1))
        let taker = JobTaker(queue.jobs.table, names: [Sample.name], queues: ["default"], lease: .seconds(30))
        let job = try #require(try await queue.jobs.table.exchange([], for: taker, rooms: [1]).first)
        let jobs = Jobs(other, [Sample.self], logger: queue.log.logger)
        return await JobKind(Sample.self).run(job, of: taker.holder, jobs, queue.log.logger)
    }

    @Test func `one that the database does not give in time has failed, and says so`() async throws {
        try await withDatabase { database in
            let end = try await Self.endOfJob(of: database, fetchedFrom: database.with(timeout: .zero))
            #expect(end.outcome == "failed" && end.error?.hasPrefix("Its JSON cannot be fetched: ") == true)
        }
    }

    @Test func `one that a database which is away does not give is given back`() async throws {
        try await withDatabase { database in
            let away = Database(
                try PostgresDriver("postgres:///away", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
            await away.stop()
            let end = try await Self.endOfJob(of: database, fetchedFrom: away)
            #expect(end.outcome == "given_back" && end.error == nil)
        }
    }

    @Test func `one that is too large for any result is tried again, and is dead in the end`() async throws {
        try await withDatabase { database in
            let queue = try ByHand(database)
            try await queue.jobs.add(Sample(text: String(repeating: "x", count: 2 << 20)))
            let error = await #expect(throws: JobsFailed.self) { try await queue.run() }
            #expect(error?.description.contains("Its JSON cannot be fetched") == true)
        }
    }
}
