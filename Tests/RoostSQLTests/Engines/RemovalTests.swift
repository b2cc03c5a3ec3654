import Engines
import Roost
import RoostTesting
import Testing

@testable import RoostSQL

/// The deletion of what has run out, a few rows at a time.
@Suite("Deletion of what has run out", .timeLimit(.minutes(5)))
struct RemovalTests {
    /// The statistics still know the rows that are gone, so a search through the table seems to end soon.
    @Test(arguments: Engine.allCases.filter { $0 == .postgresql })
    func `it reads no whole table, though what had run out is gone`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Migrator(database, [Migration("sessions", sql: SQLSessionStore.schema)]).run()
            try await database.execute(
                """
                INSERT INTO sessions (token_hash, data, begun_at, used_at)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
                SELECT 'token ' || n, '{}', n, n FROM numbers
                """)
            try await database.execute("ANALYZE sessions")
            try await database.execute("DELETE FROM sessions WHERE used_at <= 1000")
            let removal = database.removal(
                of: 100, from: "sessions", by: "token_hash", where: "used_at <= \(1000) ORDER BY used_at")
            let plan = try await database.query("EXPLAIN \(removal)", as: String.self)
            #expect(plan.contains { $0.contains("sessions_used_at") }, "\(plan)")
            #expect(plan.allSatisfy { !$0.contains("Seq Scan") }, "\(plan)")
        }
    }

    /// Without an order, PostgreSQL may read the whole table: here, it finds the last row first.
    @Test(arguments: Engine.allCases)
    func `the sessions that ended first go first`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await Migrator(database, [Migration("sessions", sql: SQLSessionStore.schema)]).run()
            try await database.execute(
                """
                INSERT INTO sessions (token_hash, data, begun_at, used_at)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 101)
                SELECT 'token ' || n, '{}', 1, 102 - n FROM numbers
                """)
            let store = SQLSessionStore(database)
            try await store.save([:], for: "new")
            await store.bookkeeping.settle()
            let ended = try await database.query("SELECT token_hash FROM sessions WHERE used_at < 102", as: String.self)
            #expect(ended == ["token 1"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `the keys of requests that expired first go first`(engine: Engine) async throws {
        try await Nest.run(engine) { nest async throws in
            try await nest.database.execute(
                """
                INSERT INTO idempotency_keys (id, fingerprint, attempt, expires_at)
                WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 101)
                SELECT 'key ' || n, '', n, 102 - n FROM numbers
                """)
            #expect(try await nest.client().post("/eggs", headers: [.idempotencyKey: "k"]).status == .ok)
            await nest.keys.settle()
            let expired = try await nest.database.query(
                "SELECT id FROM idempotency_keys WHERE expires_at < 102", as: String.self)
            #expect(expired == ["key 1"])
        }
    }
}
