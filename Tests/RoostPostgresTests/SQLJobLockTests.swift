import Processes
import Roost
import RoostSQL
import Testing

/// The jobs of instances that share a server; `RoostSQLiteTests` has the cases that depend on time.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SQLJobLockTests {
    @Test func `of many that ask at once one gets a job, and gives it back`() async throws {
        try await Place.loop.withDatabase { database async throws in
            try await database.execute(
                """
                CREATE TABLE jobs (
                    name TEXT PRIMARY KEY, due_at BIGINT NOT NULL, holder TEXT, held_until BIGINT NOT NULL)
                """
            )
            let lock = SQLJobLock(database)
            guard case .later(let wait) = try await lock.claim("digest", every: .hours(1)) else {
                Issue.record("It was never run, and is due.")
                return
            }
            #expect(wait > .minutes(59) && wait <= .hours(1))
            try await database.execute("UPDATE jobs SET due_at = due_at - 3600000")
            let claims = try await withThrowingTaskGroup { group in
                for _ in 0..<10 { group.addTask { try await lock.claim("digest", every: .hours(1)) } }
                return try await group.reduce(into: [JobClaim]()) { $0.append($1) }
            }
            let leases = claims.compactMap { if case .granted(let lease) = $0 { lease } else { nil } }
            #expect(leases.count == 1)
            let lease = try #require(leases.first)
            #expect(try await lock.renew(lease))
            try await lock.release(lease)
            #expect(try await !lock.renew(lease))
            guard case .later = try await lock.claim("digest", every: .hours(1)) else {
                Issue.record("It is due again.")
                return
            }
        }
    }
}
