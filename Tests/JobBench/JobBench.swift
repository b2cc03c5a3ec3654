import Glibc
import Logging
import Roost
import RoostJobs
import RoostPostgres
import RoostSQL
import RoostSQLite

/// A job without a body, or one that takes `JOB_MS`, which notes when it began.
struct Empty: Job {
    func run(_ context: JobContext) async throws {
        let start = Clock.now
        if Bench.pause > .zero { try await EventLoop.current?.sleep(for: Bench.pause) }
        Bench.log("JOBS_LOG", "\(context.id) \(start)\n")
    }
}

/// The time in nanoseconds since 1970.
enum Clock {
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// A job queue for a benchmark: `JobBench enqueue N [BATCH]` adds jobs, `JobBench work CONCURRENCY` runs them until
/// SIGTERM. `DATABASE_URL` is the database; `ENQUEUE_LOG` and `JOBS_LOG` are files of lines with a job's number and a
/// time, that of the commit or that of the job's beginning.
@main
struct Bench {
    private static let file: Int32 = {
        let name = variable("JOBS_LOG") ?? variable("ENQUEUE_LOG") ?? "/dev/null"
        return open(name, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    }()
    static let pause = Duration.milliseconds(Int(variable("JOB_MS") ?? "") ?? 0)

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func log(_ name: String, _ line: String) {
        var line = line
        line.withUTF8 { _ = write(file, $0.baseAddress, $0.count) }
    }

    static func main() async throws {
        LoggingSystem.bootstrap { label in
            var handler = RoostLogHandler(label: label)
            handler.logLevel = .warning
            return handler
        }
        let arguments = CommandLine.arguments.dropFirst().map { $0 }
        let url = variable("DATABASE_URL") ?? ""
        let driver: any SQLDriver =
            url.hasPrefix("sqlite:")
            ? SQLiteDriver(SQLiteConfiguration(path: String(url.dropFirst(7)))) : try PostgresDriver(url)
        let database = Database(driver)
        let number = Int(arguments.dropFirst().first ?? "") ?? 0
        switch arguments.first {
        case "enqueue": try await enqueue(database, number, Int(arguments.dropFirst(2).first ?? "") ?? 1)
        case "work":
            let jobs = Jobs(database, [Empty.self], queues: ["default": number], lease: .seconds(5))
            try await Server.serve([database, jobs])
        default: print("enqueue N [BATCH], or work CONCURRENCY")
        }
    }

    private static func enqueue(_ database: Database, _ count: Int, _ batch: Int) async throws {
        let jobs = Jobs(database, [Empty.self])
        let adding = Adding(database, jobs, count, batch)
        try await Server.serve([database, adding])
    }
}

/// Adds jobs on the server's loop, and ends the program.
final class Adding: Service {
    private let database: Database
    private let jobs: Jobs
    private let count, batch: Int

    init(_ database: Database, _ jobs: Jobs, _ count: Int, _ batch: Int) {
        (self.database, self.jobs, self.count, self.batch) = (database, jobs, count, batch)
    }

    func start() async throws {
        try await Migrator(database, Jobs.migrations).run()
        let pause = Duration.milliseconds(Int(Bench.variable("PAUSE_MS") ?? "") ?? 0)
        var left = count
        while left > 0 {
            let size = min(batch, left)
            let ids = try await add(size)
            let now = Clock.now
            Bench.log("ENQUEUE_LOG", ids.map { "\($0) \(now)\n" }.joined())
            left -= size
            if pause > .zero { try await EventLoop.current?.sleep(for: pause) }
        }
        exit(0)
    }

    private func add(_ size: Int) async throws -> [Int] {
        if size == 1 { return try await jobs.add(Empty()).map { [$0] } ?? [] }
        let jobs = jobs
        return try await database.transaction { transaction in
            try await jobs.add(contentsOf: Array(repeating: Empty(), count: size), in: transaction)
        }
    }

    func stop() async {}
}

extension Server {
    /// Runs services until SIGTERM.
    static func serve(_ services: [any Service]) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 1
        let logger = Logger(label: "bench")
        let application = try Application(configuration: configuration, services: services, middleware: []) { _ in }
        try await Server.listen(configuration, application, services: services, logger: logger).run()
    }
}
