import Engines
import RoostTesting
import Synchronization
import Testing

@testable import Roost
@testable import RoostSQL

/// Requests with an `Idempotency-Key` while the database is away for a moment.
@Suite("Late ends of requests with an Idempotency-Key", .quietLog, .timeLimit(.minutes(5)))
struct LateWriteTests {
    @Test(arguments: Engine.allCases)
    func `a response is kept when the database is there again`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("UPDATE idempotency_keys", times: 2)
            #expect(try await site.send().text == "1")
            #expect(try await site.send().status == .conflict)
            for pause in [1, 2] {
                await site.clock.waitForSleepers()
                site.clock.advance(by: .seconds(pause))
            }
            await site.database.lateWrites.settle()
            #expect(try await site.send().text == "1")
            site.clock.advance(by: .seconds(60))
            #expect(try await site.send().text == "1")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a key is freed when the database is there again`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("DELETE FROM idempotency_keys WHERE id = ", times: 1)
            site.refusals.store(1, ordering: .relaxed)
            #expect(try await site.send().status == .unprocessableContent)
            #expect(try await site.send().status == .conflict)
            await site.clock.waitForSleepers()
            site.clock.advance(by: .seconds(1))
            await site.database.lateWrites.settle()
            #expect(try await site.send().text == "2")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a claim of unknown outcome runs no handler, and its key is freed`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("INSERT INTO idempotency_keys", times: 1)
            let refusal = try await site.send()
            #expect(refusal.status == .serviceUnavailable && refusal.headers[.retryAfter] == "2")
            #expect(try await site.send().status == .conflict)
            await site.clock.waitForSleepers()
            site.clock.advance(by: .seconds(1))
            await site.database.lateWrites.settle()
            #expect(try await site.send().text == "1")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a response that waits is kept when the database's service stops`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("UPDATE idempotency_keys", times: 1)
            #expect(try await site.send().text == "1")
            await site.database.stop()
            #expect(try await site.send().text == "1")
        }
    }

    @Test(arguments: Engine.allCases)
    func `when the service stops, what fails is tried for some seconds more`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("UPDATE idempotency_keys", times: 4)
            #expect(try await site.send().text == "1")
            #expect(try await site.send(key: "l").text == "2")
            async let stop: Void = site.stop()
            while !site.hasStopped.load(ordering: .relaxed) {
                try Task.checkCancellation()
                await Task.yield()
                site.clock.advance(by: .milliseconds(200))
            }
            await stop
            #expect(try await site.send().text == "1")
            #expect(try await site.send(key: "l").text == "2")
        }
    }

    @Test(arguments: Engine.allCases)
    func `a response is given up when another request may have its key`(engine: Engine) async throws {
        try await Outage.run(engine) { site async throws in
            site.driver.fail("UPDATE idempotency_keys", times: 2)
            #expect(try await site.send().text == "1")
            await site.clock.waitForSleepers()
            site.clock.advance(by: .seconds(60))
            await site.database.lateWrites.settle()
            #expect(try await site.send().text == "2")
            #expect(try await site.send().text == "2")
        }
    }

    @Test func `only so many bytes and writes wait`() async {
        let driver = CannedDriver()
        let database = Database(driver, logger: LogLines().logger)
        let clock = TestClock()
        let time = withClock(clock) { TimeSource.current }
        let large = String(repeating: "a", count: LateWrites.maximumSize)
        for number in 1...1001 {
            let write = LateWrites.Write(
                sql: "UPDATE eggs SET name = \(large)", short: "UPDATE eggs SET id = \(number)", failure: "No",
                database: database, logger: LogLines().logger, time: time, end: time.instant() + .seconds(60))
            database.lateWrites.note(write, after: DatabaseError.connectionLost("gone"))
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        await database.lateWrites.settle()
        let short = (2...1000).map { CannedDriver.Event.run("UPDATE eggs SET id = \($0)") }
        #expect(driver.events.dropFirst().elementsEqual(short))
    }
}

/// A site on a database that fails when the test says so.
private final class Outage: Sendable {
    let driver: FailingDriver
    let database: Database
    let clock = TestClock()
    /// The number of runs of the handler that it refuses.
    let refusals = Atomic(0)
    let hasStopped = Atomic(false)
    private let runs = Atomic(0)
    private let keys: IdempotencyKeys

    private init(_ engine: Database) {
        driver = FailingDriver(engine.driver)
        database = Database(driver, configuration: engine.configuration, logger: LogLines().logger)
        let database = database
        keys = withClock(clock) { IdempotencyKeys(database, attemptTime: .seconds(60)) }
    }

    static func run(_ engine: Engine, _ body: @escaping @Sendable (Outage) async throws -> Void) async throws {
        try await engine.run { databases in
            try await Migrator(databases[0], IdempotencyKeys.migrations, logger: LogLines().logger).run()
            let site = Outage(databases[0])
            try await body(site)
            await site.keys.settle()
        }
    }

    func stop() async {
        await database.stop()
        hasStopped.store(true, ordering: .relaxed)
    }

    /// Sends a request, always the same.
    func send(key: String = "k") async throws -> WireClient.Response {
        let application = try Application(logger: LogLines().logger, middleware: [keys]) { routes in
            routes.post(Path("/eggs")) { _ in
                let run = self.runs.add(1, ordering: .relaxed).newValue
                guard run > self.refusals.load(ordering: .relaxed) else { throw HTTPError(.unprocessableContent) }
                return "\(run)"
            }
        }
        return try await TestClient(application).post("/eggs", headers: [.idempotencyKey: key])
    }
}

/// A driver around an engine's whose connection is lost where a test says so: before a statement, or after an `INSERT`.
private final class FailingDriver: WrappingDriver {
    let driver: any SQLDriver
    private let failing = Mutex((start: "", times: 0))

    /// Wraps a driver that has started.
    init(_ driver: any SQLDriver) { self.driver = driver }

    /// Fails some times at a statement that begins with a text.
    func fail(_ start: String, times: Int) { failing.withLock { $0 = (start, times) } }

    func run<State: Sendable>(
        _ statement: SQLStatement,
        into state: inout State,
        _ each: @escaping @Sendable (inout State, any SQLRow) throws -> Bool
    ) async throws -> SQLOutcome {
        let fails = failing.withLock { failing in
            guard failing.times > 0, statement.sql.text.hasPrefix(failing.start) else { return false }
            failing.times -= 1
            return true
        }
        guard fails else { return try await driver.run(statement, into: &state, each) }
        guard statement.sql.text.hasPrefix("INSERT") else { throw DatabaseError.connectionLost("gone") }
        _ = try await driver.run(statement, into: &state, each)
        throw DatabaseError.outcomeUnknown("no reply")
    }
}
