import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct TransactionTests {
    private struct Mistake: Error {}

    /// The statements that wait for a lock of the test.
    private static let waiting =
        """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """ as SQL

    @Test func `on a loop it takes effect as a whole or not at all`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                #expect(try await apart { try await database.first("SELECT count(*) FROM t", as: Int.self) } == 0)
            }
            await #expect(throws: Mistake.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (2)")
                    throw Mistake()
                }
            }
            #expect(try await database.query("SELECT n FROM t", as: Int.self) == [1])
        }
    }

    @Test func `a statement that would end it from within is refused by the server`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            try await database.execute("CREATE PROCEDURE finish() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'")
            for statement in ["CALL finish()", "DO 'BEGIN COMMIT; END'"] {
                await #expect(throws: DatabaseError.self) {
                    try await database.transaction { transaction in
                        try await transaction.execute("INSERT INTO t VALUES (1)")
                        try await transaction.execute(SQL(unchecked: statement))
                    }
                }
            }
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test func `savepoints do not end it`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                try await transaction.execute("SAVEPOINT back_and_chain")
                try await transaction.execute("INSERT INTO t VALUES (2)")
                try await transaction.execute("ROLLBACK TO SAVEPOINT back_and_chain")
                try await transaction.execute("RELEASE back_and_chain")
            }
            #expect(try await database.query("SELECT n FROM t", as: Int.self) == [1])
        }
    }

    @Test(arguments: [0, 1, 2, 128])
    func `a savepoint undoes a failure, however few statements stay prepared`(capacity: Int) async throws {
        let configuration = PostgresConfiguration(maximumConnections: 1, statementCacheCapacity: capacity)
        try await Place.loop.withDatabase(configuration) { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            for _ in 0..<2 {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    await #expect(throws: DatabaseError.self) {
                        try await transaction.savepoint { try await $0.execute("SELECT 1/0") }
                    }
                    try await transaction.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(try await database.query("SELECT n FROM t ORDER BY n", as: Int.self) == [1, 1, 2, 2])
        }
    }

    @Test func `of two that conflict, one gets the error`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            try await database.execute("INSERT INTO t VALUES (1)")
            await #expect(throws: DatabaseError.self) {
                try await database.transaction(isolation: .repeatableRead) { transaction in
                    _ = try await transaction.first("SELECT n FROM t", as: Int.self)
                    try await apart { try await database.execute("UPDATE t SET n = 2") }
                    do {
                        try await transaction.execute("UPDATE t SET n = 3")
                    } catch DatabaseError.serializationFailure(let text) {
                        throw DatabaseError.serializationFailure(text)
                    }
                }
            }
            #expect(try await database.first("SELECT n FROM t", as: Int.self) == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `one whose connection breaks is an error, and so is everything after that in it`(place: Place) async throws {
        try await place.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    let number = try await transaction.first("SELECT pg_backend_pid()", as: Int.self) ?? 0
                    try await apart { try await database.execute("SELECT pg_terminate_backend(\(number), 10000)") }
                    _ = try? await transaction.execute("INSERT INTO t VALUES (2)")
                    try await transaction.execute("INSERT INTO t VALUES (3)")
                }
            }
            #expect(text(error).hasPrefix("The connection to the database is lost"))
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `one that the server has ended before its commit has certainly changed nothing`(place: Place) async throws {
        try await place.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int)")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    let number = try await transaction.first("SELECT pg_backend_pid()", as: Int.self) ?? 0
                    try await apart { try await database.execute("SELECT pg_terminate_backend(\(number), 10000)") }
                }
            }
            #expect(text(error).hasPrefix("The connection to the database is lost"))
            #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
        }
    }

    @Test func `a statement whose row cannot be decoded is undone`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 1)) { database async throws in
            try await database.execute("CREATE TABLE t (n text)")
            for sql in [
                "INSERT INTO t VALUES ('x') RETURNING n",
                "WITH new AS (INSERT INTO t VALUES ('x') RETURNING n) SELECT n FROM new",
            ] as [SQL] {
                await #expect(throws: DatabaseError.self) { try await database.first(sql, as: Int.self) }
                await #expect(throws: DatabaseError.self) { try await database.query(sql, as: Int.self) }
                #expect(try await database.first("SELECT count(*) FROM t", as: Int.self) == 0)
                #expect(try await database.first(sql, as: String.self) == "x")
                #expect(try await database.execute("DELETE FROM t") == 1)
            }
        }
    }

    @Test func `it runs one statement at a time`() async throws {
        try await Place.loop.withDatabase { database async throws in
            let holder = try await OtherTransaction(database)
            try await holder.execute("SELECT pg_advisory_xact_lock(1)")
            let error = await #expect(throws: DatabaseError.self) {
                try await database.transaction { transaction in
                    // The first one waits for the holder, while the second one arrives.
                    async let one: Int = transaction.execute("SELECT pg_advisory_xact_lock(1)")
                    while try await holder.count(Self.waiting) == 0 { try await turn() }
                    try await transaction.execute("SELECT 1")
                    _ = try await one
                }
            }
            await holder.end()
            #expect(text(error).contains("one statement at a time"))
            #expect(try await database.first("SELECT 1", as: Int.self) == 1)
        }
    }

    @Test func `tests that are rolled back wait for a connection, however short the wait of others`() async throws {
        let configuration = PostgresConfiguration(
            maximumConnections: 1, waitTimeout: .zero, connectTimeout: .seconds(100))
        let driver = try PostgresDriver(
            try await PostgresServer.shared().makeDatabase(), configuration: configuration, logger: .silent)
        let database = Database(driver, configuration: .patient, logger: .silent)
        try await database.start()
        let second = try await database.rolledBack { _ in
            let second = Task.detached { try await database.rolledBack { try await $0.ping() } }
            while driver.use?.waiting == 0 { try await turn() }
            // The pool then looks at the time of the second one, too, which has waited longer.
            await #expect(throws: DatabaseError.self) { try await apart { try await database.ping() } }
            return second
        }
        try await second.value
        await database.stop()
    }
}
