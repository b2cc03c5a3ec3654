import Engines
import RoostSQL
import Testing

@Suite("Transactions", .timeLimit(.minutes(5)))
struct TransactionTests {
    private struct Mistake: Error {}

    private static func names(_ database: Database) async throws -> [String] {
        try await database.query("SELECT name FROM users ORDER BY id", as: String.self)
    }

    @Test(arguments: Engine.allCases)
    func `it is all or nothing, sees itself, and is not seen before its end`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            let count = try await database.transaction { transaction in
                try await transaction.execute("INSERT INTO users (name) VALUES ('Ada')")
                let seen = try await Task.detached { try await Self.names(database) }.value
                #expect(seen == ["Nelson", "Cathy"])
                return try await transaction.first("SELECT count(*) FROM users", as: Int.self)
            }
            #expect(count == 3)
            await #expect(throws: Mistake.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("DELETE FROM users")
                    throw Mistake()
                }
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy", "Ada"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `after an error it does nothing more, and an error that was caught is no success`(engine: Engine) async throws
    {
        try await engine.run { (databases) async throws in
            await #expect(throws: DatabaseError.uniqueViolation("users.name")) {
                try await databases[0].transaction { transaction in
                    try await transaction.execute("DELETE FROM users WHERE name = 'Nelson'")
                    for sql in ["INSERT INTO users (name) VALUES ('Cathy')", "DELETE FROM users"] as [SQL] {
                        _ = try? await transaction.execute(sql)
                    }
                }
            }
            #expect(try await Self.names(databases[0]) == ["Nelson", "Cathy"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `inside it the database itself is refused at once, and nothing hangs`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            for use in ["read", "ping", "begin"] {
                await #expect(throws: DatabaseError.besideTransaction) {
                    try await database.transaction { transaction in
                        try await transaction.execute("DELETE FROM users")
                        switch use {
                        case "read": _ = try await Self.names(database)
                        case "ping": try await database.ping()
                        default: _ = try await database.transaction { try await $0.execute("DELETE FROM users") }
                        }
                    }
                }
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy"])
        }
    }

    @Test(
        arguments: Engine.allCases, ["BEGIN", "-- It is over.\n /* Really. */ rollback", "COMMIT", "END", ";;COMMIT"])
    func `a statement that begins or ends one is refused everywhere`(engine: Engine, statement: String) async throws {
        try await engine.run { (databases) async throws in
            let (database, sql) = (databases[0], SQL(unchecked: statement))
            await #expect(throws: DatabaseError.transactionControl) { try await database.execute(sql) }
            await #expect(throws: DatabaseError.transactionControl) {
                try await database.transaction { transaction in
                    try await transaction.execute("DELETE FROM users")
                    _ = try? await transaction.execute(sql)
                    try await transaction.execute("INSERT INTO users (name) VALUES ('Ada')")
                }
            }
            await #expect(throws: DatabaseError.transactionControl) {
                try await database.batch(["DELETE FROM users", sql, "INSERT INTO users (name) VALUES ('Ada')"])
            }
            #expect(try await Self.names(database) == ["Nelson", "Cathy"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `what comes after its end is told that it has ended, and is not run`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let ended = try await databases[0].transaction { transaction in
                try await transaction.execute("DELETE FROM users WHERE name = 'Nelson'")
                return transaction
            }
            await #expect(throws: DatabaseError.transactionHasEnded) {
                try await ended.execute("DELETE FROM users")
            }
            #expect(try await Self.names(databases[0]) == ["Cathy"])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a batch is all or nothing`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let database = databases[0]
            try await database.batch(["INSERT INTO users (name) VALUES ('a')", "UPDATE users SET name = name || '!'"])
            #expect(try await Self.names(database) == ["Nelson!", "Cathy!", "a!"])
            await #expect(throws: DatabaseError.self) {
                try await database.batch(["DELETE FROM users", "INSERT INTO users (id) VALUES (1)"])
            }
            #expect(try await Self.names(database).count == 3)
        }
    }

    @Test(arguments: Engine.allCases)
    func `a change whose row cannot be decoded is undone`(engine: Engine) async throws {
        try await engine.run { (databases) async throws in
            let error = await #expect(throws: DatabaseError.self) {
                try await databases[0].query("UPDATE users SET name = 'x' || id RETURNING name", as: Int.self)
            }
            guard case .column("name", _) = error else { return _ = Issue.record("\(String(describing: error))") }
            #expect(try await Self.names(databases[0]) == ["Nelson", "Cathy"])
        }
    }
}
