import Engines
import Roost
import RoostJobs
import RoostTesting
import Testing

/// What was written while the clock was ahead, on all engines.
@Suite("Jobs and a clock that is put right", .timeLimit(.minutes(5)))
struct JobClockTests {
    private static let ahead = Duration.hours(9600)

    @Test(arguments: Engine.allCases)
    func `a key that was taken while the clock was ahead is free once it is right`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            queue.clock.advance(by: Self.ahead)
            #expect(try await queue.jobs.add(Sample(text: "one", key: "a")) != nil)
            queue.clock.advance(by: .zero - Self.ahead)
            #expect(try await queue.jobs.add(Sample(text: "two", key: "a")) != nil)
            #expect(try await queue.jobs.add(Sample(text: "same", key: "a")) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a key is held although another job asks for it for some hours less`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            #expect(try await queue.jobs.add(Sample(text: "one"), unique: JobKey("a", for: .hours(20))) != nil)
            #expect(try await queue.jobs.add(Sample(text: "same"), unique: JobKey("a", for: .hours(1))) == nil)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a schedule goes on in the same process once the clock is right`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], schedules: [JobSchedule("@hourly", Sample(text: "now"))])
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: Self.ahead)
            #expect(try await queue.run() == 1)
            queue.clock.advance(by: .zero - Self.ahead)
            #expect(try await queue.run() == 0)
            queue.clock.advance(by: .hours(1))
            #expect(try await queue.run() == 1)
        }
    }
}
