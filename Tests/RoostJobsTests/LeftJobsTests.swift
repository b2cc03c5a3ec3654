import Engines
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Testing

/// What the log of a test says of jobs that `runJobs()` leaves undone.
@Suite("Jobs that a test leaves", .quietLog, .timeLimit(.minutes(5)))
struct LeftJobsTests {
    private struct Forgotten: Job {
        func run(_ context: JobContext) async throws {}
    }

    private struct Elsewhere: Job {
        static let queue = "elsewhere"

        func run(_ context: JobContext) async throws {}
    }

    private static func names(in log: LogLines) -> [String] {
        let start = "warning This program does not know the job "
        return log.allWithLevels.compactMap { line in
            line.hasPrefix(start) ? line.dropFirst(start.count).prefix { $0 != "," }.description : nil
        }
    }

    @Test(arguments: Engine.allCases, [true, false])
    func `due ones of a type that is not in the list are named once, whatever their queue`(
        engine: Engine, hasTypes: Bool
    ) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0], hasTypes ? [Sample.self] : [])
            try await queue.jobs.add(Forgotten())
            try await queue.jobs.add(Elsewhere())
            for _ in 0..<2 { #expect(try await queue.run() == 0) }
            #expect(Self.names(in: queue.log) == ["Elsewhere", "Forgotten"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `ones that are not due yet, or have run, are not named`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let queue = try ByHand(databases[0])
            try await queue.jobs.add(Forgotten(), after: .hours(1))
            try await queue.jobs.add(Sample(text: "one"))
            #expect(try await queue.run() == 1)
            #expect(queue.log.allWithLevels == [])
        }
    }

    @Test func `an application without Jobs says so`() async throws {
        let log = LogLines()
        let client = TestClient(try Application(logger: log.logger, middleware: []) { _ in })
        #expect(try await client.runJobs() == 0)
        let line = "warning No Jobs is among the services of the application: runJobs() has run nothing."
        #expect(log.allWithLevels.filter { $0.hasSuffix("has run nothing.") } == [line])
    }
}
