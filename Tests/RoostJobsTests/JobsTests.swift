import Engines
import FoundationEssentials
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Testing

/// The promises of a queue, on all engines; jobs are run by hand.
@Suite("Jobs", .timeLimit(.minutes(5)))
struct JobsTests {
    private static func count(_ database: Database) async throws -> Int? {
        try await database.first("SELECT count(*) FROM queued_jobs", as: Int.self)
    }

    struct Meeting: Job {
        var at: Date

        func run(_ context: JobContext) async throws {
            try context.service(Notes.self).add("\(at.timeIntervalSince1970)")
        }
    }

    @Test func `a date in a job keeps its milliseconds`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [Meeting.self])
            try await queue.jobs.add(Meeting(at: Date(timeIntervalSince1970: 1.5)))
            try await queue.run()
            #expect(queue.notes.all == ["1.5"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job runs once, and is gone`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            let id = try await queue.jobs.add(Sample(text: "one"))
            #expect(id != nil)
            #expect(try await queue.run() == 1)
            #expect(try await queue.run() == 0)
            #expect(queue.notes.all == ["one"])
            #expect(try await Self.count(databases[0]) == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job exists if and only if its transaction is committed`(engine: Engine) async throws {
        struct Undo: Error {}
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await databases[0].transaction { transaction in
                try await transaction.execute("INSERT INTO users (name) VALUES ('Ada')")
                try await queue.jobs.add(Sample(text: "kept"), in: transaction)
            }
            await #expect(throws: Undo.self) {
                try await databases[0].transaction { transaction in
                    try await queue.jobs.add(Sample(text: "undone"), in: transaction)
                    throw Undo()
                }
            }
            try await queue.run()
            #expect(queue.notes.all == ["kept"])
        }
    }

    private struct Clocked: Job {
        func run(_ context: JobContext) async throws {
            try context.service(Notes.self).add("\(context.now.timeIntervalSince1970)")
        }
    }

    @Test func `a job's time is that of the test's clock`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [Clocked.self])
            queue.clock.advance(by: .hours(1000))
            try await queue.jobs.add(Clocked())
            try await queue.run()
            #expect((Double(queue.notes.all.first ?? "") ?? 0) - Date().timeIntervalSince1970 > 999 * 3600)
        }
    }

    @Test(arguments: Engine.allCases)
    func `what is due later waits, and the clock brings it`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "in an hour"), after: .hours(1))
            try await queue.jobs.add(Sample(text: "in a minute"), at: Date(timeIntervalSinceNow: 60))
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .seconds(70))
            #expect(try await queue.run() == 1)
            queue.clock.advance(by: .hours(1))
            try await queue.run()
            #expect(queue.notes.all == ["in a minute", "in an hour"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `those of a higher rank come first, then those that are due longer`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "low"), priority: .low)
            try await queue.jobs.add(contentsOf: ["1", "2", "3"].map { Sample(text: $0) })
            try await queue.jobs.add(Sample(text: "high"), priority: .high)
            try await queue.run()
            #expect(queue.notes.all == ["high", "1", "2", "3", "low"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job may add another`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "more"))
            #expect(try await queue.run() == 2)
            #expect(queue.notes.all == ["more", "added by another"])
        }
    }

    private struct Row: Decodable, Sendable {
        let attempt: Int
        let error: String?
        let dead: Bool
    }

    private static func row(_ database: Database) async throws -> Row? {
        try await database.first("SELECT attempt, error, due_at IS NULL AS dead FROM queued_jobs", as: Row.self)
    }

    @Test(arguments: Engine.allCases)
    func `one that fails is tried again later, and is dead in the end`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "fail"))
            for attempt in 1...3 {
                let error = await #expect(throws: JobsFailed.self) { try await queue.run() }
                #expect(error?.failures.first?.hasSuffix("no mail\\u{a}server") == true)
                #expect(try await queue.run() == 0)
                let row = try await Self.row(databases[0])
                #expect(row?.attempt == attempt && row?.error == "no mail\\u{a}server" && row?.dead == (attempt == 3))
                queue.clock.advance(by: .seconds(attempt * 13))
            }
            queue.clock.advance(by: .hours(24))
            #expect(try await queue.run() == 0)
            // A week later nobody needs it.
            queue.clock.advance(by: .hours(7 * 24))
            try await ByHand.another(queue, databases[0]).run()
            #expect(try await Self.count(databases[0]) == 0)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job can say that it is of no use, or when to try again`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "discard"))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            let row = try await Self.row(databases[0])
            #expect(row?.attempt == 1 && row?.error == "It is of no use." && row?.dead == true)
            try await databases[0].execute("DELETE FROM queued_jobs")
            try await queue.jobs.add(Sample(text: "wait"))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            queue.clock.advance(by: .minutes(6))
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .minutes(1))
            await #expect(throws: JobsFailed.self) { try await queue.run() }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a key is taken for its time, even when its job has run`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            #expect(try await queue.jobs.add(Sample(text: "one", key: "a")) != nil)
            #expect(try await queue.jobs.add(Sample(text: "same", key: "a")) == nil)
            #expect(try await queue.jobs.add(Sample(text: "two"), unique: JobKey("b", for: .hours(1))) != nil)
            try await queue.run()
            queue.clock.advance(by: .minutes(9))
            #expect(try await queue.jobs.add(Sample(text: "same", key: "a")) == nil)
            queue.clock.advance(by: .minutes(1))
            #expect(try await queue.jobs.add(Sample(text: "three", key: "a")) != nil)
            #expect(try await queue.jobs.add(Sample(text: "same"), unique: JobKey("b", for: .hours(1))) == nil)
            try await queue.run()
            #expect(queue.notes.all == ["one", "two", "three"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `of many that add with one key at once one adds`(engine: Engine) async throws {
        try await engine.jobs(instances: 2) { (databases) async throws in
            let queues = try databases.map { try ByHand($0) }
            let added = try await withThrowingTaskGroup { group in
                for queue in Array(repeating: queues, count: 5).joined() {
                    group.addTask { try await queue.jobs.add(Sample(text: "x", key: "k")) }
                }
                return try await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
            }
            #expect(added == 1)
        }
    }

    struct Stranger: Job {
        func run(_ context: JobContext) async throws {}
    }

    @Test(arguments: Engine.allCases)
    func `a job that a program does not know is left to others`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let old = try ByHand(databases[0])
            let new = try ByHand(databases[0], [Sample.self, Stranger.self])
            try await new.jobs.add(Stranger())
            #expect(try await old.run() == 0)
            #expect(try await new.run() == 1)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a job whose JSON cannot be read is dead`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "x"))
            try await databases[0].execute("UPDATE queued_jobs SET payload = '{\"txt\": 1}'")
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            let row = try await Self.row(databases[0])
            #expect(row?.dead == true && row?.error?.hasPrefix("Its JSON cannot be read: ") == true)
        }
    }

    @Test(arguments: Engine.allCases)
    func `the job of an instance that is gone is due again when its lease ends`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "x"))
            // As an instance leaves it that was killed.
            try await databases[0].execute("UPDATE queued_jobs SET holder = 1, attempt = 1, due_at = due_at + 30000")
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .seconds(31))
            #expect(try await queue.run() == 1)
            // One that ends each of its instances is dead in the end.
            try await queue.jobs.add(Sample(text: "x"))
            try await databases[0].execute("UPDATE queued_jobs SET holder = 1, attempt = 3")
            await #expect(throws: JobsFailed.self) { try await queue.run() }
            #expect(try await Self.row(databases[0])?.dead == true)
        }
    }

    @Test func `no job runs after the end of the server, and another client begins with another`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Sample(text: "one"))
            #expect(try await queue.run() == 1)
            try await queue.client.stop()
            try await queue.jobs.add(Sample(text: "two"))
            await #expect(throws: WireClientError.self) { try await queue.run() }
            #expect(try await TestClient(queue.client.application).runJobs() == 1)
            #expect(queue.notes.all == ["one", "two"])
        }
    }

    private struct Untried: Job {
        static let maximumTries = 0

        func run(_ context: JobContext) async throws {}
    }

    @Test(arguments: [0, -1])
    func `a queue without places, or a type that is never tried, ends the start`(places: Int) async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], queues: ["default": 10, "mail": places])
            let error = await #expect(throws: StartError.self) { try await queue.run() }
            #expect(error?.description.contains("The queue mail has \(places) places") == true)
            let untried = try ByHand(databases[0], [Untried.self])
            let other = await #expect(throws: StartError.self) { try await untried.run() }
            #expect(other?.description.contains("maximumTries") == true)
        }
    }

    @Test func `two types of one name end the start`() async throws {
        try await Engine.sqlite.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], [Sample.self, Sample.self])
            await #expect(throws: StartError.self) { try await queue.run() }
        }
    }
}

extension ByHand {
    /// Another instance, at the same time as one.
    static func another(_ queue: ByHand, _ database: Database) throws -> ByHand {
        let other = try ByHand(database)
        other.clock.advance(by: queue.clock.now.offset)
        return other
    }
}
