import Engines
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostJobs

/// Rows that another program has written, with values that Roost never writes.
@Suite("Rows of jobs from other programs", .timeLimit(.minutes(5)))
struct StrangeRowTests {
    /// The name, the time at which it is due, and the number of tries.
    private static func rows(_ engine: Engine) -> [String] {
        let all = ["'Forgotten', -9223372036854775808, 0", "'Forgotten', 9223372036854775807, 0"]
        guard engine == .sqlite else { return all }
        return all + [
            "'Sample', 99999999999999.5, 0", "'Forgotten', 'soon', 0", "'Forgotten', 9e999, 0",
            "'Forgotten', 1, -1e300", "x'00', 1, 0",
        ]
    }

    @Test(arguments: Engine.allCases)
    func `a job with a strange value is listed, and keeps no dead job from being deleted`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let database = databases[0]
            for row in Self.rows(engine) {
                let queue = try ByHand(database)
                try await database.execute(
                    SQL(
                        unchecked: """
                            INSERT INTO queued_jobs (name, due_at, attempt, queue, priority, payload, added_at)
                            VALUES (\(row), 'default', 1, '{}', 0)
                            """))
                try await database.execute(
                    """
                    INSERT INTO queued_jobs (name, queue, priority, payload, added_at, failed_at)
                    VALUES ('Sample', 'default', 1, '{}', 0, 1)
                    """)
                let list = try await JobRecords(database).list(nil, limit: 10)
                #expect(list.map(\.state) == ["dead", "waiting"], "\(row)")
                let table = queue.jobs.table
                let taker = JobTaker(
                    table, names: [Sample.name, "Forgotten"], queues: ["default"], lease: .seconds(30))
                _ = try await table.nextDue(for: taker, rooms: [1])
                #expect(try await queue.run() == 0)
                let left = try await JobRecords(database).list(nil, limit: 10)
                #expect(left.map(\.state) == ["waiting"], "\(row)")
                #expect(try await JobRecords(database).discard(left.map(\.id)) == 1)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job with the greatest number of tries is dead, and keeps no other waiting`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            let most = engine == .sqlite ? Int.max : Int(Int32.max)
            try await databases[0].execute(
                """
                INSERT INTO queued_jobs (name, queue, priority, payload, due_at, added_at, attempt)
                VALUES ('Sample', 'default', 1, '{"text":"never"}', 1, 0, \(most))
                """)
            try await queue.jobs.add(Sample(text: "one"))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            #expect(queue.notes.all == ["one"])
            #expect(try await JobRecords(databases[0]).list(nil, limit: 10).map(\.state) == ["dead"])
        }
    }

    @Test func `a negative number of tries has the shortest pause`() {
        #expect(JobKind.delay(afterAttempt: .min) <= .seconds(12))
    }

    @Test(arguments: ["next_at = 1796097600000.5", "next_at = 'x'", "next_at = 9e999", "line = x'00ff'"])
    func `a schedule whose row cannot be read begins anew, and those behind it go on`(change: String) async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(
                databases[0],
                schedules: ["first", "second"].map { JobSchedule("*/10 * * * *", Sample(text: $0), name: $0) })
            #expect(try await queue.run() == 0)
            try await databases[0].execute(
                SQL(unchecked: "UPDATE job_schedules SET \(change) WHERE name = 'first'"))
            queue.clock.advance(by: .minutes(10))
            #expect(try await queue.run() == 1)
            #expect(queue.notes.all == ["second"])
            let start = "warning The row first of job_schedules is deleted, and the schedule begins anew: "
            #expect(queue.log.allWithLevels.map { $0.hasPrefix(start) } == [true])
            queue.clock.advance(by: .minutes(10))
            #expect(try await queue.run() == 2)
            #expect(queue.notes.all.sorted() == ["first", "second", "second"])
        }
    }
}
