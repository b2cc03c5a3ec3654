import Glibc
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostSQLite

/// The writer's thread with the test's own jobs, the first of which holds it up.
@Suite("Threads of SQLite", .timeLimit(.minutes(5)))
struct ThreadTests {
    private struct Oops: Error {}

    /// A job that waits on the writer's thread until the test lets it go on, and then does something.
    private struct Hold<Value: Sendable>: Sendable {
        private let semaphore = CountingSemaphore()
        private let task: Task<Value, any Error>

        init(_ driver: SQLiteDriver, _ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async {
            let begun = Latch()
            task = Task { [semaphore] in
                try await SQLiteWork(deadline: .now + .seconds(3600)) { connection in
                    begun.open()
                    semaphore.wait()
                    return try work(connection)
                }.run(driver.write)
            }
            await begun.wait()
        }

        func end() async throws -> Value {
            semaphore.post()
            return try await task.value
        }
    }

    private static func open(_ database: Database, _ sql: SQL) async throws -> any SQLCursor {
        let statement = SQLStatement(sql, isQuery: true, deadline: .now + .seconds(3600))
        return try await database.driver.open(statement)
    }

    private static func fetch(_ cursor: any SQLCursor) async throws -> Int {
        try await cursor.fetch(atMost: 1, deadline: .now + .seconds(3600), into: 0) { count, _ in count += 1 }.state
    }

    @Test func `a stream that ends while the queue is full is let go by the writer's thread`() async throws {
        var configuration = SQLiteConfiguration(path: ":memory:")
        configuration.maximumQueue = 1
        let driver = SQLiteDriver(configuration)
        let database = Database(driver, configuration: DatabaseConfiguration(timeout: .seconds(3600)))
        try await database.start()
        try await database.execute("CREATE TABLE n (n)")
        try await database.execute("INSERT INTO n VALUES (1), (2)")
        var cursor: (any SQLCursor)? = try await Self.open(database, "SELECT n FROM n")
        if let cursor { #expect(try await Self.fetch(cursor) == 1) }
        // As long as a statement is open, its table cannot be dropped.
        let hold = await Hold(driver) { connection in try connection.execute("DROP TABLE n") }
        let filler = SQLiteWork(deadline: .now + .seconds(3600)) { _ in }
        filler.becomeQueued()
        #expect(driver.write(filler) == nil)
        cursor?.close()
        cursor = nil
        await #expect(throws: DatabaseError.self) { try await hold.end() }
        // After the job that lets go, whether or not the filler has left the queue.
        let drop = SQLiteWork(deadline: .now + .seconds(3600)) { try $0.execute("DROP TABLE n") }
        try await drop.run(driver.lanes.take().putBeyondLimit)
        await database.stop()
    }

    @Test func `a stream whose connection was closed is an error, not an end`() async throws {
        try await Scratch.run { (database, scratch) async throws in
            let cursor = try await Self.open(database, "SELECT id FROM users")
            #expect(try await Self.fetch(cursor) == 1)
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix, scratch.path + suffix + ".away") }
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM users") }
            for suffix in ["", "-wal", "-shm"] { rename(scratch.path + suffix + ".away", scratch.path + suffix) }
            await #expect(throws: DatabaseError.self) { try await Self.fetch(cursor) }
            cursor.close()
            await #expect(throws: DatabaseError.self) { try await Self.fetch(cursor) }
        }
    }

    @Test func `a job that cannot be undone alone is undone with its group`() async throws {
        try await Scratch.run { (database, _) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let hold = await Hold(driver) { _ in }
            let works: [@Sendable (SQLiteConnection) throws -> Void] = [
                { try $0.execute("INSERT INTO users (name) VALUES ('before')") },
                { connection in
                    try connection.execute("INSERT INTO users (name) VALUES ('half')")
                    // As if what is needed to undo it were lost.
                    try connection.execute("RELEASE job")
                    throw Oops()
                },
                { try $0.execute("INSERT INTO users (name) VALUES ('behind')") },
            ]
            let results = try await withThrowingTaskGroup { group in
                for (index, work) in works.enumerated() {
                    let isQueued = Latch()
                    group.addTask {
                        let job = SQLiteWork(deadline: .now + .seconds(3600), isGrouped: true, work)
                        let result = await Task {
                            try await job.run { job in
                                defer { isQueued.open() }
                                return driver.write(job)
                            }
                        }.result
                        return (index, result)
                    }
                    await isQueued.wait()
                }
                try await hold.end()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count == 3)
            for (_, result) in results { #expect(throws: DatabaseError.self) { try result.get() } }
            let names = try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
            #expect(names == ["Nelson", "Cathy"])
        }
    }

    @Test func `a query that is finished does not wait for the next one`() async throws {
        try await Scratch.run({ $0.readers = 1 }) { (database, _) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let (begun, goOn, told) = (Latch(), CountingSemaphore(), CountingSemaphore())
            @Sendable func read(_ body: @escaping @Sendable () -> Void) async throws {
                let statement = SQLStatement("SELECT 1", isQuery: true, deadline: .now + .seconds(3600))
                var nothing: Void = ()
                _ = try await driver.run(statement, into: &nothing) { _, _ in
                    body()
                    return true
                }
            }
            // Also where the test ends early.
            defer { goOn.post() }
            async let holding: Void = read {
                begun.open()
                goOn.wait()
            }
            await begun.wait()
            async let short: Void = {
                try await read {}
                told.post()
            }()
            while driver.use?.waiting ?? 0 < 1 {
                try Task.checkCancellation()
                await Task.yield()
            }
            let wasTold = Mutex(false)
            async let long: Void = read {
                // The limit only ends the test if the other one is told afterwards.
                let isTold = told.wait(atMost: .seconds(200))
                wasTold.withLock { $0 = isTold }
            }
            while driver.use?.waiting ?? 0 < 2 {
                try Task.checkCancellation()
                await Task.yield()
            }
            goOn.post()
            _ = try await (holding, short, long)
            #expect(wasTold.withLock { $0 })
        }
    }

    /// A clock that is two hours ahead when the writer's thread reads it for a second time in a commit. The first time
    /// is just before it.
    private final class CommitClock: Sendable {
        private let state = Mutex<(thread: pthread_t?, reads: Int)>((nil, 0))

        func begins(on thread: pthread_t) { state.withLock { $0 = (thread, 0) } }

        func ends() { state.withLock { $0 = (nil, 0) } }

        var read: @Sendable () -> ContinuousClock.Instant {
            {
                let isLate = self.state.withLock { state in
                    guard state.thread == pthread_self() else { return false }
                    state.reads += 1
                    return state.reads > 1
                }
                return ContinuousClock.now + .seconds(isLate ? 7200 : 0)
            }
        }
    }

    /// SQLite counts the steps of a statement over all its runs, and asks after some thousand whether to go on. So it
    /// does that in a short one, too, and perhaps when everything is done. The time for each commit is an hour.
    @Test func `no deadline ends a commit that has begun`() async throws {
        let clock = CommitClock()
        let configure: (inout SQLiteConfiguration) -> Void = {
            $0.now = clock.read
            $0.durability = .normal
        }
        try await Scratch.run(configure) { (database, _) async throws in
            let driver = try #require(database.driver as? SQLiteDriver)
            let thread = try await SQLiteWork(deadline: .now + .seconds(3600)) { _ in pthread_self() }.run(driver.write)
            for number in 3...2002 {
                defer { clock.ends() }
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO users (name) VALUES (\("name \(number)"))")
                    clock.begins(on: thread)
                }
            }
            #expect(try await database.first("SELECT count(*) FROM users", as: Int.self) == 2002)
        }
    }
}
