import Processes
import RoostSQL
import Synchronization
import Testing

@testable import Roost
@testable import RoostPostgres

/// Reads that share a connection.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SharedReadTests {
    private struct Row: SQLReadable, Equatable {
        let n: Int
        let text: String

        init(reading columns: inout SQLColumns) throws {
            n = try columns.read("n")
            text = try columns.read("text")
        }
    }

    @Test func `everybody gets their own row, however many read at once`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            for _ in 0..<5 {
                let rows = await Numbers.all(0..<100) { number in
                    try await database.first("SELECT n, text FROM t WHERE n = \(number)", as: Row.self)
                }
                let texts = try rows.map { try $0.get()?.text }
                #expect(texts == (0..<100).map { "\($0)" })
            }
        }
    }

    /// Waits with a lock on the table until two reads wait for it, one on each connection, and then calls `body` with a
    /// statement that was quick on both.
    private func whileBothWait(
        _ statement: SQL, _ body: @escaping @Sendable (Database, OtherTransaction) async throws -> Void
    ) async throws {
        var configuration = PostgresConfiguration(maximumConnections: 2)
        configuration.quick = .seconds(100)
        try await Numbers.withTable(configuration) { database async throws in
            let holder = try await OtherTransaction(database)
            await Numbers.warm(database)
            for _ in 0..<4 {
                _ = await Numbers.all(0..<8) { _ in try await database.first(statement, as: Int.self) }
            }
            try await holder.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
            let reads = Numbers.task {
                await Numbers.all(0..<2) { try await database.first("SELECT n FROM t WHERE n = \($0)", as: Int.self) }
            }
            while database.driver.use?.busy != 2 { try await turn() }
            try await body(database, holder)
            #expect(try await reads.value.map { try $0.get() } == [0, 1])
        }
    }

    @Test func `a read with large values follows nobody`() async throws {
        let large = String(repeating: "a", count: 300_000)
        let statement: SQL = "SELECT n FROM t WHERE n = 3 AND text <> \(large)"
        try await whileBothWait(statement) { database, holder async throws in
            let read = Numbers.task { try await database.first(statement, as: Int.self) }
            while database.driver.use?.waiting != 1 { try await turn() }
            await holder.end()
            #expect(try await read.value == 3)
        }
    }

    @Test func `a read follows nobody who may wait longer`() async throws {
        let statement: SQL = "SELECT n FROM t WHERE n = 3"
        try await whileBothWait(statement) { database, holder async throws in
            let read = Numbers.task {
                try await database.with(timeout: .seconds(60)).first(statement, as: Int.self)
            }
            while database.driver.use?.waiting != 1 { try await turn() }
            await holder.end()
            #expect(try await read.value == 3)
        }
    }

    @Test func `reads that find no connection follow the one that is under way`() async throws {
        var configuration = PostgresConfiguration(maximumConnections: 2)
        configuration.quick = .seconds(100)
        try await Numbers.withTable(configuration) { database async throws in
            let holder = try await OtherTransaction(database)
            await Numbers.warm(database)
            try await holder.execute("LOCK TABLE t IN ACCESS EXCLUSIVE MODE")
            let reads = Numbers.task {
                await Numbers.all(0..<8) { try await database.first("SELECT n FROM t WHERE n = \($0)", as: Int.self) }
            }
            let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 't'::regclass" as SQL
            while try await holder.count(waiting) == 0 { try await turn() }
            #expect(database.driver.use == SQLUse(busy: 2, idle: 0, limit: 2, waiting: 0))
            // A ninth finds no room, and a change shares with nobody.
            let ninth = Numbers.task { try await database.first("SELECT n FROM t WHERE n = \(8)", as: Int.self) }
            while database.driver.use?.waiting != 1 { try await turn() }
            let change = Numbers.task { try await database.execute("DELETE FROM t WHERE n = \(9)") }
            while database.driver.use?.waiting != 2 { try await turn() }
            await holder.end()
            #expect(try await reads.value.map { try $0.get() } == Array(0..<8))
            #expect(try await ninth.value == 8)
            #expect(try await change.value == 1)
        }
    }

    @Test func `an error is that of its own statement`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let session = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            for _ in 0..<3 {
                let results = await Numbers.all(0..<100) { number in
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
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let results = await Numbers.all(0..<20) { number in
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
        try await Numbers.withTable { database async throws in
            try await database.execute("CREATE SEQUENCE s")
            // It counts how often it is run.
            try await database.execute("CREATE VIEW v AS SELECT nextval('s') AS n")
            let results = await Numbers.all(0..<60) { number in
                try await database.first(
                    number % 7 == 3 ? "SELECT 1 / n FROM t WHERE n = 0" : "SELECT n FROM v", as: Int.self)
            }
            let numbers = results.compactMap { try? $0.get() }
            #expect(numbers.count == results.count - 9)
            #expect(Set(numbers) == Set(1...numbers.count))
            #expect(try await database.first("SELECT last_value FROM s", as: Int.self) == numbers.count)
        }
    }

    @Test func `what a read writes behind a view stays written, whatever fails beside it`() async throws {
        try await Numbers.withTable { database async throws in
            try await database.execute("CREATE TABLE visits (n int)")
            try await database.execute(
                """
                CREATE FUNCTION visit() RETURNS bigint LANGUAGE sql VOLATILE
                AS 'INSERT INTO visits VALUES (1); SELECT count(*) FROM visits'
                """)
            try await database.execute("CREATE VIEW visit AS SELECT visit() AS n")
            var visits = 0
            for _ in 0..<3 {
                let results = await Numbers.all(0..<30) { number in
                    switch number % 10 {
                    case 3: try await database.first("SELECT n FROM visit", as: Int.self)
                    case 7: try await database.first("SELECT 1 / n FROM t WHERE n = 0", as: Int.self)
                    default: try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                    }
                }
                for (number, result) in results.enumerated() {
                    switch number % 10 {
                    case 3: visits += try result.get() == nil ? 0 : 1
                    case 7: #expect(throws: DatabaseError.self) { try result.get() }
                    default: #expect(try result.get() == number)
                    }
                }
                #expect(try await database.first("SELECT count(*) FROM visits", as: Int.self) == visits)
            }
            #expect(visits == 9)
        }
    }

    @Test func `a session that has forgotten its statements learns them again`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            for _ in 0..<2 {
                _ = try await database.first("SELECT n FROM t WHERE n = \(1)", as: Int.self)
                try await database.execute("DEALLOCATE ALL")
                let results = await Numbers.all(0..<30) { number in
                    try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                }
                let numbers = try results.map { try $0.get() }
                #expect(numbers == Array(0..<30))
            }
        }
    }

    @Test func `a transaction shares its connection with nobody`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            try await Numbers.whileReading(20) { _ in
                let count = try await database.first("SELECT count(*) FROM t", as: Int.self) ?? 0
                #expect(count.isMultiple(of: 2))
            } _: {
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
            }
        }
    }

    @Test func `those who need a connection to themselves get the only one, however many read`() async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await Numbers.whileReading(50) { number in
                _ = try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
            } _: {
                for number in 0..<50 {
                    try await database.execute("UPDATE t SET text = '' WHERE n = \(number)")
                }
            }
        }
    }

    @Test(arguments: [1, 2])
    func `no more reads wait than may, on all loops together`(count: Int) async throws {
        try await Numbers.withTable(PostgresConfiguration(maximumConnections: 1, maximumQueue: 5)) {
            database async throws in
            let others = try EventLoopGroup(count: count - 1, pool: BlockingPool(threads: 1, queue: 10))
            defer { others.stop() }
            let refused = Mutex(0)
            let holder = try await OtherTransaction(database)
            let readers = ([EventLoop.current] + others.loops).map { loop in
                Numbers.task(on: loop) {
                    await Numbers.all(0..<20) { number in
                        do {
                            return try await database.first("SELECT n FROM t WHERE n = \(number)", as: Int.self)
                        } catch {
                            #expect(text(error).contains("5 callers are already waiting"))
                            refused.withLock { $0 += 1 }
                            throw error
                        }
                    }
                }
            }
            while refused.withLock({ $0 }) < 20 * count - 5 || database.driver.use?.waiting != 5 { try await turn() }
            await #expect(throws: DatabaseError.self) { try await database.execute("DELETE FROM t") }
            await holder.end()
            var read = 0
            for reader in readers { read += try await reader.value.count { (try? $0.get()) != nil } }
            #expect(read == 5)
            #expect(database.driver.use?.waiting == 0)
        }
    }

    @Test func `a large result is refused to its reader only`() async throws {
        let configuration = PostgresConfiguration(maximumConnections: 3, maximumResultSize: 4 << 20)
        try await Numbers.withTable(configuration) { database async throws in
            try await database.execute("CREATE TABLE large (text text)")
            try await database.execute(
                "INSERT INTO large SELECT repeat('x', 1000) FROM generate_series(1, 9000)")
            for _ in 0..<3 {
                let results = await Numbers.all(0..<30) { number in
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
