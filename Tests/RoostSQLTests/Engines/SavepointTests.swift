import Engines
import RoostSQL
import RoostTesting
import Testing

@Suite("Savepoints", .timeLimit(.minutes(5)))
struct SavepointTests {
    private struct Failure: Error {}

    private static func names(_ database: Database) async throws -> [String] {
        try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
    }

    @Test(arguments: Engine.allCases)
    func `what fails inside is undone, and the transaction goes on`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO users (name) VALUES ('one')")
                await #expect(throws: Failure.self) {
                    try await transaction.savepoint { inner in
                        try await inner.execute("INSERT INTO users (name) VALUES ('two')")
                        throw Failure()
                    }
                }
                // An error of the engine, even if it is caught inside. PostgreSQL does nothing more then.
                await #expect(throws: DatabaseError.self) {
                    try await transaction.savepoint { inner in
                        try await inner.execute("INSERT INTO users (name) VALUES ('three')")
                        _ = try? await inner.execute("INSERT INTO users (name) VALUES ('Nelson')")
                        _ = try? await inner.execute("INSERT INTO users (name) VALUES ('five')")
                    }
                }
                try await transaction.execute("INSERT INTO users (name) VALUES ('four')")
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "one", "four"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a row that is inserted in a transaction tells its id`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let id = try await database.transaction { transaction in
                let id = try await transaction.insert("INSERT INTO users (name) VALUES ('one')")
                let none = "INSERT INTO users (name) VALUES ('Nelson') ON CONFLICT DO NOTHING" as SQL
                #expect(try await transaction.insert(none) == nil)
                return id
            }
            #expect(try await database.first("SELECT name FROM users WHERE id = \(id)", as: String.self) == "one")
        }
    }

    @Test(arguments: Engine.allCases)
    func `savepoints nest, and end with their transaction`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let count = try await database.transaction { transaction in
                try await transaction.savepoint { outer in
                    try await outer.execute("INSERT INTO users (name) VALUES ('outer')")
                    try? await outer.savepoint { inner in
                        try await inner.execute("INSERT INTO users (name) VALUES ('inner')")
                        throw Failure()
                    }
                    try await outer.savepoint { _ = try await $0.execute("INSERT INTO users (name) VALUES ('kept')") }
                    return try await outer.first("SELECT count(*) FROM users", as: Int.self)
                }
            }
            #expect(count == 4)
            await #expect(throws: Failure.self) {
                try await database.transaction { transaction in
                    try await transaction.savepoint { _ = try await $0.execute("DELETE FROM users") }
                    throw Failure()
                }
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "outer", "kept"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a task that is cancelled inside leaves nothing`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let (begun, end) = (Latch(), Latch())
            let task = Task {
                try await database.transaction { transaction in
                    try await transaction.savepoint { inner in
                        try await inner.execute("INSERT INTO users (name) VALUES ('one')")
                        begun.open()
                        await end.wait()
                        try Task.checkCancellation()
                    }
                }
            }
            await begun.wait()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await Self.names(database) == ["Nelson", "Cathy"])
        }
    }

    /// PostgreSQL allows them, where they do no harm.
    @Test func `statements of one's own about savepoints are still refused`() async throws {
        try await Engine.sqlite.run { (databases) async throws in
            let database = databases[0]
            await #expect(throws: DatabaseError.transactionControl) {
                try await database.transaction { _ = try await $0.execute("SAVEPOINT a") }
            }
        }
    }
}
