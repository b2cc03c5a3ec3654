import Processes
import RoostPostgres
import RoostTesting
import Testing

@testable import RoostSQL

/// Migrations on a server that several programs share.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct MigratorTests {
    private static let first = Migration("pets", sql: Array("CREATE TABLE pets (id INT)".utf8))
    private static let second = Migration(
        "names", sql: Array("ALTER TABLE pets ADD name TEXT; INSERT INTO pets VALUES (1, 'a;b')".utf8))

    @Test(arguments: ["read committed", "repeatable read", "serializable"])
    func `a migrator that waited for another one sees what that has done`(isolation: String) async throws {
        try await Place.loop.withDatabase { database async throws in
            let name = try await database.first("SELECT current_database()", as: String.self) ?? ""
            let setting = "ALTER DATABASE \(name) SET default_transaction_isolation = '\(isolation)'"
            try await PostgresServer.shared().psql(setting)
            let url = try await PostgresServer.shared().url(name)
            let driver = try PostgresDriver(url, configuration: .patient)
            let other = Database(driver, configuration: database.configuration)
            try await other.start()
            var late: Task<Int, any Error>?
            try await database.transaction { transaction in
                try await transaction.execute("SELECT pg_advisory_xact_lock(7237429153)")
                let lines = LogLines()
                late = Task { try await Migrator(other, [Self.first], logger: lines.logger).run().count }
                while !lines.all.contains(where: { $0.contains("waits for it") }) { try await turn() }
                try await transaction.execute("CREATE TABLE pets (id INT)")
                try await transaction.execute(
                    "CREATE TABLE schema_migrations (version BIGINT, name TEXT, checksum TEXT, applied_at TEXT)")
                let checksum = Self.first.checksum(for: .postgresql)
                try await transaction.execute("INSERT INTO schema_migrations VALUES (1, 'pets', \(checksum), 'now')")
            }
            #expect(try await late?.value == 0)
            await other.stop()
        }
    }

    @Test func `asking for the status waits for no migration, and changes nothing`() async throws {
        try await Place.loop.withDatabase { database async throws in
            let migrator = Migrator(database, [Self.first, Self.second])
            #expect(try await migrator.status().map(\.appliedAt) == [nil, nil])
            let count = "SELECT count(*) FROM pg_tables WHERE tablename = 'schema_migrations'" as SQL
            #expect(try await database.first(count, as: Int.self) == 0)
            try await migrator.run()
            try await database.transaction { transaction in
                try await transaction.execute("SELECT pg_advisory_xact_lock(7237429153)")
                #expect(try await apart { try await migrator.status() }.allSatisfy { $0.appliedAt != nil })
            }
        }
    }

    @Test func `what can be in no transaction says that it needs two connections`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let index = Migration(
                "index", sql: "CREATE INDEX CONCURRENTLY pets_id ON pets (id)", inTransaction: false)
            let error = await #expect(throws: MigrationError.self) {
                try await Migrator(database, [Self.first, index]).run()
            }
            #expect(text(error).contains("needs two connections"))
        }
    }

    @Test func `an index is made beside transactions, by one of many that start at once`() async throws {
        try await Place.loop.withDatabase { database async throws in
            let index = Migration(
                "index", sql: "CREATE INDEX CONCURRENTLY pets_id ON pets (id)", inTransaction: false)
            let applied = try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await Migrator(database, [Self.first, index]).run().count } }
                return try await group.reduce(0, +)
            }
            #expect(applied == 2)
            let valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'pets_id'::regclass" as SQL
            #expect(try await database.first(valid, as: Bool.self) == true)
            #expect(try await Migrator(database, [Self.first, index]).status().allSatisfy { $0.appliedAt != nil })
        }
    }

    @Test func `an index that a failed try has left invalid is an error`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE pets (id INT)")
            try await database.execute("INSERT INTO pets VALUES (1), (1)")
            let index = Migration(
                "index", sql: "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS Pets_id ON pets (id)",
                inTransaction: false)
            let first = await #expect(throws: MigrationError.self) { try await Migrator(database, [index]).run() }
            #expect(text(first).hasPrefix("Migration index failed, and may have changed something: "))
            // Its name only begins like that of the invalid one.
            let other = Migration(
                "other", sql: "CREATE INDEX CONCURRENTLY pets_id_name ON pets (id)", inTransaction: false)
            #expect(try await Migrator(database, [other]).run().count == 1)
            let both = [other, index]
            let second = await #expect(throws: MigrationError.self) { try await Migrator(database, both).run() }
            #expect(text(second).contains("run DROP INDEX CONCURRENTLY pets_id, and then the migration again"))
            #expect(try await Migrator(database, both).status().filter { $0.appliedAt != nil }.count == 1)
            try await database.execute("DELETE FROM pets")
            try await database.execute("DROP INDEX CONCURRENTLY pets_id")
            #expect(try await Migrator(database, both).run().count == 1)
        }
    }

    @Test func `the time that a role's statements may take is not that of a migration`() async throws {
        let options = "?options=-c%20statement_timeout%3D1h%20-c%20idle_in_transaction_session_timeout%3D1h"
        try await Place.loop.withDatabase(options: options) { database async throws in
            let setting = "SELECT current_setting('statement_timeout')" as SQL
            #expect(try await database.first(setting, as: String.self) == "1h")
            // A division by zero if there is a limit.
            let slow = Migration(
                "slow",
                sql: """
                    SELECT 1 / (current_setting('statement_timeout') = '0')::int;
                    SELECT 1 / (current_setting('idle_in_transaction_session_timeout') = '0')::int
                    """)
            #expect(try await Migrator(database, [slow]).run().count == 1)
            #expect(try await database.first(setting, as: String.self) == "1h")
        }
    }

    /// As `pg_dump` writes it, or where `LOCAL` was forgotten.
    @Test func `what a script sets for its session ends with it`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            let settings = """
                SELECT concat_ws(', ', current_setting('search_path'), current_setting('lock_timeout'),
                    current_setting('IntervalStyle'), current_setting('client_connection_check_interval', true))
                """ as SQL
            let before = try await database.first(settings, as: String.self)
            let list = [
                Migration("one", sql: "CREATE TABLE t (id INT)"),
                Migration(
                    "audit",
                    sql: """
                        CREATE SCHEMA audit;
                        SET search_path = audit, public;
                        CREATE TABLE t (id INT);
                        SET lock_timeout = '200ms';
                        CREATE TEMPORARY TABLE old (id INT)
                        """),
                Migration("dump", sql: "SELECT pg_catalog.set_config('search_path', '', false)"),
                Migration("other", sql: "CREATE TEMPORARY TABLE old (id INT); INSERT INTO t VALUES (1)"),
            ]
            #expect(try await Migrator(database, list).run().map(\.name) == ["one", "audit", "dump", "other"])
            #expect(try await Migrator(database, list).run().isEmpty)
            #expect(try await database.first("SELECT id FROM public.t", as: Int.self) == 1)
            #expect(try await database.first(settings, as: String.self) == before)
        }
    }

    @Test func `a temporary table may have constraints that are checked at the end`() async throws {
        try await Place.loop.withDatabase { database async throws in
            let list = [MigratorTests.withTemporaryTable("one"), MigratorTests.withTemporaryTable("two")]
            #expect(try await Migrator(database, list).run().map(\.name) == ["one", "two"])
        }
    }

    /// A migration with a temporary table that cannot be dropped at the end of its script.
    static func withTemporaryTable(_ name: String) -> Migration {
        Migration(
            name,
            sql: """
                CREATE TEMPORARY TABLE old (
                    id INT PRIMARY KEY, parent INT REFERENCES old DEFERRABLE INITIALLY DEFERRED);
                INSERT INTO old VALUES (1, 1);
                DECLARE each CURSOR FOR SELECT id FROM old;
                FETCH each
                """)
    }

    @Test func `one that has to wait for a lock is named in the log`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE pets (id INT)")
            let late = Migration("late", sql: "SET LOCAL lock_timeout = 1; ALTER TABLE pets ADD name TEXT")
            let lines = LogLines()
            try await database.transaction { transaction in
                try await transaction.execute("LOCK TABLE pets")
                await #expect(throws: DatabaseError.self) {
                    try await apart { try await Migrator(database, [late], logger: lines.logger).run() }
                }
            }
            #expect(lines.all.contains { $0.contains("The migration late could not be applied yet: ") })
        }
    }

    @Test(arguments: ["COMMIT", "-- Begin.\nBEGIN; CREATE TABLE x (y INT); COMMIT", "ROLLBACK; BEGIN"])
    func `one that begins by ending its transaction is not sent`(script: String) async throws {
        try await Place.loop.withDatabase { database async throws in
            let wrong = Migration("wrong", sql: Array(script.utf8))
            let error = await #expect(throws: MigrationError.self) { try await Migrator(database, [wrong]).run() }
            #expect(text(error).contains("has changed nothing: "))
            #expect(text(error).contains("leave out BEGIN, COMMIT and the like"))
            #expect(try await database.first("SELECT to_regclass('x')::text", as: String?.self) == .some(nil))
        }
    }

    @Test(arguments: ["CREATE TABLE x (y INT); COMMIT; BEGIN", "SELECT 1; ROLLBACK; BEGIN"])
    func `one that ends its transaction is an error`(script: String) async throws {
        try await Place.loop.withDatabase { database async throws in
            let wrong = Migration("wrong", sql: Array(script.utf8))
            let error = await #expect(throws: MigrationError.self) { try await Migrator(database, [wrong]).run() }
            #expect(text(error).contains("ends the transaction"))
            #expect(!text(error).contains("has changed nothing"))
            #expect(try await Migrator(database, [wrong]).status().map(\.appliedAt) == [nil])
        }
    }
}
