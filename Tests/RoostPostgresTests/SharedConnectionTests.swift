import Processes
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostPostgres

/// Reads that share a connection with others that wait, are cancelled, or lose it.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SharedConnectionTests {
    @Test func `a read that waits for a lock does not hold up those beside it`() async throws {
        try await Numbers.withTable { database async throws in
            try await database.execute("CREATE TABLE other (n int)")
            try await database.execute("INSERT INTO other VALUES (7)")
            var late: Task<Int?, any Error>?
            try await Numbers.whileLocked("other", of: database) {
                late = Numbers.task { try await database.first("SELECT n FROM other", as: Int.self) }
                let rows = await Numbers.all(0..<50) { number in
                    try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                }
                let numbers = try rows.map { try $0.get() }
                #expect(numbers == Array(0..<50))
            }
            #expect(try await late?.value == 7)
        }
    }

    @Test func `reads before and after one that waits for a lock get their results too`() async throws {
        try await Numbers.withTable { database async throws in
            try await database.execute("CREATE TABLE other (n int)")
            try await database.execute("INSERT INTO other VALUES (7)")
            let readers = Mutex<[Task<Int?, any Error>]>([])
            try await Numbers.whileLocked("other", of: database) {
                for number in 0..<30 {
                    let sql: SQL = number % 10 == 5 ? "SELECT n FROM other" : "SELECT n FROM t WHERE n = \(number)"
                    let reader = Numbers.task { try await database.first(sql, as: Int.self) }
                    readers.withLock { $0.append(reader) }
                }
                for (number, reader) in readers.withLock({ $0 }).enumerated() where number % 10 != 5 {
                    let found = try await reader.value
                    #expect(found == number)
                }
            }
            for number in [5, 15, 25] {
                let found = try await readers.withLock { $0[number] }.value
                #expect(found == 7)
            }
        }
    }

    @Test func `a cancelled read ends at once, and those beside it go on`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            let session = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            await Numbers.warm(database)
            let tasks = Mutex<[Task<Int?, any Error>]>([])
            try await Numbers.whileLocked("t", of: database) {
                for number in 0..<10 {
                    let task = Numbers.task {
                        try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                    }
                    tasks.withLock { $0.append(task) }
                }
                await Task.yield()
                for task in tasks.withLock({ $0 }).prefix(5) {
                    task.cancel()
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
            }
            for (number, task) in tasks.withLock({ $0 }).enumerated() where number >= 5 {
                #expect(try await task.value == number)
            }
            let sessions = try await database.query(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid IS NOT NULL",
                as: Int.self)
            #expect(sessions.contains(session ?? 0))
        }
    }

    @Test(arguments: [(Duration.zero, false), (.seconds(1000), true)])
    func `a statement that fails is quick no longer if it took long`(quick: Duration, isQuick: Bool) async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            var configuration = PostgresConfiguration.patient
            configuration.quick = quick
            let driver = try PostgresDriver(url, configuration: configuration, logger: .silent)
            let entry = try await driver.pool.take(until: .now + .seconds(100))
            let statement = StatementCache.Entry(name: "one", text: "SELECT 1")
            statement.isQuick = true
            await #expect(throws: DatabaseError.timeout("late")) {
                _ = try await entry.connection.timed(statement) { throw DatabaseError.timeout("late") }
            }
            #expect(statement.isQuick == isQuick)
            driver.pool.giveBack(entry)
            await driver.stop()
        }
    }

    @Test func `a read ends at its deadline`() async throws {
        try await Numbers.withTable { database async throws in
            await Numbers.warm(database)
            try await Numbers.whileLocked("t", of: database) {
                let impatient = database.with(timeout: .milliseconds(50))
                let results = await Numbers.all(0..<5) { number in
                    try await impatient.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                }
                for result in results {
                    let error = #expect(throws: DatabaseError.self) { try result.get() }
                    switch error {
                    // The second is for one that has no connection yet.
                    case .timeout, .unavailable: break
                    default: Issue.record("\(text(error))")
                    }
                }
            }
            #expect(try await database.first("SELECT n FROM t WHERE n = \(1)", as: Int.self) == 1)
        }
    }

    @Test func `a connection that dies fails each read on it, and the next ones get another`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 3)) { database async throws in
            await Numbers.warm(database)
            try await Numbers.whileLocked("t", of: database) {
                let results = Numbers.task {
                    await Numbers.all(0..<20) {
                        try await database.first("SELECT n FROM t WHERE n = \($0)", as: Int.self)
                    }
                }
                let server = try await PostgresServer.shared()
                let name = try await database.first("SELECT current_database()", as: String.self) ?? ""
                let isOver = Latch()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        while !isOver.isOpen {
                            _ = try? await server.psql(
                                """
                                SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
                                WHERE datname = '\(name)' AND wait_event_type = 'Lock'
                                """
                            )
                        }
                    }
                    for result in try await results.value {
                        let error = #expect(throws: DatabaseError.self) { try result.get() }
                        guard case .connectionLost = error else {
                            Issue.record("\(text(error))")
                            continue
                        }
                    }
                    isOver.open()
                }
            }
            #expect(try await database.first("SELECT n FROM t WHERE n = \(1)", as: Int.self) == 1)
        }
    }

    @Test func `each read gets its own rows, even where a transaction cannot be ended`() async throws {
        try await Numbers.withTable { database async throws in
            try await database.execute(
                "CREATE TABLE child (n int REFERENCES t (n) DEFERRABLE INITIALLY DEFERRED)")
            try await database.execute(
                """
                CREATE FUNCTION orphan() RETURNS int LANGUAGE sql VOLATILE
                AS 'INSERT INTO child VALUES (-1) RETURNING n'
                """)
            try await database.execute("CREATE VIEW strange AS SELECT orphan() AS n")
            let violation = DatabaseError.foreignKeyViolation("child_n_fkey")
            for _ in 0..<5 {
                let rows = await Numbers.all(0..<40) { number in
                    let sql: SQL = number % 10 == 5 ? "SELECT n FROM strange" : "SELECT n FROM t WHERE n = \(number)"
                    return try await database.first(sql, as: Int.self)
                }
                for (number, row) in rows.enumerated() {
                    if number % 10 == 5 {
                        #expect(throws: violation) { try row.get() }
                    } else {
                        #expect(try row.get() == number)
                    }
                }
                await #expect(throws: violation) { try await database.first("SELECT n FROM strange", as: Int.self) }
                let alone = try await database.first("SELECT n FROM t WHERE n = 7", as: Int.self)
                #expect(alone == 7)
            }
            let count = try await database.first("SELECT count(*) FROM child", as: Int.self)
            #expect(count == 0)
        }
    }
}
