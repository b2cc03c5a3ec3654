import Engines
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Testing

/// Schedules, on all engines.
@Suite("Schedules of jobs", .timeLimit(.minutes(5)))
struct JobScheduleTests {
    /// A job that the program does not run.
    private struct Unknown: Job {
        func run(_ context: JobContext) async throws {}
    }

    @Test(arguments: Engine.allCases)
    func `a job is added at its times, once by all instances, and made up for once`(engine: Engine) async throws {
        try await engine.jobs(instances: 2) { (databases) async throws in
            let schedules = [JobSchedule("*/10 * * * *", Sample(text: "now"))]
            let queues = try databases.map { try ByHand($0, schedules: schedules) }
            for queue in queues { try await queue.run() }
            for minutes in [10, 10, 45] {
                for queue in queues { queue.clock.advance(by: .minutes(minutes)) }
                let counts = [try await queues[0].run(), try await queues[1].run()]
                #expect(counts.reduce(0, +) == 1)
            }
            #expect(queues[0].notes.all.count + queues[1].notes.all.count == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job is added at each of its times, whether or not its key is free`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let job = Sample(text: "now", key: "k")
            let queue = try ByHand(databases[0], schedules: [JobSchedule("*/10 * * * *", job)])
            try await queue.run()
            queue.clock.advance(by: .minutes(10))
            #expect(try await queue.jobs.add(job) != nil)
            #expect(try await queue.run() == 2)
            #expect(try await queue.jobs.add(job) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that was added while the clock was years ahead goes on at the next start`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let schedules = [JobSchedule("@hourly", Sample(text: "now"))]
            let ahead = try ByHand(databases[0], schedules: schedules)
            try await ahead.run()
            ahead.clock.advance(by: .hours(30_000))
            #expect(try await ahead.run() == 1)
            let queue = try ByHand(databases[0], schedules: schedules)
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .hours(1))
            #expect(try await queue.run() == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `another line counts from the next start on`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            try await ByHand(databases[0], schedules: [JobSchedule("@yearly", Sample(text: "a"))]).run()
            let queue = try ByHand(databases[0], schedules: [JobSchedule("* * * * *", Sample(text: "a"))])
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .minutes(1))
            #expect(try await queue.run() == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a time that has passed is made up for, even if the line is another one now`(engine: Engine) async throws {
        try await engine.jobs(instances: 2) { (databases) async throws in
            let old = try ByHand(databases[0], schedules: [JobSchedule("@hourly", Sample(text: "a"))])
            let new = try ByHand(databases[1], schedules: [JobSchedule("@yearly", Sample(text: "a"))])
            #expect(try await old.run() == 0)
            for queue in [old, new] { queue.clock.advance(by: .hours(1)) }
            #expect(try await new.run() == 1)
            #expect(try await old.run() == 0)
        }
    }

    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `an instance with another line does not repeat a time that comes meanwhile`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let database = databases[0]
            let new = try ByHand(database, schedules: [JobSchedule("0 0 * * *", Sample(text: "a"))])
            try await ByHand(database, schedules: [JobSchedule("@daily", Sample(text: "a"))]).run()
            // The new one starts, and then the time comes for both: the old one is first.
            let start = try await database.transaction { transaction in
                try await transaction.execute("UPDATE job_schedules SET next_at = next_at + 86400000")
                let start = Task.detached { try await new.run() }
                try await Task.detached { try await database.untilOneWaits() }.value
                new.clock.advance(by: .hours(24))
                return start
            }
            #expect(try await start.value == 0)
            new.clock.advance(by: .hours(24))
            #expect(try await new.run() == 1)
        }
    }

    @Test(arguments: [
        [JobSchedule("* * * *", Sample(text: ""))], [JobSchedule("0 0 30 2 *", Sample(text: ""))],
        [JobSchedule("@daily", Sample(text: "")), JobSchedule("@daily", Sample(text: ""))],
        [JobSchedule("@daily", Unknown(), name: "Sample")],
    ])
    func `a mistake ends the start`(schedules: [JobSchedule]) async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], schedules: schedules)
            await #expect(throws: StartError.self) { try await queue.run() }
        }
    }
}
