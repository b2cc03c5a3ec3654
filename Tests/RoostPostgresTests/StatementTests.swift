import FoundationEssentials
import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// Statements on a real server.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct StatementTests {
    private struct Everything: Codable, Sendable, Equatable {
        var whole: Int64
        var small: Int16
        var real: Double
        var text: String
        var bytes: [UInt8]
        var truth: Bool
        var nothing: String?
        var time: Date
        var id: UUID
    }

    @Test(arguments: Place.allCases)
    func `every type can be written and read back`(place: Place) async throws {
        let value = Everything(
            whole: .min, small: -3, real: 0.1, text: "näive 🦆 '; DROP TABLE t; --", bytes: [0, 1, 0xFF, 0x5C],
            truth: true, nothing: nil, time: Date(timeIntervalSince1970: 1_700_000_000.25), id: UUID())
        let read = try await place.withDatabase { database async throws in
            try await database.execute(
                """
                CREATE TABLE t (whole bigint, small smallint, real double precision, text text, bytes bytea,
                truth boolean, nothing text, time timestamptz, id uuid)
                """
            )
            let changes = try await database.execute(
                """
                INSERT INTO t VALUES (\(value.whole), \(value.small), \(value.real), \(value.text), \(value.bytes),
                \(value.truth), \(value.nothing), \(value.time), \(value.id))
                """
            )
            #expect(changes == 1)
            return try await database.query("SELECT * FROM t", as: Everything.self)
        }
        #expect(read == [value])
    }

    @Test func `numbers of the database keep their range`() async throws {
        try await Place.loop.withDatabase { database async throws in
            #expect(try await database.first("SELECT 9223372036854775807", as: Int.self) == .max)
            #expect(try await database.first("SELECT (-9223372036854775808)::bigint", as: Int.self) == .min)
            #expect(try await database.first("SELECT sum(n) FROM (VALUES (1), (2)) AS t (n)", as: Int.self) == 3)
            let nan = try await database.first("SELECT 'NaN'::float8", as: Double.self)
            #expect(nan?.isNaN == true)
            #expect(try await database.first("SELECT '-Infinity'::float8", as: Double.self) == -.infinity)
            #expect(try await database.first("SELECT 1.5::numeric", as: Double.self) == 1.5)
            for (sql, type) in [("SELECT 9223372036854775808 AS n", "numeric"), ("SELECT 'x' AS n", "text")] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.first(SQL(unchecked: sql), as: Int.self)
                }
                #expect(text(error).contains(type), "\(sql)")
            }
        }
    }

    @Test func `values that PostgreSQL cannot store are refused before they are sent`() async throws {
        try await Place.loop.withDatabase { database async throws in
            await #expect(
                throws: DatabaseError.invalidValue(
                    "PostgreSQL cannot store a text that contains a null "
                        + "character (U+0000).")
            ) {
                try await database.first("SELECT \("a\0b")::text", as: String.self)
            }
            await #expect(throws: DatabaseError.self) { try await database.execute(SQL(unchecked: "SELECT 1\0")) }
            let many = Array(0..<70_000)
            let error = await #expect(throws: DatabaseError.self) {
                try await database.first("SELECT 1 IN (\(list: many))", as: Bool.self)
            }
            #expect(text(error).contains("65535 values at most"))
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `each kind of error is recognised`(place: Place) async throws {
        try await place.withDatabase { database async throws in
            try await database.execute(
                "CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL, CONSTRAINT small CHECK (n < 9))")
            try await database.execute("CREATE TABLE b (a int CONSTRAINT known REFERENCES a (id))")
            try await database.execute("INSERT INTO a VALUES (1, 1)")
            let cases: [(SQL, DatabaseError)] = [
                ("INSERT INTO a VALUES (1, 1)", .uniqueViolation("a.id")),
                ("INSERT INTO b VALUES (7)", .foreignKeyViolation("known")),
                ("INSERT INTO a VALUES (2, NULL)", .notNullViolation("a.n")),
                ("INSERT INTO a VALUES (2, 10)", .checkViolation("small")),
                ("SELEC 1", .statement(code: "42601", message: "syntax error at or near \"SELEC\"")),
                ("SELECT * FROM nowhere", .statement(code: "42P01", message: "relation \"nowhere\" does not exist")),
                ("COPY a TO STDOUT", .statement(code: "0A000", message: "COPY cannot be used here.")),
                ("SELECT 1/0", .statement(code: "22012", message: "division by zero")),
            ]
            for (sql, expected) in cases {
                await #expect(throws: expected, "\(sql.text)") { try await database.execute(sql) }
            }
            #expect(try await database.first("SELECT count(*) FROM a", as: Int.self) == 1)
        }
    }

    @Test func `a statement is prepared once, and again when its table has changed`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE TABLE t (id int)")
            try await database.execute("INSERT INTO t VALUES (1)")
            for _ in 0..<3 { #expect(try await database.first("SELECT * FROM t", as: Int.self) == 1) }
            let prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT * FROM t'" as SQL
            #expect(try await database.first(prepared, as: Int.self) == 1)
            try await database.execute("ALTER TABLE t ALTER id TYPE text")
            #expect(try await database.first("SELECT * FROM t", as: String.self) == "1")
            try await database.execute("DEALLOCATE ALL")
            #expect(try await database.first("SELECT * FROM t", as: String.self) == "1")
        }
    }

    @Test(arguments: [0, 1, 2, 5])
    func `no more statements are kept prepared than the cache holds`(capacity: Int) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1, statementCacheCapacity: capacity)
        try await Place.loop.withDatabase(configuration) { database async throws in
            for round in 0..<3 {
                for number in 0..<4 {
                    let sql = SQL(unchecked: "SELECT \(number)")
                    #expect(try await database.first(sql, as: Int.self) == number, "round \(round)")
                }
            }
            let count = try await database.first("SELECT count(*) FROM pg_prepared_statements", as: Int.self)
            #expect(count == capacity)
        }
    }

    @Test func `a result has its limits, and the connection goes on`() async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1, maximumResultSize: 1 << 20)
        try await Place.loop.withDatabase(configuration) { database async throws in
            let numbers = "SELECT n FROM generate_series(1, 10001) AS n" as SQL
            await #expect(throws: DatabaseError.tooManyRows(limit: 10_000)) {
                try await database.query(numbers, as: Int.self)
            }
            #expect(try await database.first(numbers, as: Int.self) == 1)
            // The last one is not read to its end, which would use up all memory.
            let texts = [
                "SELECT repeat('x', 2000000)", "SELECT repeat('x', 1000) FROM generate_series(1, 100000)",
                "SELECT repeat('x', 10000 + 0 * generate_series(1, 1000000000))",
            ]
            for large in texts {
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.first(SQL(unchecked: large), as: String.self)
                }
                #expect(text(error).contains("larger than 1048576 bytes"))
            }
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test func `of a result that is too large, no more is read than allowed`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE SEQUENCE made")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.execute(
                    "SELECT nextval('made'), repeat('x', 10000) FROM generate_series(1, 30000)")
            }
            #expect(text(error).contains("larger than 67108864 bytes"))
            // The server has made what was read, what the system keeps, and what it made until it was asked to end.
            let count = try await database.first("SELECT last_value FROM made", as: Int.self) ?? 0
            #expect((1..<20_000).contains(count), "\(count)")
        }
    }

    @Test func `after a change of a table, a transaction fails at most once`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE TABLE t (id int)")
            try await database.execute("INSERT INTO t VALUES (1)")
            let insert = "INSERT INTO t VALUES (2) RETURNING *" as SQL
            let select = "SELECT * FROM t" as SQL
            _ = try await database.query(select, as: Int.self)
            _ = try await database.query(insert, as: Int.self)
            for change: SQL in ["ALTER TABLE t ALTER id TYPE bigint", "ALTER TABLE t ALTER id TYPE int"] {
                try await database.execute(change)
                for statement in [select, insert] {
                    let read: @Sendable () async throws -> [Int] = {
                        try await database.transaction { try await $0.query(statement, as: Int.self) }
                    }
                    await #expect(throws: DatabaseError.self) { _ = try await read() }
                    #expect(try await read().isEmpty == false)
                }
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a stream brings all rows in portions`(place: Place) async throws {
        try await place.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            for limit in [0, 1, 255, 256, 257, 5_000] {
                var sum = 0
                for try await number in database.stream("SELECT generate_series(1, \(limit)::int)", as: Int.self) {
                    sum += number
                }
                #expect(sum == limit * (limit + 1) / 2)
            }
            // A task that leaves releases the only connection.
            for try await number in database.stream("SELECT generate_series(1, 1000000)", as: Int.self) {
                if number == 300 { break }
            }
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
            await #expect(throws: DatabaseError.self) {
                for try await _ in database.stream("SELECT n FROM nowhere", as: Int.self) {}
            }
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test func `a stream of wide rows reads fewer at a time`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumResultSize: 1 << 20)) { database async throws in
            // Narrow ones first; 256 of the wide ones would be too large.
            let rows = "SELECT repeat('x', CASE WHEN n > 40 THEN 20000 ELSE 3000 END) FROM generate_series(1, 300) AS n"
            var size = 0
            for try await text in database.stream(SQL(unchecked: rows), as: String.self) { size += text.utf8.count }
            #expect(size == 40 * 3_000 + 260 * 20_000)
        }
    }

    @Test func `streams leave a connection for the others, and are given back`() async throws {
        let many = "SELECT generate_series(1, 1000)" as SQL
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            for _ in 0..<3 {
                let first = database.stream(many, as: Int.self).makeAsyncIterator()
                #expect(try await first.next() == 1)
                let second = database.stream(many, as: Int.self).makeAsyncIterator()
                await #expect(throws: DatabaseError.unavailable("1 streams are open.")) { try await second.next() }
                #expect(try await database.first("SELECT 7", as: Int.self) == 7)
                while try await first.next() != nil {}
                await #expect(throws: DatabaseError.self) {
                    for try await _ in database.stream("SELECT n FROM nowhere", as: Int.self) {}
                }
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a batch takes effect as a whole or not at all`(place: Place) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1)
        try await place.withDatabase(configuration, timeout: .seconds(100)) { database async throws in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY, text text)")
            let text = String(repeating: "x", count: 1_000)
            try await database.batch((1...3_000).map { "INSERT INTO t VALUES (\($0), \(text))" })
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 3_000)
            await #expect(throws: DatabaseError.uniqueViolation("t.n")) {
                try await database.batch((2_000...5_000).reversed().map { "INSERT INTO t VALUES (\($0), \(text))" })
            }
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 3_000)
            // Results larger than all buffers, while statements are still being sent.
            try await database.batch((1...30).map { _ in "SELECT text FROM t" } + ["DELETE FROM t"])
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test func `a batch with a value that cannot be sent costs no connection`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let session = try await database.first("SELECT pg_backend_pid()", as: Int.self)
            for wrong in ["SELECT \("\0")", SQL(unchecked: "SELECT '\0'")] as [SQL] {
                await #expect(throws: DatabaseError.self) { try await database.batch(["SELECT 1", wrong]) }
            }
            #expect(try await database.first("SELECT pg_backend_pid()", as: Int.self) == session)
        }
    }

    @Test func `a number has all its digits, whatever the server's settings are`() async throws {
        try await Place.loop.withDatabase(options: "?options=-c%20extra_float_digits%3D0") { database async throws in
            let sum = "SELECT 0.1::float8 + 0.2::float8" as SQL
            #expect(try await database.first(sum, as: Double.self) == 0.1 + 0.2)
        }
    }
}
