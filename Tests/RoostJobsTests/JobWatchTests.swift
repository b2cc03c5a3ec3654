import FoundationEssentials
import Logging
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import Roost
@testable import RoostJobs

/// News from other processes, where the database is a file.
@Suite("The watch of jobs", .timeLimit(.minutes(5)))
struct JobWatchTests {
    struct Ping: Job {
        var number = 0

        /// What the worker finds when it begins to look is no news.
        func run(_ context: JobContext) async throws { if number > 100 { try context.service(Latch.self).open() } }
    }

    @Test func `jobs of another process are noticed behind a symbolic link`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/data", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let open = { (path: String) in
            Database(SQLiteDriver(SQLiteConfiguration(path: path), logger: silent), logger: silent)
        }
        let other = open(folder + "/data/jobs.sqlite")
        try await other.start()
        try await Migrator(other, Jobs.migrations, logger: silent).run()
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link.sqlite", withDestinationPath: folder + "/data/jobs.sqlite")
        let database = open(folder + "/link.sqlite")
        let ran = Latch()
        // It looks by itself after a third of the lease: later than this test waits.
        let jobs = Jobs(database, [Ping.self], services: [ran], lease: .hours(24), logger: silent)
        let application = try Application(services: [database, jobs], middleware: []) { _ in }
        let server = try await InProcessServer(
            application.configuration, application, services: [database, jobs], logger: silent)
        // Many, since the watch may begin only after some of them.
        let others = Jobs(other, [Ping.self], logger: silent)
        let adding = Task {
            var ping = Ping()
            while !Task.isCancelled {
                try await others.add(ping)
                ping.number += 1
            }
        }
        await ran.wait()
        adding.cancel()
        _ = await adding.result
        await server.stop()
        await other.stop()
    }

    @Test func `a watch that cannot be is logged, and ends`() async throws {
        let log = LogLines()
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: "/dev/null/jobs.sqlite"), logger: log.logger))
        let jobs = Jobs(database, [Ping.self], logger: log.logger)
        let worker = JobWorker(jobs, queues: ["default": 1], lease: .seconds(30))
        let loops = try EventLoopGroup(count: 1, pool: BlockingPool(threads: 1, queue: 10))
        await Task(executorPreference: loops.loops[0]) { await JobWatch(worker).watch(on: loops.loops[0]) }.value
        loops.stop()
        #expect(
            log.allWithLevels
                == ["error Jobs of other processes are noticed late: inotify_add_watch: Not a directory"])
    }
}
