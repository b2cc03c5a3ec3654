import Glibc
import RoostSQL
import RoostSQLite
import RoostTesting
import Synchronization
import Testing

/// A statement that takes hours.
private let endless: SQL = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

/// More rows than a stream reads at a time.
private let many: SQL =
    "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n"

@Suite("Limits of SQLite", .timeLimit(.minutes(5)))
struct SQLiteLimitTests {
    @Test func `a statement ends at its deadline, in the middle`() async throws {
        // The clock stands still until the statement runs, which shows when it first reads the clock.
        let clock = SteppingClock()
        try await Scratch.run({ $0.now = clock.read }) { (database, _) async throws in
            // So long that nothing is late only because a thread is slow to start.
            let limited = clock.database(database.driver, timeout: .seconds(36_000))
            clock.advancesBy(.seconds(10))
            await #expect(throws: DatabaseError.timeout("the statement was interrupted.")) {
                try await limited.first(endless, as: Int.self)
            }
            await #expect(throws: DatabaseError.timeout("the statement was interrupted.")) {
                try await limited.execute("INSERT INTO users (name) SELECT 'x' || count(*) FROM (\(endless))")
            }
            clock.advancesBy(.zero)
            #expect(try await limited.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a statement whose time is over before its turn is not run`() async throws {
        let clock = SteppingClock()
        try await Scratch.run({ $0.now = clock.read }) { (database, _) async throws in
            let late = clock.database(database.driver, timeout: .seconds(30), behind: .seconds(60))
            await #expect(throws: DatabaseError.timeout("the statement waited too long for its turn.")) {
                try await late.execute("DELETE FROM users")
            }
            await #expect(throws: DatabaseError.timeout("the statement waited too long for its turn.")) {
                try await late.ping()
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a task that is cancelled interrupts its statement`() async throws {
        try await Scratch.run { (database, _) async throws in
            for isRead in [true, false] {
                let task = Task {
                    if isRead { return try await database.first(endless, as: Int.self) }
                    return try await database.execute("INSERT INTO users (name) SELECT count(*) FROM (\(endless))")
                }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a statement that waits for its turn is withdrawn at once`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.whileWriterIsHeld { () async throws in
                // It runs here until it waits.
                let task = Task.immediate { try await database.execute("DELETE FROM users") }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a deadline counts while a statement waits, whoever holds the threads`() async throws {
        let clock = SteppingClock()
        let configure: (inout SQLiteConfiguration) -> Void = {
            ($0.now, $0.readers, $0.maximumStreams) = (clock.read, 1, 1)
        }
        try await Scratch.run(configure) { (database, _) async throws in
            let limited = clock.database(database.driver, timeout: .seconds(1))
            let isRunning = Latch()
            clock.onRead(isRunning.open)
            let slow = Task { try await database.first(endless, as: Int.self) }
            await isRunning.wait()
            try await database.whileWriterIsHeld { () async throws in
                let waiting = [
                    Task.immediate { _ = try await limited.execute("DELETE FROM users") },
                    Task.immediate { try await limited.batch(["DELETE FROM users"]) },
                    Task.immediate { try await limited.transaction { _ in } },
                    Task.immediate { try await limited.ping() },
                ]
                clock.advance(by: .seconds(2))
                for task in waiting {
                    await #expect(throws: DatabaseError.timeout("the statement waited too long for its turn.")) {
                        try await task.value
                    }
                }
            }
            slow.cancel()
            await #expect(throws: CancellationError.self) { try await slow.value }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a statement that waits no longer leaves room for others`() async throws {
        let clock = SteppingClock()
        try await Scratch.run({ ($0.now, $0.maximumQueue) = (clock.read, 2) }) { (database, _) async throws in
            let limited = clock.database(database.driver, timeout: .seconds(1))
            var last: [Task<Int, any Error>] = []
            try await database.whileWriterIsHeld { () async throws in
                let cancelled = Task.immediate { try await database.execute("DELETE FROM users") }
                let late = Task.immediate { try await limited.execute("DELETE FROM users") }
                cancelled.cancel()
                clock.advance(by: .seconds(2))
                await #expect(throws: CancellationError.self) { try await cancelled.value }
                await #expect(throws: DatabaseError.self) { try await late.value }
                last = [1, 2].map { id in
                    Task.immediate { try await database.execute("DELETE FROM users WHERE id = \(id)") }
                }
            }
            for task in last { #expect(try await task.value == 1) }
        }
    }

    @Test func `statements beyond the queue's limit are refused`() async throws {
        try await Scratch.run({ $0.maximumQueue = 2 }) { (database, _) async throws in
            var waiting: [Task<Int, any Error>] = []
            try await database.whileWriterIsHeld { () async throws in
                waiting = (0..<2).map { number in
                    Task.immediate { try await database.execute("INSERT INTO users (name) VALUES (\("n\(number)"))") }
                }
                await #expect(throws: DatabaseError.unavailable("2 statements are already waiting.")) {
                    try await database.execute("DELETE FROM users")
                }
            }
            for task in waiting { #expect(try await task.value == 1) }
        }
    }

    @Test func `a list of many values is prepared within the time that a statement has`() async throws {
        try await Scratch.run({ _ in }, DatabaseConfiguration()) { (database, _) async throws in
            do {
                #expect(try await database.execute("DELETE FROM users WHERE id IN \(list: 1...120_000)") == 2)
            } catch DatabaseError.invalidValue {
                // SQLite can be built to take fewer.
            }
        }
    }

    @Test func `many values go where they stand, whatever else the text has`() async throws {
        try await Scratch.run { (database, _) async throws in
            let rows = SQL.joined((1...3000).map { number -> SQL in "(\(number))" })
            #expect(try await database.query("VALUES \(rows)", as: Int.self) == Array(1...3000))
            #expect(try await database.stream("VALUES \(rows)", as: Int.self).makeAsyncIterator().next() == 1)
            let count: SQL = "SELECT count(*) FROM users WHERE id IN \(list: 1...2000)"
            for sql in [
                count, "\(count) AND 'why?' <> ''", "\(count) AND $2 = 2", "\(count) AND '\(7)' <> \("7")",
                "\(count) /* \(7) */ AND $2 = 2 AND \(8) = 8",
            ] as [SQL] {
                #expect(try await database.first(sql, as: Int.self) == 2, "\(sql.text.suffix(40))")
            }
            await #expect(throws: DatabaseError.transactionControl) {
                try await database.execute("ROLLBACK /* \(list: 1...2000) */")
            }
        }
    }

    @Test func `more values than SQLite takes soon enough are refused`() async throws {
        try await Scratch.run { (database, _) async throws in
            let places = (1...5001).map { "$\($0)" }.joined(separator: ", ")
            let values = (1...5001).map { SQLValue.integer($0) }
            let reason = "has a ? in its text, can have 5000 values at most, and this one has 5001."
            let error = await #expect(throws: DatabaseError.self) {
                try await database.execute(
                    SQL(unchecked: "DELETE FROM users WHERE id IN (\(places))", bindings: values))
            }
            #expect(String(describing: error).contains(reason))
            await #expect(throws: DatabaseError.self) {
                try await database.execute("DELETE FROM users WHERE name <> '?' AND id IN \(list: 1...5001)")
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a slow statement does not keep others from reading`() async throws {
        try await Scratch.run { (database, _) async throws in
            let slow = Task { try await database.first(endless, as: Int.self) }
            for _ in 0..<100 { #expect(try await database.first("SELECT 1", as: Int.self) == 1) }
            slow.cancel()
            await #expect(throws: CancellationError.self) { try await slow.value }
        }
    }

    @Test func `a stream holds one portion, sees one moment, and lets the writer go on`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("DELETE FROM users")
            let sql: SQL = """
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
                INSERT INTO users (id, name) SELECT i, 'name ' || i FROM n
                """
            #expect(try await database.execute(sql) == 20_000)
            var seen = 0
            for try await user in database.stream("SELECT id, name FROM users ORDER BY id", as: User.self) {
                seen += 1
                #expect(user.id == seen)
                if seen == 300 { try await database.execute("DELETE FROM users WHERE id > 400") }
            }
            #expect(seen == 20_000)
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 400)
        }
    }

    @Test func `a stream that cannot begin gives its thread back once`() async throws {
        try await Scratch.run({ $0.maximumStreams = 1 }) { (database, _) async throws in
            await #expect(throws: DatabaseError.self) {
                for try await _ in database.stream("SELECT nothing FROM nowhere", as: Int.self) {}
            }
            let first = database.stream("\(many)", as: Int.self).makeAsyncIterator()
            #expect(try await first.next() == 1)
            let second = database.stream("SELECT id FROM users", as: Int.self).makeAsyncIterator()
            await #expect(throws: DatabaseError.unavailable("1 streams are open.")) { try await second.next() }
            #expect(try await first.next() == 2)
        }
    }

    @Test func `streams are few, and are given back`() async throws {
        try await Scratch.run({ $0.maximumStreams = 1 }) { (database, _) async throws in
            for _ in 0..<3 {
                let first = database.stream("\(many)", as: Int.self).makeAsyncIterator()
                #expect(try await first.next() == 1)
                let second = database.stream("SELECT id FROM users", as: Int.self).makeAsyncIterator()
                await #expect(throws: DatabaseError.unavailable("1 streams are open.")) { try await second.next() }
                while try await first.next() != nil {}
                _ = consume first
            }
            for try await _ in database.stream("\(many)", as: Int.self) { break }
            #expect(try await database.stream("SELECT id FROM users", as: Int.self).makeAsyncIterator().next() == 1)
            let writing = database.stream("DELETE FROM users RETURNING id", as: Int.self).makeAsyncIterator()
            await #expect(throws: DatabaseError.self) { try await writing.next() }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2)
        }
    }

    @Test func `a table without a next id is named beside a full disk, for which SQLite takes it`() async throws {
        try await Scratch.run { (database, _) async throws in
            try await database.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT)")
            try await database.execute("INSERT INTO pets VALUES (9223372036854775807)")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.execute("INSERT INTO pets DEFAULT VALUES")
            }
            let end = ", or a table with AUTOINCREMENT has a row with the greatest id"
            #expect(error?.description.hasSuffix(end) == true, "\(String(describing: error))")
        }
    }

    @Test func `a thousand different statements fit a small cache`() async throws {
        try await Scratch.run({ $0.statementCacheCapacity = 3 }) { (database, _) async throws in
            for number in 0..<1000 {
                #expect(try await database.first(SQL(unchecked: "SELECT \(number % 7)"), as: Int.self) == number % 7)
            }
        }
    }
}

/// A clock that stands still, or advances by a step each time that the driver reads it.
final class SteppingClock: Sendable {
    private let state = Mutex((now: ContinuousClock.now, step: Duration.zero))
    private let reading = Mutex<(@Sendable () -> Void)?>(nil)

    func advancesBy(_ step: Duration) { state.withLock { $0.step = step } }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    /// Calls something each time that the driver reads the clock.
    func onRead(_ body: @escaping @Sendable () -> Void) { reading.withLock { $0 = body } }

    /// A database of the same driver with a time limit, whose statements begin at the clock's time, or before it. To
    /// begin one does not advance the clock.
    func database(_ driver: any SQLDriver, timeout: Duration, behind: Duration = .zero) -> Database {
        var configuration = DatabaseConfiguration(timeout: timeout)
        configuration.now = { self.state.withLock { $0.now } - behind }
        return Database(driver, configuration: configuration)
    }

    /// The time as the driver reads it.
    var read: @Sendable () -> ContinuousClock.Instant {
        {
            self.reading.withLock { $0 }?()
            return self.state.withLock { state in
                state.now += state.step
                return state.now
            }
        }
    }
}
