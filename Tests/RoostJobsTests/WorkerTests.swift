import Engines
import Logging
import Roost
import RoostJobs
import RoostSQL
import RoostTesting
import Synchronization
import Testing

/// Jobs that run by themselves, as in a program that serves.
@Suite("Workers", .timeLimit(.minutes(5)))
struct WorkerTests {
    /// Tells the test that it has begun, and waits until that says so.
    struct Slow: Job {
        var number = 0

        static let maximumTries = 3
        static let deadline = Duration.minutes(3)

        func run(_ context: JobContext) async throws {
            try await context.service(Gate.self).pass(number)
        }
    }

    /// One that never ends by itself.
    struct Endless: Job {
        static let deadline = Duration.milliseconds(500)

        func run(_ context: JobContext) async throws { try await context.service(Gate.self).pass(0) }
    }

    final class Gate: Sendable {
        let begun: AsyncStream<Int>
        private let begin: AsyncStream<Int>.Continuation
        private let opened = Latch()
        private let cancelled = Latch()

        init() { (begun, begin) = AsyncStream.makeStream() }

        func open() { opened.open() }
        func waitForCancellation() async { await cancelled.wait() }

        func pass(_ number: Int) async throws {
            begin.yield(number)
            await withTaskCancellationHandler {
                await opened.wait()
            } onCancel: {
                cancelled.open()
                opened.open()
            }
            try Task.checkCancellation()
        }
    }

    private static func serve(
        _ database: Database, _ gate: Gate, places: Int = 4, drainTime: Duration = .seconds(100)
    ) async throws -> (Jobs, InProcessServer) {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let jobs = Jobs(
            database, [Slow.self, Endless.self], queues: ["default": places], services: [gate], drainTime: drainTime,
            logger: silent)
        let application = try Application(services: [jobs], middleware: []) { _ in }
        let server = try await InProcessServer(
            application.configuration, application, services: [jobs], logger: silent)
        return (jobs, server)
    }

    private struct Row: Decodable, Sendable, Equatable {
        let attempt: Int
        let isHeld, hasFailed: Bool
    }

    private static func rows(_ database: Database) async throws -> [Row] {
        let sql: SQL = """
            SELECT attempt, holder IS NOT NULL AS "isHeld", error IS NOT NULL AS "hasFailed"
            FROM queued_jobs ORDER BY id
            """
        return try await database.query(sql, as: Row.self)
    }

    @Test(arguments: Engine.allCases)
    func `jobs run by themselves, those of another instance too`(engine: Engine) async throws {
        try await engine.jobs(instances: 2) { (databases) async throws in
            let gate = Gate()
            gate.open()
            let (jobs, server) = try await Self.serve(databases[0], gate)
            var begun = gate.begun.makeAsyncIterator()
            try await jobs.add(Slow(number: 1))
            #expect(await begun.next() == 1)
            let other = Jobs(databases[1], [Slow.self])
            for number in 2...4 {
                try await other.add(Slow(number: number))
                #expect(await begun.next() == number)
            }
            try await jobs.add(Slow(number: 5), after: .milliseconds(30))
            #expect(await begun.next() == 5)
            await server.stop()
            #expect(try await Self.rows(databases[0]) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `no more run at once than the queue has places`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let gate = Gate()
            let (jobs, server) = try await Self.serve(databases[0], gate, places: 2)
            try await jobs.add(contentsOf: (1...5).map { Slow(number: $0) })
            var begun = gate.begun.makeAsyncIterator()
            #expect(Set([await begun.next(), await begun.next()]) == [1, 2])
            let held = Row(attempt: 1, isHeld: true, hasFailed: false)
            let free = Row(attempt: 0, isHeld: false, hasFailed: false)
            #expect(try await Self.rows(databases[0]) == [held, held, free, free, free])
            gate.open()
            for _ in 3...5 { #expect(await begun.next() != nil) }
            await server.stop()
            #expect(try await Self.rows(databases[0]) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `of several workers, one runs each job`(engine: Engine) async throws {
        try await engine.jobs(instances: 2) { (databases) async throws in
            let gate = Gate()
            gate.open()
            let workers = [try await Self.serve(databases[0], gate), try await Self.serve(databases[1], gate)]
            try await workers[0].0.add(contentsOf: (1...300).map { Slow(number: $0) })
            var (seen, begun) = ([Int](), gate.begun.makeAsyncIterator())
            while seen.count < 300, let number = await begun.next() { seen.append(number) }
            #expect(seen.sorted() == Array(1...300))
            for worker in workers { await worker.1.stop() }
            #expect(try await Self.rows(databases[0]) == [])
        }
    }

    @Test(arguments: Engine.allCases)
    func `one that takes longer than its deadline is cancelled, and has failed`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let gate = Gate()
            let (jobs, server) = try await Self.serve(databases[0], gate)
            try await jobs.add(Endless())
            await gate.waitForCancellation()
            await server.stop()
            #expect(try await Self.rows(databases[0]) == [Row(attempt: 1, isHeld: false, hasFailed: true)])
        }
    }

    @Test(arguments: Engine.allCases)
    func `when the program ends, running jobs end first`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let gate = Gate()
            let (jobs, server) = try await Self.serve(databases[0], gate, places: 1)
            try await jobs.add(contentsOf: [Slow(number: 1), Slow(number: 2)])
            var begun = gate.begun.makeAsyncIterator()
            #expect(await begun.next() == 1)
            let end = Task { await server.stop() }
            jobs.serverDrains()
            gate.open()
            await end.value
            #expect(try await Self.rows(databases[0]) == [Row(attempt: 0, isHeld: false, hasFailed: false)])
        }
    }

    @Test(arguments: Engine.allCases)
    func `what does not end in time is given back, and was not tried`(engine: Engine) async throws {
        try await engine.jobs { (databases) async throws in
            let gate = Gate()
            let (jobs, server) = try await Self.serve(databases[0], gate, drainTime: .zero)
            try await jobs.add(Slow(number: 1))
            var begun = gate.begun.makeAsyncIterator()
            #expect(await begun.next() == 1)
            await server.stop()
            #expect(try await Self.rows(databases[0]) == [Row(attempt: 0, isHeld: false, hasFailed: false)])
        }
    }
}
