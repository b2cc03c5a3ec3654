import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// Statements that a connection has prepared before a table changed.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct StaleStatementTests {
    /// A number beyond those of `int`.
    private static let large = 3_000_000_000

    private static func insert(_ id: Int) -> SQL { "INSERT INTO birds (id) VALUES (\(id))" }

    private static func find(_ id: Int) -> SQL { "SELECT name FROM birds WHERE id = \(id)" }

    private static func name(_ name: String) -> SQL { "UPDATE birds SET name = \(name) WHERE id = 1" }

    private static func add(_ id: Int) -> SQL { "INSERT INTO birds (id) VALUES (\(id)) RETURNING *" }

    /// A table with one row, and one connection.
    private static func withBirds(_ body: @escaping @Sendable (Database) async throws -> Void) async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE TABLE birds (id int, name text DEFAULT 'x')")
            try await database.execute(insert(1))
            try await body(database)
        }
    }

    @Test func `after a column has changed its type, its new values are taken`() async throws {
        try await Self.withBirds { database async throws in
            #expect(try await database.first(Self.find(1), as: String.self) == "x")
            try await database.execute(Self.name("y"))
            _ = try await database.first(Self.add(2), as: Int.self)
            try await database.execute("ALTER TABLE birds ALTER id TYPE bigint")
            try await database.execute("ALTER TABLE birds ALTER name DROP DEFAULT, ALTER name TYPE int USING 7")
            try await database.execute(Self.insert(Self.large))
            #expect(try await database.query(Self.find(Self.large), as: Int?.self).count == 1)
            try await database.execute(Self.name("8"))
            #expect(try await database.first(Self.find(1), as: Int.self) == 8)
            #expect(try await database.first(Self.add(Self.large + 1), as: Int.self) == Self.large + 1)
            #expect(try await database.first("SELECT count(*) FROM birds", as: Int.self) == 4)
        }
    }

    @Test func `a value that stays wrong is refused, and no statement too many stays prepared`() async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1, statementCacheCapacity: 2)
        try await Place.loop.withDatabase(configuration) { database async throws in
            try await database.execute("CREATE TABLE birds (id int, name text)")
            for _ in 0..<4 {
                try await database.execute(Self.insert(1))
                let refused = DatabaseError.statement(code: "22003", message: "value")
                await #expect(throws: refused) { try await database.execute(Self.insert(Self.large)) }
                await #expect(throws: refused) { try await database.first(Self.add(Self.large), as: Int.self) }
            }
            #expect(try await database.first("SELECT count(*) FROM birds", as: Int.self) == 4)
            #expect(try await database.first("SELECT count(*) FROM pg_prepared_statements", as: Int.self) == 2)
        }
    }

    @Test func `a procedure that has committed something is not called again`() async throws {
        try await Self.withBirds { database async throws in
            try await database.execute(
                """
                CREATE PROCEDURE hatch(id int) LANGUAGE plpgsql AS
                'BEGIN INSERT INTO birds VALUES (id); COMMIT; RAISE SQLSTATE ''22003''; END'
                """)
            for _ in 0..<2 {
                await #expect(throws: DatabaseError.self) { try await database.execute("CALL hatch(\(2))") }
            }
            #expect(try await database.first("SELECT count(*) FROM birds", as: Int.self) == 3)
        }
    }

    @Test func `a change that returns rows with a new column takes effect once`() async throws {
        try await Self.withBirds { database async throws in
            _ = try await database.first(Self.add(2), as: Int.self)
            try await database.execute("ALTER TABLE birds DROP name")
            #expect(try await database.first(Self.add(3), as: Int.self) == 3)
            #expect(try await database.first("SELECT count(*) FROM birds", as: Int.self) == 3)
        }
    }

    @Test func `a transaction that meets a changed table may be tried again`() async throws {
        try await Self.withBirds { database async throws in
            let read: @Sendable () async throws -> Int? = {
                try await database.transaction { try await $0.first("SELECT * FROM birds", as: Int.self) }
            }
            _ = try await read()
            try await database.execute("ALTER TABLE birds DROP name")
            await #expect(throws: DatabaseError.tableHasChanged) { try await read() }
            #expect(try await read() == 1)
        }
    }

    @Test func `a transaction or a batch whose session has forgotten a statement may be tried again`() async throws {
        let runs: [@Sendable (Database) async throws -> Void] = [
            { _ = try await $0.transaction { try await $0.execute(Self.name("y")) } },
            { try await $0.batch([Self.name("y")]) },
        ]
        for run in runs {
            try await Self.withBirds { database async throws in
                // Prepares it.
                try await database.execute(Self.name("x"))
                try await database.execute("DEALLOCATE ALL")
                await #expect(throws: DatabaseError.tableHasChanged) { try await run(database) }
                try await run(database)
                #expect(try await database.first(Self.find(1), as: String.self) == "y")
            }
        }
    }

    @Test func `a batch fails at most once for what was prepared before`() async throws {
        try await Self.withBirds { database async throws in
            let update = "UPDATE birds SET id = id RETURNING *" as SQL
            let changes: [(SQL, SQL)] = [
                (update, "ALTER TABLE birds DROP name"), (update, "DEALLOCATE ALL"),
                (Self.insert(Self.large), "ALTER TABLE birds ALTER id TYPE bigint"),
            ]
            for (statement, change) in changes {
                // Prepares them.
                for old in [update, Self.insert(1)] { try await database.execute(old) }
                try await database.execute(change)
                await #expect(throws: DatabaseError.self, "\(change.text)") { try await database.batch([statement]) }
                try await database.batch([statement])
            }
        }
    }

    @Test func `reads that share a connection take new values, too`() async throws {
        var configuration = PostgresConfiguration(maximumConnections: 2)
        configuration.quick = .seconds(100)
        try await Numbers.withTable(configuration) { database async throws in
            let read: @Sendable (Int) async throws -> String? = { n in
                try await database.first("SELECT text FROM t WHERE n = \(n)", as: String.self)
            }
            _ = await Numbers.all(0..<100, read)
            try await database.execute("ALTER TABLE t ALTER n TYPE bigint")
            try await database.execute("UPDATE t SET n = n + \(Self.large)")
            let texts = await Numbers.all(0..<100) { try await read($0 + Self.large) }
            #expect(try texts.map { try $0.get() } == (0..<100).map { "\($0)" })
        }
    }
}
