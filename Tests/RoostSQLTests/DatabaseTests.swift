import Logging
import Roost
import RoostTesting
import Synchronization
import Testing

@testable import RoostSQL

@Suite("A database", .timeLimit(.minutes(5)))
struct DatabaseTests {
    private struct Oops: Error {}

    private static func numbers(_ count: Int) -> CannedDriver {
        CannedDriver(["n"], (0..<count).map { [.integer(Int64($0))] })
    }

    @Test func `query gives all rows, first the first, execute their number`() async throws {
        let database = Database(Self.numbers(3))
        #expect(try await database.query("SELECT", as: Int.self) == [0, 1, 2])
        #expect(try await database.first("SELECT", as: Int.self) == 0)
        #expect(try await database.execute("DELETE") == 3)
    }

    @Test func `a result has a limit`() async throws {
        let database = Database(Self.numbers(11), configuration: DatabaseConfiguration(maximumRows: 10))
        await #expect(throws: DatabaseError.tooManyRows(limit: 10)) { try await database.query("SELECT", as: Int.self) }
        let exact = Database(Self.numbers(10), configuration: DatabaseConfiguration(maximumRows: 10))
        #expect(try await exact.query("SELECT", as: Int.self).count == 10)
    }

    @Test func `a transaction commits, or rolls back what threw`() async throws {
        let driver = Self.numbers(1)
        let database = Database(driver)
        let value = try await database.transaction { transaction in
            try await transaction.execute("UPDATE")
            return "done"
        }
        #expect(value == "done")
        #expect(driver.events == [.began, .run("UPDATE"), .committed])
        await #expect(throws: Oops.self) { try await database.transaction { _ in throw Oops() } }
        #expect(driver.events.suffix(2) == [.began, .rolledBack])
    }

    @Test func `a task that is cancelled commits nothing`() async throws {
        let driver = Self.numbers(1)
        let task = Task {
            try await Database(driver).transaction { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(driver.events == [.began, .rolledBack])
    }

    @Test func `a statement that returns changed rows is in a transaction where they are committed unread`()
        async throws
    {
        let driver = CannedDriver(["n"], [[.text("x")]], dialect: .postgresql)
        let database = Database(driver)
        #expect(try await database.first("INSERT", as: String.self) == "x")
        #expect(try await database.query("UPDATE", as: String.self) == ["x"])
        #expect(driver.events == [.began, .run("INSERT"), .committed, .began, .run("UPDATE"), .committed])
        for isFirst in [true, false] {
            await #expect(throws: DatabaseError.self) {
                if isFirst { return _ = try await database.first("DELETE", as: Int.self) }
                _ = try await database.query("DELETE", as: Int.self)
            }
            #expect(driver.events.suffix(3) == [.began, .run("DELETE"), .rolledBack])
        }
        let count = driver.events.count
        _ = try await database.first("SELECT", as: String.self)
        try await database.execute("INSERT")
        #expect(driver.events.dropFirst(count) == [.run("SELECT"), .run("INSERT")])
    }

    @Test func `an id is a number for sure, so an insert that returns it needs no transaction`() async throws {
        let driver = CannedDriver(["id"], [[.integer(7)]], dialect: .postgresql)
        #expect(try await Database(driver).insert("INSERT") == 7)
        #expect(driver.events == [.run("INSERT RETURNING id")])
    }

    @Test(arguments: [0, 1, 255, 256, 257, 600])
    func `a stream reads portions until the end`(count: Int) async throws {
        let driver = Self.numbers(count)
        var seen: [Int] = []
        for try await number in Database(driver).stream("SELECT", as: Int.self) { seen.append(number) }
        #expect(seen == Array(0..<count))
        #expect(driver.events.last == .closed)
        #expect(driver.events.filter { $0 == .closed }.count == 1)
    }

    @Test func `a stream reads no further than it is asked, and releases its connection`() async throws {
        let driver = Self.numbers(10_000)
        for try await number in Database(driver).stream("SELECT", as: Int.self) where number == 5 { break }
        #expect(driver.events == [.fetched(256), .closed])
    }

    @Test func `a stream that fails releases its connection and ends`() async throws {
        let driver = CannedDriver(["n"], [[.text("x")]])
        let rows = Database(driver).stream("SELECT", as: Int.self).makeAsyncIterator()
        await #expect(throws: DatabaseError.self) { try await rows.next() }
        #expect(try await rows.next() == nil)
        #expect(driver.events == [.fetched(1), .closed])
    }

    @Test func `the log has each statement with its time and without its values`() async throws {
        let clock = Mutex(ContinuousClock.now)
        let step = Mutex(Duration.milliseconds(12))
        var configuration = DatabaseConfiguration()
        configuration.now = {
            clock.withLock { clock in
                clock += step.withLock { $0 }
                return clock
            }
        }
        let lines = LogLines(.debug)
        let database = Database(Self.numbers(1), configuration: configuration, logger: lines.logger)
        try await database.execute("UPDATE users\n SET name = \("secret")")
        step.withLock { $0 = .milliseconds(100) }
        try await database.execute("DELETE")
        #expect(
            lines.allWithLevels == [
                "debug SQL: 12.0 ms UPDATE users SET name = $1", "warning Slow SQL: 100.0 ms DELETE",
            ])
    }

    @Test func `the log has a transaction's begin and end, a batch, and each portion of a stream`() async throws {
        let now = ContinuousClock.now
        var configuration = DatabaseConfiguration()
        configuration.now = { now }
        let lines = LogLines(.debug)
        let database = Database(Self.numbers(257), configuration: configuration, logger: lines.logger)
        _ = try await database.transaction { try await $0.execute("UPDATE") }
        try await database.batch(["INSERT", "DELETE"])
        for try await _ in database.stream("SELECT", as: Int.self) {}
        let statements = ["BEGIN", "UPDATE", "COMMIT", "batch of 2: INSERT", "SELECT", "SELECT"]
        #expect(lines.all == statements.map { "SQL: 0.0 ms \($0)" })
    }

    @Test(arguments: [
        DatabaseError.busy("x"), .timeout("x"), .unavailable("x"), .connectionLost("x"), .serializationFailure("x"),
        .full("x"), .readOnly("x"), .corrupt("x"),
    ])
    func `a database that is unavailable is a 503, and one line in the log`(error: DatabaseError) async throws {
        let lines = LogLines(.debug)
        let database = Database(CannedDriver(failure: error))
        let app = try Application(logger: lines.logger, middleware: [ErrorPages(logger: lines.logger)]) { routes in
            routes.get(Path("/")) { _ in "\(try await database.execute("DELETE"))" }
        }
        let response = try await TestClient(app).get("/")
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "2")
        #expect(lines.allWithLevels == ["error 127.0.0.1 GET /: \(error)"])
    }

    @Test func `a mistake of the program is a 500`() async throws {
        let database = Database(CannedDriver(failure: .statement(code: "1", message: "no such table: users")))
        let pages = ErrorPages(logger: LogLines().logger, explains: false)
        let app = try Application(middleware: [pages]) { routes in
            routes.get(Path("/")) { _ in "\(try await database.execute("DELETE"))" }
        }
        let response = try await TestClient(app).get("/")
        #expect(response.status == .internalServerError)
        #expect(!response.text.contains("users"))
    }
}
