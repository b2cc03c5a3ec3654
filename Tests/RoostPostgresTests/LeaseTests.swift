import Processes
import RoostSQL
import Synchronization
import Testing

@testable import RoostPostgres

/// Statements that outlive a transaction or a stream: the connection goes back once, and only when nothing runs on it.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct LeaseTests {
    private let waiting =
        """
        SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
        """ as SQL

    /// Ends something while one of its statements waits for a lock, then lets the statement go on.
    private func end<Leaser: AnyObject & Sendable>(
        _ database: Database,
        _ begin: (PostgresDriver) async throws -> Leaser,
        run: @escaping @Sendable (Leaser) async throws -> Void,
        end: (Leaser) async -> Void
    ) async throws {
        let driver = try #require(database.driver as? PostgresDriver)
        weak var last: Leaser?
        var escaped: Task<Void, any Error>?
        try await database.transaction { holder in
            try await holder.execute("SELECT pg_advisory_xact_lock(1)")
            let leaser = try await begin(driver)
            last = leaser
            escaped = Task { try await run(leaser) }
            while try await holder.first(waiting, as: Int.self) == 0 { try await turn() }
            await end(leaser)
        }
        await #expect(throws: DatabaseError.self) { try await escaped?.value }
        escaped = nil
        while last != nil { try await turn() }
        let deadline = ContinuousClock.now + .seconds(100)
        let entries = [try await driver.pool.take(until: deadline), try await driver.pool.take(until: deadline)]
        #expect(entries[0].connection !== entries[1].connection)
        #expect(driver.pool.state.withLock { ($0.count, $0.idleCount) } == (2, 0))
        for entry in entries { driver.pool.giveBack(entry) }
    }

    @Test func `a statement that outlives its transaction gives the connection back`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            let deadline = ContinuousClock.now + .seconds(100)
            try await end(database) { driver in
                try #require(await driver.begin(.standard, deadline: deadline) as? PostgresTransaction)
            } run: { transaction in
                let statement = SQLStatement("SELECT pg_advisory_xact_lock(1)", isQuery: false, deadline: deadline)
                var nothing: Void = ()
                _ = try await transaction.run(statement, into: &nothing) { _, _ in true }
            } end: {
                await $0.rollBack()
            }
        }
    }

    @Test func `a stream that is closed while it is read gives the connection back`() async throws {
        try await Place.loop.withDatabase(PostgresConfiguration(maximumConnections: 2)) { database async throws in
            let deadline = ContinuousClock.now + .seconds(100)
            try await end(database) { driver in
                let statement = SQLStatement("SELECT pg_advisory_xact_lock(1)", isQuery: true, deadline: deadline)
                return try #require(await driver.open(statement) as? PostgresCursor)
            } run: { cursor in
                _ = try await cursor.fetch(atMost: 10, deadline: deadline, into: ()) { @Sendable _, _ in }
            } end: {
                $0.close()
            }
        }
    }
}
