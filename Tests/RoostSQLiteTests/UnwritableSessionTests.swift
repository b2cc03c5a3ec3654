import RoostSQLite
import RoostTesting
import Testing

@testable import RoostSQL

/// What a store of sessions does while nothing can be written; the rest is tested with each engine.
@Suite("Sessions while nothing can be written", .timeLimit(.minutes(5)))
struct UnwritableSessionTests {
    private static func run(_ body: (SQLSessionStore, Database, TestClock) async throws -> Void) async throws {
        let clock = TestClock()
        try await Scratch.run { (database, _) async throws in
            try await database.batch([
                """
                CREATE TABLE sessions (token_hash TEXT PRIMARY KEY, data TEXT NOT NULL, begun_at BIGINT NOT NULL,
                    used_at BIGINT NOT NULL, owner TEXT)
                """,
                "CREATE INDEX sessions_used_at ON sessions (used_at)",
            ])
            let store = withClock(clock) {
                SQLSessionStore(database, idleTimeout: .seconds(1800), lifetime: .seconds(7200))
            }
            try await body(store, database, clock)
        }
    }

    @Test func `a session is found even if its use cannot be noted`() async throws {
        try await Self.run { (store, database, clock) async throws in
            try await store.save(["a": "b"], for: "token")
            clock.advance(by: .seconds(120))
            try await database.execute(
                "CREATE TRIGGER no BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
            #expect(try await store.values(for: "token") == ["a": "b"])
            await store.bookkeeping.settle()
            try await database.execute(
                "CREATE TRIGGER nor BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
            )
            clock.advance(by: .seconds(1800))
            try await store.save(["c": "d"], for: "other")
            #expect(try await store.values(for: "other") == ["c": "d"])
        }
    }

    @Test func `a session is found while something else writes for long`() async throws {
        try await Self.run { (store, database, clock) async throws in
            try await store.save(["a": "b"], for: "token")
            clock.advance(by: .seconds(60))
            try await database.whileWriterIsHeld {
                for _ in 0..<3 {
                    let values = try await apart { try await store.values(for: "token") }
                    #expect(values == ["a": "b"])
                }
            }
        }
    }
}
