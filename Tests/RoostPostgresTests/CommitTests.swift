import Processes
import Roost
import RoostSQL
import RoostTesting
import Synchronization
import Testing

@testable import RoostPostgres

/// Commits whose caller leaves: they take effect, and when nobody knows whether they did, that is the error.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct CommitTests {
    /// The ways in which a row can be inserted and committed.
    enum Way: CaseIterable {
        case transaction, returning, statement, batch

        func insert(_ database: Database) async throws {
            switch self {
            case .transaction: _ = try await database.transaction { try await $0.execute("INSERT INTO t VALUES (1)") }
            case .returning: _ = try await database.first("INSERT INTO t VALUES (1) RETURNING n", as: Int.self)
            case .statement: try await database.execute("INSERT INTO t VALUES (1)")
            case .batch: try await database.batch(["INSERT INTO t VALUES (1)"])
            }
        }
    }

    /// The sessions whose COMMIT waits for the holder of a lock.
    private static let waiting =
        """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """ as SQL

    /// Calls a function with each of them.
    private static func ending(_ function: String) -> SQL {
        let text = waiting.text.split(separator: " ").joined(separator: " ")
        return SQL(unchecked: "SELECT count(\(function)(pid))" + text.dropFirst("SELECT count(*)".count))
    }

    /// Has something happen while an insert is being committed.
    private static func whileCommitting(
        _ way: Way, at place: Place, timeout: Duration = .seconds(100),
        _ body: @escaping @Sendable (Task<Void, any Error>, OtherTransaction, Database) async throws -> Void
    ) async throws {
        try await place.withDatabase { database async throws in
            for sql in [
                "CREATE TABLE t (n int)",
                """
                CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END'
                """,
                """
                CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait()
                """,
            ] as [SQL] {
                try await database.execute(sql)
            }
            let holder = try await OtherTransaction(database)
            try await holder.execute("SELECT pg_advisory_xact_lock(1)")
            let task = Task { try await way.insert(database) }
            while try await holder.count(Self.waiting) == 0 { try await turn() }
            try await body(task, holder, database)
        }
    }

    @Test(arguments: Way.allCases, Place.allCases)
    func `a caller that is cancelled meanwhile learns that it has happened`(way: Way, place: Place) async throws {
        try await Self.whileCommitting(way, at: place) { (task, holder, database) async throws in
            task.cancel()
            await holder.end()
            try await task.value
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 1)
        }
    }

    @Test(arguments: Way.allCases)
    func `a connection that breaks meanwhile is an error of its own`(way: Way) async throws {
        try await Self.whileCommitting(way, at: .loop) { (task, holder, database) async throws in
            #expect(try await holder.count(Self.ending("pg_terminate_backend")) == 1)
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(text(error).hasPrefix("Nobody knows whether the change has taken effect: "))
            await holder.end()
        }
    }

    @Test(arguments: Way.allCases)
    func `what fails while it is committed has its own error`(way: Way) async throws {
        try await Self.whileCommitting(way, at: .loop) { (task, holder, database) async throws in
            #expect(try await holder.count(Self.ending("pg_cancel_backend")) == 1)
            let error = await #expect(throws: DatabaseError.self) { try await task.value }
            #expect(text(error).hasPrefix("The database took too long: "))
            await holder.end()
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test func `a COMMIT that takes too long is not cancelled`() async throws {
        let url = try await PostgresServer.shared().makeDatabase()
        try await Place.loop.run {
            let isLate = Atomic(false)
            let driver = try PostgresDriver(url, configuration: .patient, logger: .silent)
            var configuration = DatabaseConfiguration.patient
            configuration.now = { isLate.load(ordering: .relaxed) ? .now - .seconds(1000) : .now }
            let database = Database(driver, configuration: configuration, logger: .silent)
            try await database.start()
            try await database.execute("CREATE TABLE t (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            let holder = try await OtherTransaction(database)
            try await holder.execute("INSERT INTO t VALUES (1)")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    // Whether it is unique is asked at the end, which then waits for the holder.
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    isLate.store(true, ordering: .relaxed)
                }
            }
            isLate.store(false, ordering: .relaxed)
            #expect(text(error).hasPrefix("Nobody knows whether the change has taken effect: "))
            await holder.end()
            while try await database.first("SELECT count(*) FROM t", as: Int.self) == 0 { try await turn() }
            await database.stop()
        }
    }

    @Test(arguments: [
        ("SELECT * INTO kept FROM t", true), ("SELECT n\ninto kept FROM t", true), ("SELECT * FROM t", false),
        ("WITH x AS (SELECT 1) SELECT * FROM x", false), ("WITH x AS (SELECT 1) SELECT * INTO y FROM x", true),
        ("SELECT * FROM printouts", false), ("SELECT a_into, into_b, into1, \u{E9}into FROM t", false),
        ("SELECT 1INTO\"t\"", true), ("SELECT 'a'INTO t", true), ("SELECT n INTO", true), ("INTO", true),
    ])
    func `a statement that makes a table of its rows takes effect`(text: String, takesEffect: Bool) {
        #expect(SQL(unchecked: text).takesEffect == takesEffect)
    }

    @Test func `a task that was cancelled before changes nothing`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            for way in Way.allCases {
                let gate = Latch()
                let task = Task {
                    await gate.wait()
                    try await way.insert(database)
                }
                task.cancel()
                gate.open()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }
}
