import Engines
import RoostSQL
import Testing

@Suite("Values in quotes", .timeLimit(.minutes(5)))
struct QuotedValueTests {
    static let statements: [SQL] = [
        "UPDATE users SET name = '\("x")'",
        "UPDATE users SET name = '\("x")' WHERE id = \(1)",
        "DELETE FROM users WHERE name LIKE '%\("Nel")%'",
    ]

    @Test(arguments: Engine.allCases, statements)
    func `are the statement's fault, and nothing changes`(engine: Engine, sql: SQL) async throws {
        try await engine.run { databases in
            await #expect {
                try await databases[0].execute(sql)
            } throws: {
                if case .statement = $0 as? DatabaseError { true } else { false }
            }
            let names = try await databases[0].query("SELECT name FROM users ORDER BY id", as: String.self)
            #expect(names == ["Nelson", "Cathy"])
        }
    }
}
