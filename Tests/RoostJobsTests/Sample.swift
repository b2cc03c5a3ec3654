import Engines
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Synchronization

/// A job that does what its text says, and notes that it has run.
struct Sample: Job {
    var text: String
    var key: String?

    static let maximumTries = 3

    var unique: JobKey? { key.map { JobKey($0, for: .minutes(10)) } }

    func run(_ context: JobContext) async throws {
        try context.service(Notes.self).add(text)
        switch text {
        case "fail": throw Failure()
        case "discard": throw JobFailure.discard("It is of no use.")
        case "wait": throw JobFailure.retry(after: .minutes(7), "Too many requests.")
        case "more": try await context.jobs.add(Sample(text: "added by another"))
        default: break
        }
    }

    struct Failure: Error, CustomStringConvertible { let description = "no mail\nserver" }
}

/// The jobs that have run, in order.
final class Notes: Sendable {
    private let notes = Mutex<[String]>([])

    func add(_ text: String) { notes.withLock { $0.append(text) } }
    var all: [String] { notes.withLock { $0 } }
}

/// A queue whose jobs run only when the test says so.
struct ByHand {
    let jobs: Jobs
    let client: TestClient
    let clock = TestClock()
    let notes = Notes()
    let log = LogLines()

    init(
        _ database: Database, _ types: [any Job.Type] = [Sample.self],
        queues: [String: Int] = ["default": 10, "mail": 2], schedules: [JobSchedule] = []
    ) throws {
        jobs = withClock(clock) { [notes, log] in
            Jobs(database, types, queues: queues, schedules: schedules, services: [notes], logger: log.logger)
        }
        client = TestClient(try Application(services: [jobs], middleware: []) { $0.get(Path("/")) { _ in "ok" } })
    }

    @discardableResult
    func run() async throws -> Int { try await client.runJobs() }
}

extension Engine {
    /// Runs a test with databases that have the tables of jobs.
    func jobs(instances: Int = 1, _ body: ([Database]) async throws -> Void) async throws {
        try await run(instances: instances) { (databases) async throws in
            try await Migrator(databases[0], Jobs.migrations).run()
            try await body(databases)
        }
    }
}
