import Processes
import RoostSQL
import Testing

/// As in SQLite, where there are more cases.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5)))
struct SavepointTests {
    private struct Failure: Error {}

    @Test(arguments: Place.allCases)
    func `what fails inside is undone, and the transaction goes on`(place: Place) async throws {
        try await place.withDatabase { database async throws in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY)")
            try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO t VALUES (1)")
                try? await transaction.savepoint { inner in
                    try await inner.execute("INSERT INTO t VALUES (2)")
                    throw Failure()
                }
                // After an error, PostgreSQL does nothing more until it has rolled back.
                await #expect(throws: DatabaseError.self) {
                    try await transaction.savepoint { inner in
                        try await inner.execute("INSERT INTO t VALUES (3)")
                        _ = try? await inner.execute("INSERT INTO t VALUES (1)")
                        _ = try? await inner.execute("INSERT INTO t VALUES (5)")
                    }
                }
                try await transaction.savepoint { inner in
                    try await inner.execute("INSERT INTO t VALUES (4)")
                    try? await inner.savepoint { _ = try await $0.execute("INSERT INTO t VALUES (1)") }
                }
            }
            #expect(try await database.query("SELECT n FROM t ORDER BY n", as: Int.self) == [1, 4])
        }
    }
}
