import Processes
import Roost
import RoostSQL
import Synchronization
import Testing

@testable import RoostPostgres

/// Reads that share a connection.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct ReadPipelineTests {
    private struct Row: SQLReadable, Equatable {
        let n: Int
        let text: String

        init(reading columns: inout SQLColumns) throws {
            n = try columns.read("n")
            text = try columns.read("text")
        }
    }

    /// A database with a table of the numbers from 0 to 99.
    private func withNumbers(
        _ configuration: PostgresConfiguration = PostgresConfiguration(),
        _ body: @escaping @Sendable (Database) async throws -> Void
    ) async throws {
        try await Place.loop.withDatabase(configuration) { database async throws in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY, text text NOT NULL)")
            try await database.execute("INSERT INTO t SELECT n, n::text FROM generate_series(0, 99) AS n")
            try await body(database)
        }
    }

    /// Runs something for each number in one turn of the loop; returns what came of it, in order.
    private func all<Value: Sendable>(
        _ numbers: Range<Int>, _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for number in numbers {
                group.addTask {
                    do { return (number, .success(try await body(number))) } catch { return (number, .failure(error)) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Holds a lock of a table, for which every read of it waits, while something is done.
    private func whileLocked(
        _ table: String, of database: Database, _ body: () async throws -> Void
    ) async throws {
        let holder = try await OtherTransaction(database)
        try await holder.execute("LOCK TABLE \(identifier: table) IN ACCESS EXCLUSIVE MODE")
        do { try await body() } catch { Issue.record(error) }
        await holder.end()
    }

    /// A task on this loop, where unstructured tasks do not stay by themselves.
    private func task<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: EventLoop.current) { try await body() }
    }

    @Test func `what one turn asks for goes out together, and everybody gets their own row`() async throws {
        try await withNumbers { database async throws in
            let rows = await all(0..<100) { number in
                try await database.first("SELECT n, text FROM t WHERE n = \(number)", as: Row.self)
            }
            let texts = try rows.map { try $0.get()?.text }
            #expect(texts == (0..<100).map { "\($0)" })
            // The time of a transaction is that of its beginning.
            let times = await all(0..<30) { number in
                try await database.first(
                    "SELECT CURRENT_TIMESTAMP::text FROM t WHERE n = \(number)", as: String.self)
            }
            let different = try Set(times.map { try $0.get() })
            #expect(different.count == 1)
            let driver = try #require(database.driver as? PostgresDriver)
            #expect(driver.pool.state.withLock { $0.count } <= 4)
        }
    }

    @Test func `an error is that of its own statement`() async throws {
        try await withNumbers(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let session = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            for _ in 0..<3 {
                let results = await all(0..<100) { number in
                    try await database.first("SELECT 100 / (n % 10) FROM t WHERE n = \(number)", as: Int.self)
                }
                for (number, result) in results.enumerated() {
                    guard number % 10 == 0 else {
                        #expect(try result.get() == 100 / (number % 10))
                        continue
                    }
                    #expect(throws: DatabaseError.statement(code: "22012", message: "division by zero")) {
                        try result.get()
                    }
                }
            }
            #expect(try await database.first("SELECT pg_backend_pid()", as: Int.self) == session)
        }
    }

    @Test func `a statement that cannot be prepared fails alone`() async throws {
        try await withNumbers(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let results = await all(0..<20) { number in
                let sql: SQL =
                    number % 2 == 0 ? "SELECT n FROM t WHERE n = \(number)" : "SELECT n FROM nowhere WHERE n = 1"
                return try await database.first(sql, as: Int.self)
            }
            for (number, result) in results.enumerated() {
                if number % 2 == 0 {
                    #expect(try result.get() == number)
                } else {
                    #expect(throws: DatabaseError.self) { try result.get() }
                }
            }
        }
    }

    @Test func `nothing is run twice`() async throws {
        try await withNumbers { database async throws in
            try await database.execute("CREATE SEQUENCE s")
            // It looks like a plain read, and counts how often it is run.
            try await database.execute("CREATE VIEW v AS SELECT nextval('s') AS n")
            let results = await all(0..<60) { number in
                try await database.first(
                    number % 7 == 3 ? "SELECT 1 / n FROM t WHERE n = 0" : "SELECT n FROM v", as: Int.self)
            }
            let numbers = results.compactMap { try? $0.get() }
            #expect(numbers.count == results.count - 9)
            #expect(Set(numbers) == Set(1...numbers.count))
            #expect(try await database.first("SELECT last_value FROM s", as: Int.self) == numbers.count)
        }
    }

    @Test func `a read that waits for a lock does not hold up those beside it`() async throws {
        try await withNumbers { database async throws in
            try await database.execute("CREATE TABLE other (n int)")
            try await database.execute("INSERT INTO other VALUES (7)")
            var late: Task<Int?, any Error>?
            try await whileLocked("other", of: database) {
                late = task { try await database.first("SELECT n FROM other", as: Int.self) }
                let rows = await all(0..<50) { number in
                    try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                }
                let numbers = try rows.map { try $0.get() }
                #expect(numbers == Array(0..<50))
            }
            #expect(try await late?.value == 7)
        }
    }

    @Test func `reads before and after one that waits for a lock get their results too`() async throws {
        try await withNumbers { database async throws in
            try await database.execute("CREATE TABLE other (n int)")
            try await database.execute("INSERT INTO other VALUES (7)")
            let readers = Mutex<[Task<Int?, any Error>]>([])
            try await whileLocked("other", of: database) {
                for number in 0..<30 {
                    let sql: SQL = number % 10 == 5 ? "SELECT n FROM other" : "SELECT n FROM t WHERE n = \(number)"
                    let reader = task { try await database.first(sql, as: Int.self) }
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
        try await withNumbers(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            let session = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            let tasks = Mutex<[Task<Int?, any Error>]>([])
            try await whileLocked("t", of: database) {
                for number in 0..<10 {
                    let task = task { try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self) }
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

    @Test func `a read ends at its deadline`() async throws {
        try await withNumbers { database async throws in
            try await whileLocked("t", of: database) {
                let impatient = database.with(timeout: .milliseconds(50))
                let results = await all(0..<5) { number in
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
        try await withNumbers { database async throws in
            try await whileLocked("t", of: database) {
                let results = task {
                    await all(0..<20) { try await database.first("SELECT n FROM t WHERE n = \($0)", as: Int.self) }
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

    @Test func `a transaction shares its connection with nobody`() async throws {
        try await withNumbers(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            let isOver = Latch()
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        while !isOver.isOpen {
                            let count = try await database.first("SELECT count(*) FROM t", as: Int.self) ?? 0
                            #expect(count.isMultiple(of: 2))
                        }
                    }
                }
                for number in 0..<20 {
                    try await database.transaction { transaction in
                        let session = try await transaction.first("SELECT pg_backend_pid()", as: Int.self)
                        for number in [1_000 + 2 * number, 1_001 + 2 * number] {
                            try await transaction.execute("INSERT INTO t VALUES (\(number), '')")
                        }
                        #expect(try await transaction.first("SELECT pg_backend_pid()", as: Int.self) == session)
                        let count = try await transaction.first("SELECT count(*) FROM t", as: Int.self)
                        #expect(count == 102 + 2 * number)
                    }
                }
                isOver.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func `those who need a connection to themselves get the only one, however many read`() async throws {
        try await withNumbers(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let isOver = Latch()
            try await withThrowingTaskGroup { group in
                for number in 0..<50 {
                    group.addTask {
                        while !isOver.isOpen {
                            _ = try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                        }
                    }
                }
                for number in 0..<50 {
                    try await database.execute("UPDATE t SET text = '' WHERE n = \(number)")
                }
                isOver.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func `no more reads wait than may`() async throws {
        try await withNumbers(PostgresConfiguration(maximumConnections: 1, maximumQueue: 5)) { database async throws in
            let results = Mutex<[Result<Int?, any Error>]>([])
            let holder = try await OtherTransaction(database)
            let reads = task {
                await all(0..<20) { number in
                    do {
                        return try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                    } catch {
                        results.withLock { $0.append(.failure(error)) }
                        throw error
                    }
                }
            }
            while results.withLock({ $0.count }) < 15 || database.driver.use?.waiting != 5 { await Task.yield() }
            await holder.end()
            let ended = try await reads.value
            #expect(ended.filter { (try? $0.get()) != nil }.count == 5)
            for case .failure(let error as DatabaseError) in ended {
                guard case .unavailable = error else {
                    Issue.record(error)
                    continue
                }
            }
        }
    }

    @Test func `a large result is refused to its reader only`() async throws {
        let configuration = PostgresConfiguration(maximumConnections: 3, maximumResultSize: 4 << 20)
        try await withNumbers(configuration) { database async throws in
            try await database.execute("CREATE TABLE large (text text)")
            try await database.execute(
                "INSERT INTO large SELECT repeat('x', 1000) FROM generate_series(1, 9000)")
            for _ in 0..<3 {
                let results = await all(0..<30) { number in
                    guard number != 9 else {
                        return try await database.query("SELECT text FROM large", as: String.self).count
                    }
                    return try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self) ?? -1
                }
                for (number, result) in results.enumerated() where number != 9 {
                    #expect(try result.get() == number)
                }
                let error = #expect(throws: DatabaseError.self) { try results[9].get() }
                #expect(text(error).contains("larger than 4194304 bytes"))
            }
            #expect(
                try await database.query("SELECT text FROM large LIMIT 300", as: String.self).map(\.utf8.count)
                    == Array(repeating: 1_000, count: 300))
        }
    }
}
